"""Performs cues one after the other, on a thread of its own, through a voice and a body."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import singledispatchmethod
from itertools import takewhile
from types import TracebackType
from typing import Protocol, Self

from seance.narration import cues as c
from seance.narration.cues import Cue
from seance.narration.lore import NARRATOR

_TIMED_CUES = c.Say | c.RepeatLine | c.TellUntold | c.Pause | c.Knock

READING_CHARS_PER_S = 15.0
"""How fast a line is read from across a table, as subtitles are."""
MIN_READING_S = 1.2
JOIN_TIMEOUT_S = 1.5
"""Seconds to wait for the current cue when closing."""

log = logging.getLogger(__name__)


class VoiceOutput(Protocol):
    """Speaks lines and plays sounds."""

    def say(self, text: str, who: str = NARRATOR) -> bool:
        """Say *text* in the voice of *who* and return when it has been played, or when `hush` is called.

        Return False if nobody could hear it.
        """

    def prepare(self, texts: Iterable[str], who: str = NARRATOR) -> None:
        """Synthesize *texts* of *who* ahead of time."""

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


@dataclass(frozen=True, slots=True)
class _ShownLine(Cue):
    """A line that was cut off before its turn: it is shown in its turn, and not said."""

    line: c.Say


class CuePerformer:
    """Performs cues in order, so that no knock falls into a sentence; `perform` never waits."""

    def __init__(
        self,
        voice: VoiceOutput,
        body: BodyOutput,
        *,
        expect: Callable[[c.Expect], None] = lambda _: None,
        enrol: Callable[[c.Enrol | c.MoveChair | c.ForgetVoice], None] = lambda _: None,
        listen: Callable[[c.Listen], None] = lambda _: None,
        on_mark: Callable[[c.Mark], None] = lambda _: None,
        show: Callable[[Cue], None] = lambda _: None,
        reading_speed: float = 0.0,
    ) -> None:
        """Give the recogniser's cues to *expect*, *enrol* and *listen*, marks to *on_mark*, and all to *show*.

        A line that nobody could hear stays as long as reading takes, *reading_speed* times as fast; 0 is not at all.
        """
        self._reading_speed = reading_speed
        self._voice, self._body, self._show = voice, body, show
        self._expect, self._enrol, self._listen, self._on_mark = expect, enrol, listen, on_mark
        self._waiting: deque[Cue] = deque()
        self._changed = threading.Condition()
        self._performing = False
        self._current: Cue | None = None
        """What is being performed."""
        self._last_said: c.Say | None = None
        self._untold: deque[c.Say] = deque()
        """The lines that were cut off last: the first while it was being said, the others before their turn."""
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

        A hush or an urgent line cuts off the words before it, which are still shown in their turn and can be told by
        TellUntold; a skip drops the story. Earcons that come first play at once.
        An error on the performing thread is raised here.
        """
        cues = tuple(cues)
        first = tuple(takewhile(lambda cue: not isinstance(cue, _TIMED_CUES), cues))
        for cue in first:
            if isinstance(cue, c.Earcon):
                self._voice.play_earcon(cue.sound)
        cues = (*(cue for cue in first if not isinstance(cue, c.Earcon)), *cues[len(first) :])
        for cue in cues:
            if isinstance(cue, c.Say):
                self._voice.prepare(cue.pieces, cue.voice)
        with self._changed:
            if self._error is not None:
                raise self._error
            for cue in cues:
                if isinstance(cue, c.StopSpeaking) or (isinstance(cue, c.Say) and cue.urgent):
                    self._cut_words()
                elif isinstance(cue, c.StopStory):
                    self._drop_story()
                if not isinstance(cue, c.StopSpeaking | c.StopStory | c.Expect | c.Listen | c.Whisper):
                    self._waiting.append(cue)
            self._changed.notify_all()
        for cue in cues:
            # The grammar and the ghost's whispers must not wait for the end of a line.
            if isinstance(cue, c.Expect):
                self._expect(cue)
            elif isinstance(cue, c.Listen):
                self._listen(cue)
                self._show(cue)
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
            self._hush()
            self._waiting.clear()
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=JOIN_TIMEOUT_S)

    def _cut_words(self) -> None:
        """Cut off all words that are waiting or being said, and keep them as untold; knocks and lights stay."""
        waiting = [cue for cue in self._waiting if isinstance(cue, c.Say) and not cue.idle]
        being_said = [self._current] if isinstance(self._current, c.Say) and not self._hushed.is_set() else []
        if not isinstance(self._current, c.TellUntold) and (being_said or waiting):
            self._untold.clear()
        self._untold.extend(being_said + waiting)
        self._waiting = deque(
            _ShownLine(cue) if isinstance(cue, c.Say) else cue
            for cue in self._waiting
            if not isinstance(cue, c.Pause | c.RepeatLine | c.TellUntold) and not (isinstance(cue, c.Say) and cue.idle)
        )
        self._hush()

    def _hush(self) -> None:
        self._hushed.set()
        self._voice.hush()

    def _drop_story(self) -> None:
        """Drop what is waiting or being said of the long opening; all else stays."""
        self._waiting = deque(cue for cue in self._waiting if not _is_of_story(cue))
        self._untold = deque(line for line in self._untold if not line.story)
        if self._current is not None and _is_of_story(self._current):
            self._hush()

    def _run(self) -> None:
        try:
            while (cue := self._next()) is not None:
                self._show(cue.line if isinstance(cue, _ShownLine) else cue)
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
                if isinstance(cue, c.Say) and cue.idle and not all(map(_is_of_story, self._waiting)):
                    self._drop_story()
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
        self._speak(cue)

    def _speak(self, cue: c.Say) -> None:
        for at, piece in enumerate(cue.pieces):
            if at:
                self._rest(cue.gap_s)
            if not self._hushed.is_set() and not self._voice.say(piece, cue.voice) and self._reading_speed:
                self._rest(reading_time_s(piece) / self._reading_speed)

    @_perform.register
    def _perform_repeat_line(self, _cue: c.RepeatLine) -> None:
        with self._changed:
            is_cut_off = bool(self._untold) and self._untold[0] is self._last_said
        if is_cut_off:
            self._perform_tell_untold(c.TellUntold())
        elif self._last_said is not None and self._last_said.gap_s:
            self._perform_say(self._last_said)
        else:
            self._voice.say_again()

    @_perform.register
    def _perform_tell_untold(self, _cue: c.TellUntold) -> None:
        """Say the lines that were cut off, which screens have shown before; what is cut off again stays untold."""
        while self._untold:
            line = self._untold[0]
            self._perform_say(line)
            with self._changed:
                if self._hushed.is_set():
                    return
                self._untold.popleft()

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

    @_perform.register(c.Enrol)
    @_perform.register(c.MoveChair)
    @_perform.register(c.ForgetVoice)
    def _perform_enrol(self, cue: c.Enrol | c.MoveChair | c.ForgetVoice) -> None:
        self._enrol(cue)

    @_perform.register
    def _perform_mark(self, cue: c.Mark) -> None:
        self._on_mark(cue)


def reading_time_s(text: str) -> float:
    """Return how long it takes to read *text*, in seconds."""
    return max(MIN_READING_S, len(text) / READING_CHARS_PER_S)


def _is_of_story(cue: Cue) -> bool:
    return isinstance(cue, c.Say | c.Pause) and cue.story
