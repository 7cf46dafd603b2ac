"""The house and its guests around a clock that nobody waits for; what they say and do is decided elsewhere."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Protocol

from seance.audio.waves import Wave
from seance.daemon.evening import Evening
from seance.daemon.signals import Heard, Passed, Signal, Told, Typed
from seance.demo.acoustics import Hearing, Throats
from seance.narration import cues as c
from seance.narration.cues import Cue
from seance.rules import Psychic
from seance.speech.engines import CannotSpeak

log = logging.getLogger(__name__)

LETTERS_A_SECOND = 14.0
"""Of the narrator, roughly."""
TYPING_SECONDS = 4.0
BETWEEN_KNOCKS = {
    c.KnockMeaning.YES: 1.0,
    c.KnockMeaning.NO: 0.7,
    c.KnockMeaning.HOUR: 0.9,
    c.KnockMeaning.HEARTBEAT: 1.0,
}


class Audience(Protocol):
    """Who watches the night."""

    def perceive(self, cue: Cue) -> None:
        """Take in what the room perceives."""

    def listen(self, guest: Psychic, words: str, wave: Wave | None, *, aside: bool) -> None:
        """Hear a guest speak; one who makes no *wave* types."""

    def overhear(self, text: str, *, meant: bool) -> None:
        """Learn what the ear made of it, and whether it means anything to the house."""

    def wait(self, seconds: float) -> None:
        """Let time pass."""


@dataclass(frozen=True, slots=True)
class Voices:
    """How guests are heard: their throats, and the ear of the house."""

    throats: Throats
    hearing: Hearing


class Table:
    """One evening, played by what is spoken and typed at it."""

    def __init__(self, evening: Evening, audience: Audience, voices: Voices | None = None) -> None:
        """Without *voices* every word is typed."""
        self.evening, self.voices = evening, voices
        self.now = 0.0
        """Seconds since the evening was opened; the same at any speed of the demonstration."""
        self._audience = audience

    def open(self) -> None:
        """Let the house welcome its guests."""
        self._perform(self.evening.open(self.now))

    def give(self, signal: Signal) -> tuple[Cue, ...]:
        """Let the house receive *signal*; return what the room perceived of it."""
        cues = self.evening.receive(signal, self.now)
        self._perform(cues)
        return cues

    def wait(self, seconds: float) -> None:
        """Let time pass in which somebody speaks."""
        self.now += seconds
        self._audience.wait(seconds)
        self.give(Passed(silent=False))

    def speak(self, guest: Psychic, words: str, *, aside: bool = False) -> tuple[Cue, ...]:
        """Let *guest* say *words*, and the house do what it makes of them; one without a voice types."""
        if self.voices is None:
            return self.type(guest, words)
        try:
            wave = self.voices.throats.say(guest, words)
        except CannotSpeak as trouble:
            log.warning("%s has no voice: %s", guest, trouble)
            return self.type(guest, words)
        self._audience.listen(guest, words, wave, aside=aside)
        self.wait(wave.seconds)
        cues: tuple[Cue, ...] = ()
        for heard in self.voices.hearing.hear(wave, aside=aside):
            self._audience.overhear(heard.text, meant=heard.intent is not None)
            cues += self.give(Heard(heard.text, heard.intent, heard.confidence))
        return cues

    def type(self, guest: Psychic, words: str) -> tuple[Cue, ...]:
        """Let *guest* type *words*."""
        self._audience.listen(guest, words, None, aside=False)
        self.wait(TYPING_SECONDS)
        return self.give(Typed(words))

    def _perform(self, cues: tuple[Cue, ...]) -> None:
        for cue in cues:
            if isinstance(cue, c.Expect):
                if self.voices is not None:
                    self.voices.hearing.expect(cue)
                continue
            self._audience.perceive(cue)
            if seconds := lasts(cue):
                self.now += seconds
                self._audience.wait(seconds)
        for mark in (cue for cue in cues if isinstance(cue, c.Mark)):
            self.give(Told(mark.night, mark.step))


def lasts(cue: Cue) -> float:
    """Return how long the room is busy with *cue* (seconds)."""
    match cue:
        case c.Say():
            return len(cue.text) / LETTERS_A_SECOND
        case c.Pause():
            return cue.seconds
        case c.Knock():
            return 1.0 + BETWEEN_KNOCKS[cue.says] * cue.count
    return 0.0
