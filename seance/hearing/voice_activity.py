"""When somebody near begins to speak and when their sentence is over, by levels alone; not what was said."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from seance.hearing.noise_reduction import FRAME

_SUPPOSED, _QUIET = 0.3, -50.0
"""For so many seconds before the first sound the room is taken to have been so quiet: somebody may speak at once."""
_AT_FIRST, _VARIED = 0.7, 14.0
"""What rises and falls by fewer decibels in the first so many seconds is a loud room, and never was quiet."""
_LOUDER = 6.0
"""Decibels over the quietest, where that is known, from which on what is heard at first is no room."""
_SOON = 1.5
"""Seconds until which a room that is loud at first is taken for quieter: a voice may be a good part of it."""
_LONG = 2.5
"""Seconds of one voice after which it is too great a part of what was heard to judge by that how loud the room is."""
_STEADY, _EVEN = 2.0, 8.0
"""What rises and falls by fewer decibels in so many seconds is no voice: the room has become louder."""


class Standing(Enum):
    """What the words heard so far amount to; the value is how many seconds of quiet end them."""

    WHOLE = 0.28
    """A whole sentence."""
    NOTHING = 0.36
    """Neither a sentence nor the beginning of one."""
    OPEN = 0.42
    """A whole sentence that could go on to mean something else."""
    ADDED_TO = 0.75
    """A whole sentence to which more could be added: people pause before they do."""
    BEGUN = 0.80
    """The beginning of a sentence."""

    @property
    def is_sentence(self) -> bool:
        """Whether they are a whole sentence."""
        return self in (Standing.WHOLE, Standing.OPEN, Standing.ADDED_TO)

    @property
    def could_go_on(self) -> bool:
        """Whether more words of the same sentence could follow."""
        return self in (Standing.OPEN, Standing.ADDED_TO, Standing.BEGUN)


@dataclass(slots=True)
class Attention:
    """Tells the voice that stands out from the room, frame by frame."""

    stands_out: float = 5.0
    """Decibels over the room at which somebody near may be speaking."""
    onset: float = 0.06
    """Seconds of that, among the last tenth, that begin a sentence."""
    span: float = 3.0
    """Seconds by which the room is judged, beside those in which somebody near has been speaking since."""
    deepest: float = 30.0
    """What is so many decibels under the voice is quiet in any room."""
    drowns: float = 11.0
    """Decibels over the voice at which somebody nearer has begun to speak."""
    quietest: float | None = None
    """How quiet it becomes, in decibels, where that is known beforehand; None in a room that nobody knows."""

    room: float = 0.0
    """The room's own level, in decibels."""
    voice: float = 0.0
    """The level of who is speaking, or of who spoke last."""
    near: bool = False
    """Whether somebody near is speaking."""
    drowned: bool = False
    """Whether somebody nearer has just begun to speak: the voice so far was the room."""
    quiet: float = 0.0
    """Seconds since the last sound of theirs."""
    _levels: deque[float] = field(init=False)
    _recent: deque[bool] = field(init=False)
    _spoken: deque[float] = field(init=False)
    _count: int = 0
    _loud_at_first: bool = False
    _near_for: float = 0.0

    def __post_init__(self) -> None:
        self._levels = deque([_QUIET if self.quietest is None else self.quietest] * round(_SUPPOSED / FRAME))
        self._recent = deque(maxlen=round(0.1 / FRAME))
        self._spoken = deque(maxlen=round(2 / FRAME))

    def notice(self, level: float) -> bool:
        """Take in the *level* of a frame; tell whether it belongs to somebody near."""
        self._judge_room(level)
        self.drowned = False
        loud = level > (self.voice + self.drowns if self.near else self.room + self.stands_out)
        self._recent.append(loud)
        if sum(self._recent) * FRAME >= self.onset:
            self.drowned = self.near
            self.near, self.quiet, self.voice = True, 0.0, level
            self._spoken.clear()
            self._recent.clear()
        return self._follow(level) if self.near else loud

    def beginning(self, levels: Sequence[float]) -> int:
        """Return which of the latest *levels* is the first of the voice that has just been noticed."""
        # one who speaks before the room is known has been taken for the room at first
        gap = 0.12 if len(self._levels) * FRAME > 1.0 else 0.35
        first = at = len(levels) - 1
        while at > 0 and (first - at) * FRAME < gap:
            if levels[at] > self.room + self.stands_out:
                first = at
            at -= 1
        return first

    def rest(self) -> None:
        """Wait for the next voice."""
        self.near = False
        self._recent.clear()

    def _judge_room(self, level: float) -> None:
        self._levels.append(level)
        self._count += 1
        self._near_for = self._near_for + FRAME if self.near else 0.0
        louder = self.near and self._count % 16 == 0 and self._is_steady()
        if louder or not self.near:
            while len(self._levels) * FRAME > (_STEADY if louder else self.span):
                self._levels.popleft()
        if self._count == round(_AT_FIRST / FRAME):
            self._unsuppose()
        if len(self._levels) < 50 or self._count % 4 == 0:
            # even one who never stops to breathe is far under their own level a quarter of the time
            share = 15 if self._loud_at_first and self._count * FRAME < _SOON else 25
            room = float(np.percentile(self._levels, share)) + 2.0
            self.room = room if louder or self._near_for < _LONG else min(room, self.room)

    def _is_steady(self) -> bool:
        """Tell whether the last seconds were as even as no voice is."""
        lately = list(self._levels)[-round(_STEADY / FRAME) :]
        softest, loudest = np.percentile(lately, (5, 95))
        return bool(loudest - softest < _EVEN)

    def _unsuppose(self) -> None:
        """Forget that the room was taken to have been quiet, if all that was heard is alike."""
        heard = list(self._levels)[-self._count :]
        softest, middle, loudest = np.percentile(heard, (5, 50, 90))
        is_voice = self.quietest is not None and middle > self.quietest + _LOUDER
        self._loud_at_first = bool(loudest - softest < _VARIED and not is_voice)
        if self._loud_at_first:
            self._levels = deque(heard)

    def _follow(self, level: float) -> bool:
        nearer_the_voice = min((self.room + self.voice) / 2, self.voice - 4.0)
        loud = level > max(self.voice - self.deepest, nearer_the_voice, self.room + 2.0)
        self.quiet = 0.0 if loud else self.quiet + FRAME
        if loud:
            self._spoken.append(level)
            if len(self._spoken) % 4 == 1:
                self.voice = float(np.percentile(self._spoken, 75))
        return loud
