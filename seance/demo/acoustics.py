"""Guests' words as sound in a room, and what the real ear makes of it; what follows is decided elsewhere."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from seance.audio.files import BadAudioFile, read_wave
from seance.audio.formats import SPEECH_RATE_HZ, Samples
from seance.audio.waves import Wave
from seance.demo.cast import Throat
from seance.dialogue.grammar.sentences import Sentences
from seance.hearing.decoding import Expected
from seance.hearing.recogniser import Ear, Heard
from seance.narration.cues import Expect
from seance.rules import Psychic
from seance.speech.effects import trim_silence
from seance.speech.engines import CannotSpeak, Espeak

BLOCK = SPEECH_RATE_HZ // 20
"""Samples that a microphone hands over at once."""
LEAD, TAIL = 0.5, 2.0
"""Seconds of the room before a sentence, and at most after it."""
LOUDNESS = 0.3
"""The peak of a guest at the table, of full scale."""
FARTHER = 0.5
"""How loud a guest is who speaks to a neighbour, beside one who speaks to the house."""
ROOM_LEVEL = 0.0012
"""The noise of the room, about thirty decibels under a guest."""


class Throats:
    """The voices of the guests, each with a throat of their own."""

    def __init__(self, throats: Mapping[Psychic, Throat]) -> None:
        self._engines = {psychic: Espeak(throat.voice, throat.rate) for psychic, throat in throats.items()}
        self._spoken: dict[tuple[Psychic, str], Wave] = {}

    def say(self, guest: Psychic, words: str) -> Wave:
        """Return *words* as *guest* says them, at the rate of the ear; or raise CannotSpeak."""
        key = (guest, words)
        if key not in self._spoken:
            with tempfile.TemporaryDirectory(prefix="seance-guest-") as folder:
                wav = Path(folder, "said.wav")
                self._engines[guest].render(words, wav)
                try:
                    wave = trim_silence(read_wave(wav)).resample(SPEECH_RATE_HZ)
                except BadAudioFile as bad:
                    raise CannotSpeak(str(bad)) from None
            loudest = float(np.abs(wave.samples).max(initial=1e-9))
            self._spoken[key] = Wave(wave.samples * np.float32(LOUDNESS / loudest), SPEECH_RATE_HZ)
        return self._spoken[key]


class Hearing:
    """The ear of the house in a room that is never quite silent."""

    def __init__(
        self, ear: Ear, sentences: Sentences, as_expected: Callable[[Sentences], Expected], *, chance: Random
    ) -> None:
        self._ear, self._sentences, self._as_expected = ear, sentences, as_expected
        self._room = _room_noise(chance.getrandbits(32))
        self._at = 0
        self._next: Expect | None = None
        self._expected: Expect | None = None

    def expect(self, cue: Expect) -> None:
        """Hear what may be said now, from the next sentence on."""
        self._next = cue

    def hear(self, wave: Wave, *, aside: bool = False) -> Iterator[Heard]:
        """Yield what is heard of *wave*, said to the house or *aside* to a neighbour."""
        if self._next is not None and self._next != self._expected:
            # Not at each cue: much that the house expects is over before anybody speaks, and narrowing takes its time.
            self._narrow(self._next)
            self._expected = self._next
        samples = wave.samples * np.float32(FARTHER if aside else 1.0)
        before, after = (
            np.zeros(round(LEAD * SPEECH_RATE_HZ), np.float32),
            np.zeros(round(TAIL * SPEECH_RATE_HZ), np.float32),
        )
        spoken = len(before) + len(samples)
        sound = np.concatenate([before, samples, after])
        for at in range(0, len(sound), BLOCK):
            heard = list(self._ear.feed(sound[at : at + BLOCK] + self._noise(len(sound[at : at + BLOCK]))))
            yield from heard
            if heard and at > spoken:
                return

    def close(self) -> None:
        """Let go of the ear."""
        self._ear.close()

    def _narrow(self, cue: Expect) -> None:
        """Narrow the ear to *cue*, and wait until it is."""
        expected = self._as_expected(cue.now.narrow(self._sentences))
        self._ear.expect(replace(expected, fits=cue.now.prior), wait=True)

    def _noise(self, count: int) -> Samples:
        self._at = (self._at + count) % (len(self._room) - count)
        return self._room[self._at : self._at + count]


def _room_noise(seed: int) -> Samples:
    """Return ten seconds of a room with a fire and a draught: noise that is the louder the lower it is."""
    white = np.random.default_rng(seed).standard_normal(10 * SPEECH_RATE_HZ)
    spectrum = np.fft.rfft(white)
    spectrum /= np.sqrt(np.maximum(np.arange(spectrum.size), 200))
    noise = np.fft.irfft(spectrum, white.size)
    return np.asarray(noise / noise.std() * ROOM_LEVEL, np.float32)
