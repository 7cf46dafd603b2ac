"""Performs cues one after the other, on a thread of its own, through a voice and a body."""

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

_TIMED_CUES = c.Say | c.RepeatLine | c.Pause | c.Knock

JOIN_TIMEOUT_S = 1.5
"""Seconds to wait for the current cue when closing."""

log = logging.getLogger(__name__)


class VoiceOutput(Protocol):
    """Speaks lines and plays sounds."""

    def say(self, text: str) -> None:
        """Say *text* and return when it has been played, or when `hush` is called."""

    def prepare(self, texts: Iterable[str]) -> None:
        """Synthesize *texts* ahead of time."""

    def say_again(self) -> None:
        """Play the last line again."""

    def hush(self) -> None:
        """Stop speaking at once."""

    def play_earcon(self, name: str) -> None:
        """Play a short sound, without waiting for it."""

    def set_ambience(self, mood: str) -> None:
        """Play the background sounds of *mood*."""

    def change_volume(self, steps: int) -> None:
        """Raise the volume by *steps*, which may be negative."""


class BodyOutput(Protocol):
    """Shows the game on lights and clock, and knocks."""

    def show_hour(self, hour: int, *, struck: bool) -> None:
        """Show the hour; 0 is none."""

    def show_sand(self, left_s: float | None, turn_s: float, *, running: bool) -> None:
        """Show the seconds of sand left, of a turn of *turn_s*; None is no sand."""

    def show_psychics(self, cue: c.ShowPsychics) -> None:
        """Show each psychic's light."""

    def knock(self, says: c.KnockMeaning, count: int) -> float:
        """Begin to knock and return the seconds that it takes."""


