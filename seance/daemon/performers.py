"""Cues made perceptible, one after the other, on a thread of their own; nothing is decided and nothing comes back."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from functools import singledispatchmethod
from itertools import takewhile
from types import TracebackType
from typing import Protocol, Self

from seance.narration import cues as c
from seance.narration.cues import Cue

_LASTING = c.Say | c.RepeatLine | c.Pause | c.Knock

CLOSING_SECONDS = 1.5
"""How long the end of what is being performed is waited for."""

log = logging.getLogger(__name__)


class Mouth(Protocol):
    """What the house speaks and sounds with."""

    def say(self, text: str) -> None:
        """Say *text* and return when the room has heard it, or `hush` was asked for."""

    def prepare(self, texts: Iterable[str]) -> None:
        """Make ready to say *texts* soon."""

    def say_again(self) -> None:
        """Say the last line once more."""

    def hush(self) -> None:
        """Be silent at once."""

    def ring(self, sound: str) -> None:
        """Play a short sound, without waiting for it."""

    def surround(self, mood: str) -> None:
        """Let the room sound like *mood*."""

    def louder(self, steps: int) -> None:
        """Change the volume."""


class Limbs(Protocol):
    """What the house shows and knocks with."""

    def show_hour(self, hour: int, *, struck: bool) -> None:
        """Show the hour."""

    def show_sand(self, left: float | None, of: float, *, running: bool) -> None:
        """Show the sand."""

    def show_psychics(self, lights: "c.ShowPsychics") -> None:
        """Show each psychic's light."""

    def knock(self, says: c.KnockMeaning, count: int) -> float:
        """Begin to knock and return how long it takes (seconds)."""


class Performance:
    """Performs cues in their order, so that no knock falls into a sentence; `perform` never waits."""

    def __init__(
        self,
        mouth: Mouth,
        limbs: Limbs,
        *,
        expect: Callable[[c.Expect], None] = lambda _: None,
        enrol: Callable[[c.Enrol], None] = lambda _: None,
        told: Callable[[c.Mark], None] = lambda _: None,
        show: Callable[[Cue], None] = lambda _: None,
    ) -> None:
        """Tell the ear by *expect* and *enrol*; *show* is given every cue when its turn comes, *told* every mark."""
        self._mouth, self._limbs, self._show = mouth, limbs, show
        self._expect, self._enrol, self._told = expect, enrol, told
        self._waiting: deque[Cue] = deque()
        self._turn = threading.Condition()
        self._performing = False
        self._closing = threading.Event()
        self._error: BaseException | None = None
        self._hushed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="performance", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_busy(self) -> bool:
        """Whether anything is being performed, or waits to be."""
        with self._turn:
            return self._performing or bool(self._waiting)

    def perform(self, cues: Iterable[Cue]) -> None:
        """Perform *cues* after those that wait; a hush and an urgent line replace words, first earcons sound at once.

        What went wrong on the thread that performs is raised here.
        """
        cues = tuple(cues)
        first = tuple(takewhile(lambda cue: not isinstance(cue, _LASTING), cues))
        for cue in first:
            if isinstance(cue, c.Earcon):
                self._mouth.ring(cue.sound)
        cues = (*(cue for cue in first if not isinstance(cue, c.Earcon)), *cues[len(first) :])
        self._mouth.prepare(cue.text for cue in cues if isinstance(cue, c.Say))
        with self._turn:
            if self._error is not None:
                raise self._error
            for cue in cues:
                if isinstance(cue, c.StopSpeaking) or (isinstance(cue, c.Say) and cue.urgent):
                    self._drop_words()
                if not isinstance(cue, c.StopSpeaking | c.Expect | c.Whisper):
                    self._waiting.append(cue)
            self._turn.notify_all()
        for cue in cues:
            # What may be said changes at once, and so is the ghost told: nobody waits for the end of a line.
            if isinstance(cue, c.Expect):
                self._expect(cue)
            elif isinstance(cue, c.Whisper):
                self._show(cue)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all is performed; return whether it was within *timeout* seconds."""
        with self._turn:
            return self._turn.wait_for(lambda: not self._performing and not self._waiting, timeout)

    def close(self) -> None:
        """End at once; a second time does nothing."""
        with self._turn:
            self._closing.set()
            self._drop_words()
            self._waiting.clear()
            self._turn.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=CLOSING_SECONDS)

    def _drop_words(self) -> None:
        """Let go of all words that wait or are being said; knocks and lights stay."""
        self._waiting = deque(cue for cue in self._waiting if not isinstance(cue, c.Say | c.Pause | c.RepeatLine))
        self._hushed.set()
        self._mouth.hush()

    def _work(self) -> None:
        try:
            while (cue := self._next()) is not None:
                self._show(cue)
                self._do(cue)
        except BaseException as error:
            self._error = error
            raise
        finally:
            with self._turn:
                self._performing = False
                self._waiting.clear()
                self._turn.notify_all()

    def _next(self) -> Cue | None:
        """Wait for the next cue that is still worth performing; None when it ends."""
        with self._turn:
            while True:
                self._performing = False
                self._turn.notify_all()
                self._turn.wait_for(lambda: self._closing.is_set() or bool(self._waiting))
                if self._closing.is_set():
                    return None
                cue = self._waiting.popleft()
                if isinstance(cue, c.Say) and cue.idle and self._waiting:
                    continue
                self._performing = True
                self._hushed.clear()
                return cue

    @singledispatchmethod
    def _do(self, cue: Cue) -> None:
        """Perform what has a performer; what is only shown has been shown."""

    @_do.register
    def _(self, cue: c.Say) -> None:
        if not self._hushed.is_set():
            self._mouth.say(cue.text)

    @_do.register
    def _(self, _cue: c.RepeatLine) -> None:
        self._mouth.say_again()

    @_do.register
    def _(self, cue: c.Pause) -> None:
        self._hushed.wait(cue.seconds)

    @_do.register
    def _(self, cue: c.Knock) -> None:
        self._closing.wait(self._limbs.knock(cue.says, cue.count))

    @_do.register
    def _(self, cue: c.ShowHour) -> None:
        self._limbs.show_hour(cue.hour, struck=cue.struck)

    @_do.register
    def _(self, cue: c.ShowSand) -> None:
        self._limbs.show_sand(cue.left, cue.of, running=cue.running)

    @_do.register
    def _(self, cue: c.ShowPsychics) -> None:
        self._limbs.show_psychics(cue)

    @_do.register
    def _(self, cue: c.Earcon) -> None:
        self._mouth.ring(cue.sound)

    @_do.register
    def _(self, cue: c.SetAmbience) -> None:
        self._mouth.surround(cue.mood)

    @_do.register
    def _(self, cue: c.ChangeVolume) -> None:
        self._mouth.louder(cue.steps)

    @_do.register
    def _(self, cue: c.Enrol) -> None:
        self._enrol(cue)

    @_do.register
    def _(self, cue: c.Mark) -> None:
        self._told(cue)
