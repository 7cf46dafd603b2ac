"""The table of a demonstration night: it passes what guests say and type to the evening, on simulated time."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Protocol

from seance.audio.waves import Wave
from seance.daemon.evening import Evening
from seance.daemon.signals import Heard, Signal, StepTold, Tick, Typed
from seance.demo.acoustics import GuestVoices, NoisyRecogniser
from seance.narration import cues as c
from seance.narration.cues import Cue
from seance.rules import Psychic
from seance.speech.engines import CannotSpeak

log = logging.getLogger(__name__)

LETTERS_PER_SECOND = 14.0
"""The speed of the narrator, roughly."""
TYPING_SECONDS = 4.0
KNOCK_INTERVAL_SECONDS = {
    c.KnockMeaning.YES: 1.0,
    c.KnockMeaning.NO: 0.7,
    c.KnockMeaning.HOUR: 0.9,
    c.KnockMeaning.HEARTBEAT: 1.0,
    c.KnockMeaning.CALL: 0.4,
}


class Audience(Protocol):
    """Whoever watches the demonstration."""

    def prepare(self, cues: tuple[Cue, ...]) -> None:
        """Make ready what *cues*, which come next, will sound like."""

    def perceive(self, cue: Cue) -> None:
        """Show or play *cue*."""

    def hear_guest(self, guest: Psychic, words: str, wave: Wave | None, *, aside: bool) -> None:
        """Show or play what *guest* says, or types where there is no *wave*."""

    def show_recognition(self, text: str, *, meant: bool) -> None:
        """Show the *text* that was recognised, and whether it was *meant* for the house."""

    def wait(self, seconds: float) -> None:
        """Let *seconds* of the simulated time pass."""


@dataclass(frozen=True, slots=True)
class SpokenInput:
    """The guests' voices, and the recogniser that hears them."""

    voices: GuestVoices
    recogniser: NoisyRecogniser


class DemoTable:
    """An evening, and the guests who speak and type at it."""

    def __init__(self, evening: Evening, audience: Audience, spoken_input: SpokenInput | None = None) -> None:
        """Without *spoken_input* every word is typed."""
        self.evening, self.spoken_input = evening, spoken_input
        self.now = 0.0
        """Simulated seconds since the evening was opened, whatever the speed of the demonstration."""
        self._audience = audience

    def open(self) -> None:
        """Let the house welcome its guests."""
        self._perform(self.evening.open(self.now))

    def give(self, signal: Signal) -> tuple[Cue, ...]:
        """Pass *signal* to the evening, perform its cues and return them."""
        cues = self.evening.receive(signal, self.now)
        self._perform(cues)
        return cues

    def wait(self, seconds: float) -> None:
        """Let *seconds* pass in which somebody is speaking."""
        self.now += seconds
        self._audience.wait(seconds)
        self.give(Tick(silent=False))

    def speak(self, guest: Psychic, words: str, *, aside: bool = False) -> tuple[Cue, ...]:
        """Let *guest* say *words*, or type them without a voice; return the cues of what was recognised."""
        if self.spoken_input is None:
            return self.type(guest, words)
        try:
            wave = self.spoken_input.voices.say(guest, words)
        except CannotSpeak as trouble:
            log.warning("%s has no voice: %s", guest, trouble)
            return self.type(guest, words)
        self._audience.hear_guest(guest, words, wave, aside=aside)
        self.wait(wave.seconds)
        cues: tuple[Cue, ...] = ()
        for heard in self.spoken_input.recogniser.hear(wave, aside=aside):
            self._audience.show_recognition(heard.text, meant=heard.intent is not None)
            cues += self.give(Heard(heard.text, heard.intent, heard.confidence))
        return cues

    def type(self, guest: Psychic, words: str) -> tuple[Cue, ...]:
        """Let *guest* type *words*; return the cues."""
        self._audience.hear_guest(guest, words, None, aside=False)
        self.wait(TYPING_SECONDS)
        return self.give(Typed(words))

    def _perform(self, cues: tuple[Cue, ...]) -> None:
        self._audience.prepare(cues)
        for cue in cues:
            if isinstance(cue, c.Expect):
                if self.spoken_input is not None:
                    self.spoken_input.recogniser.expect(cue)
                continue
            self._audience.perceive(cue)
            if seconds := cue_seconds(cue):
                self.now += seconds
                self._audience.wait(seconds)
        for mark in (cue for cue in cues if isinstance(cue, c.Mark)):
            self.give(StepTold(mark.night, mark.step))


def cue_seconds(cue: Cue) -> float:
    """Return the seconds that it takes to perform *cue*."""
    match cue:
        case c.Say():
            return len(cue.text) / LETTERS_PER_SECOND + cue.gap_s * (len(cue.pieces) - 1)
        case c.Pause():
            return cue.seconds
        case c.Knock():
            return 1.0 + KNOCK_INTERVAL_SECONDS[cue.says] * cue.count
    return 0.0