class CuePerformer:
    """Performs cues in order, so that no knock falls into a sentence; `perform` never waits."""

    def __init__(
        self,
        voice: VoiceOutput,
        body: BodyOutput,
        *,
        expect: Callable[[c.Expect], None] = lambda _: None,
        enrol: Callable[[c.Enrol], None] = lambda _: None,
        on_mark: Callable[[c.Mark], None] = lambda _: None,
        show: Callable[[Cue], None] = lambda _: None,
    ) -> None:
        """Give cues for the recogniser to *expect* and *enrol*, marks to *on_mark*, and every cue in turn to *show*."""
        self._voice, self._body, self._show = voice, body, show
        self._expect, self._enrol, self._on_mark = expect, enrol, on_mark
        self._waiting: deque[Cue] = deque()
        self._changed = threading.Condition()
        self._performing = False
        self._current: Cue | None = None
        """What is being performed."""
        self._last_said: c.Say | None = None
        self._closing = threading.Event()
        self._error: BaseException | None = None
        self._hushed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="performance", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_busy(self) -> bool:
        """Whether anything is being performed or waiting to be."""
        with self._changed:
            return self._performing or bool(self._waiting)

    def perform(self, cues: Iterable[Cue]) -> None:
        """Perform *cues* after those that are waiting.

        A hush or an urgent line drops the words before it, and a skip the story; earcons that come first play at once.
        An error on the performing thread is raised here.
        """
        cues = tuple(cues)
        first = tuple(takewhile(lambda cue: not isinstance(cue, _TIMED_CUES), cues))
        for cue in first:
            if isinstance(cue, c.Earcon):
                self._voice.play_earcon(cue.sound)
        cues = (*(cue for cue in first if not isinstance(cue, c.Earcon)), *cues[len(first) :])
        self._voice.prepare(piece for cue in cues if isinstance(cue, c.Say) for piece in cue.pieces)
        with self._changed:
            if self._error is not None:
                raise self._error
            for cue in cues:
                if isinstance(cue, c.StopSpeaking) or (isinstance(cue, c.Say) and cue.urgent):
                    self._drop_words()
                elif isinstance(cue, c.StopStory):
                    self._drop_story()
                if not isinstance(cue, c.StopSpeaking | c.StopStory | c.Expect | c.Whisper):
                    self._waiting.append(cue)
            self._changed.notify_all()
        for cue in cues:
            # The grammar and the ghost's whispers must not wait for the end of a line.
            if isinstance(cue, c.Expect):
                self._expect(cue)
            elif isinstance(cue, c.Whisper):
                self._show(cue)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until everything is performed; return False if that takes longer than *timeout* seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._performing and not self._waiting, timeout)

    def close(self) -> None:
        """End at once; calling it again does nothing."""
        with self._changed:
            self._closing.set()
            self._drop_words()
            self._waiting.clear()
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=JOIN_TIMEOUT_S)

    def _drop_words(self) -> None:
        """Drop all words that are waiting or being said; knocks and lights stay."""
        self._waiting = deque(cue for cue in self._waiting if not isinstance(cue, c.Say | c.Pause | c.RepeatLine))
        self._hushed.set()
        self._voice.hush()

    def _drop_story(self) -> None:
        """Drop what is waiting or being said of the long opening; all else stays."""
        self._waiting = deque(cue for cue in self._waiting if not _is_of_story(cue))
        if self._current is not None and _is_of_story(self._current):
            self._hushed.set()
            self._voice.hush()

    def _run(self) -> None:
        try:
            while (cue := self._next()) is not None:
                self._show(cue)
                self._perform(cue)
        except BaseException as error:
            self._error = error
            raise
        finally:
            with self._changed:
                self._performing = False
                self._waiting.clear()
                self._changed.notify_all()

    def _next(self) -> Cue | None:
        """Return the next cue, skipping idle lines that others are waiting behind; None when closing."""
        with self._changed:
            while True:
                self._performing, self._current = False, None
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._closing.is_set() or bool(self._waiting))
                if self._closing.is_set():
                    return None
                cue = self._waiting.popleft()
                if isinstance(cue, c.Say) and cue.idle and self._waiting:
                    continue
                self._performing, self._current = True, cue
                self._hushed.clear()
                return cue

    @singledispatchmethod
    def _perform(self, cue: Cue) -> None:
        """Perform *cue*; cues that are only shown need no handler."""

    @_perform.register
    def _perform_say(self, cue: c.Say) -> None:
        self._last_said = cue
        for at, piece in enumerate(cue.pieces):
            if at:
                self._rest(cue.gap_s)
            if not self._hushed.is_set():
                self._voice.say(piece)

    @_perform.register
    def _perform_repeat_line(self, _cue: c.RepeatLine) -> None:
        if self._last_said is not None and self._last_said.gap_s:
            self._perform_say(self._last_said)
        else:
            self._voice.say_again()

    @_perform.register
    def _perform_pause(self, cue: c.Pause) -> None:
        self._rest(cue.seconds)

    def _rest(self, seconds: float) -> None:
        """Wait *seconds*, or until the words are dropped."""
        self._hushed.wait(seconds)

    @_perform.register
    def _perform_knock(self, cue: c.Knock) -> None:
        self._closing.wait(self._body.knock(cue.says, cue.count))

    @_perform.register
    def _perform_show_hour(self, cue: c.ShowHour) -> None:
        self._body.show_hour(cue.hour, struck=cue.struck)

    @_perform.register
    def _perform_show_sand(self, cue: c.ShowSand) -> None:
        self._body.show_sand(cue.left, cue.of, running=cue.running)

    @_perform.register
    def _perform_show_psychics(self, cue: c.ShowPsychics) -> None:
        self._body.show_psychics(cue)

    @_perform.register
    def _perform_earcon(self, cue: c.Earcon) -> None:
        self._voice.play_earcon(cue.sound)

    @_perform.register
    def _perform_set_ambience(self, cue: c.SetAmbience) -> None:
        self._voice.set_ambience(cue.mood)

    @_perform.register
    def _perform_change_volume(self, cue: c.ChangeVolume) -> None:
        self._voice.change_volume(cue.steps)

    @_perform.register
    def _perform_enrol(self, cue: c.Enrol) -> None:
        self._enrol(cue)

    @_perform.register
    def _perform_mark(self, cue: c.Mark) -> None:
        self._on_mark(cue)


def _is_of_story(cue: Cue) -> bool:
    return isinstance(cue, c.Say | c.Pause) and cue.story
