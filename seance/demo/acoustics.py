"""The guests' speech, rendered with room noise and fed to the real recogniser."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import numpy as np

from seance.audio.files import BadAudioFile, read_wave
from seance.audio.formats import SPEECH_RATE_HZ, Samples
from seance.audio.waves import Wave
from seance.demo.cast import GuestVoice
from seance.dialogue.grammar.sentences import Sentences
from seance.hearing.active_grammar import Grammar
from seance.hearing.recogniser import Recogniser
from seance.hearing.recognition import Recognition
from seance.narration.cues import Expect
from seance.rules import Psychic
from seance.speech.engines import CannotSpeak, Espeak, SpeechEngine
from seance.speech.kokoro import Kokoro, KokoroProcess
from seance.speech.pauses import trim_silence
from seance.speech.render_queue import Priority, RenderQueue

BLOCK_SAMPLES = SPEECH_RATE_HZ // 20
"""The size of the blocks that a microphone delivers."""
LEAD_SECONDS = 0.5
"""The noise before a sentence."""
TAIL_SECONDS = 2.0
"""The noise after a sentence, at most."""
GUEST_PEAK = 0.3
"""The peak of a guest's voice, of full scale."""
ASIDE_GAIN = 0.5
"""The gain of a guest who speaks to a neighbour."""
NOISE_RMS = 0.0012
"""The noise of the room, about 30 dB below a guest."""


class GuestVoices:
    """The voices of the guests, one for each; natural ones where there is a *kokoro*."""

    def __init__(
        self,
        voices: Mapping[Psychic, GuestVoice],
        kokoro: KokoroProcess | None = None,
        *,
        queue: RenderQueue | None = None,
        respelt: Mapping[str, str] | None = None,
    ) -> None:
        """*respelt* has other spellings for Kokoro, by word in lower case.

        Where *kokoro* has a *queue*, a guest waits there for what somebody else waits for, and goes before the rest.
        """
        self._engines = {psychic: _make_engine(voice, kokoro, respelt) for psychic, voice in voices.items()}
        self._queue = queue
        self._rendered: dict[tuple[Psychic, str], Wave] = {}

    def say(self, guest: Psychic, words: str) -> Wave:
        """Return *words* in the voice of *guest* at SPEECH_RATE_HZ, or raise CannotSpeak."""
        key = (guest, words)
        if key not in self._rendered:
            render = partial(self._render, guest, words)
            wave = render() if self._queue is None else self._queue.submit(Priority.NOW, key, render).result()
            self._rendered[key] = wave
        return self._rendered[key]

    def _render(self, guest: Psychic, words: str) -> Wave:
        with tempfile.TemporaryDirectory(prefix="seance-guest-") as folder:
            wav = Path(folder, "said.wav")
            self._engines[guest].render(words, wav)
            try:
                wave = trim_silence(read_wave(wav)).resample(SPEECH_RATE_HZ)
            except BadAudioFile as bad:
                raise CannotSpeak(str(bad)) from None
        peak = float(np.abs(wave.samples).max(initial=1e-9))
        return Wave(wave.samples * np.float32(GUEST_PEAK / peak), SPEECH_RATE_HZ)


def _make_engine(voice: GuestVoice, kokoro: KokoroProcess | None, respelt: Mapping[str, str] | None) -> SpeechEngine:
    natural = voice.natural
    if kokoro is None or natural is None:
        return Espeak(voice.voice, voice.rate)
    return Kokoro(kokoro, natural.voice, natural.rate, language=natural.accent, respelt=respelt)


class NoisyRecogniser:
    """The recogniser in a room with background noise."""

    def __init__(
        self,
        recogniser: Recogniser,
        sentences: Sentences,
        build_grammar: Callable[[Sentences], Grammar],
        *,
        chance: Random,
    ) -> None:
        self._recogniser, self._sentences, self._build_grammar = recogniser, sentences, build_grammar
        self._room_noise = _make_room_noise(chance.getrandbits(32))
        self._noise_position = 0
        self._next: Expect | None = None
        self._expected: Expect | None = None

    def expect(self, cue: Expect) -> None:
        """Recognise what *cue* expects, from the next sentence on."""
        self._next = cue

    def hear(self, wave: Wave, *, aside: bool = False) -> Iterator[Recognition]:
        """Yield what is recognised in *wave*, said to the house or *aside* to a neighbour."""
        if self._next is not None and self._next != self._expected:
            # Not at each cue: most are replaced before anybody speaks, and compiling a grammar takes its time.
            self._narrow(self._next)
            self._expected = self._next
        samples = wave.samples * np.float32(ASIDE_GAIN if aside else 1.0)
        before = np.zeros(round(LEAD_SECONDS * SPEECH_RATE_HZ), np.float32)
        after = np.zeros(round(TAIL_SECONDS * SPEECH_RATE_HZ), np.float32)
        speech_end = len(before) + len(samples)
        sound = np.concatenate([before, samples, after])
        for start in range(0, len(sound), BLOCK_SAMPLES):
            block = sound[start : start + BLOCK_SAMPLES]
            heard = list(self._recogniser.feed(block + self._next_noise(len(block))))
            yield from heard
            if heard and start > speech_end:
                return

    def close(self) -> None:
        """Close the recogniser."""
        self._recogniser.close()

    def _narrow(self, cue: Expect) -> None:
        """Restrict the recogniser to what *cue* expects, and wait until it is done."""
        grammar = self._build_grammar(cue.intents.narrow(self._sentences))
        self._recogniser.set_grammar(replace(grammar, prior=cue.intents.prior), wait=True)

    def _next_noise(self, count: int) -> Samples:
        self._noise_position = (self._noise_position + count) % (len(self._room_noise) - count)
        return self._room_noise[self._noise_position : self._noise_position + count]


def _make_room_noise(seed: int) -> Samples:
    """Return ten seconds of pink noise, flat below 20 Hz, with the level NOISE_RMS."""
    white = np.random.default_rng(seed).standard_normal(10 * SPEECH_RATE_HZ)
    spectrum = np.fft.rfft(white)
    spectrum /= np.sqrt(np.maximum(np.arange(spectrum.size), 200))
    noise = np.fft.irfft(spectrum, white.size)
    return np.asarray(noise / noise.std() * NOISE_RMS, np.float32)
