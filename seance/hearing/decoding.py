"""Decodes one utterance: its partial result, its n-best hypotheses, and those of a second pass."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import vosk
from numpy.typing import NDArray

from seance.audio.formats import SPEECH_RATE_HZ, Samples
from seance.hearing.noise_reduction import FRAME_S, Frame

N_BEST = 30
"""How many hypotheses a pass returns at most."""
TARGET_LOUDNESS_DB = -26.0
"""The loudness in dBFS to which a voice is amplified: the model knows others less well."""
RESTART_LOUDER_DB = 12.0
"""Decibels by which a voice exceeds the loudness it was amplified for, from which on decoding starts again."""
ATTENUATION = np.float32(0.1)
"""The gain of sound around the speech."""
RAW_GAIN = np.float32(0.7)
"""The gain of sound before noise reduction, which is louder by the noise."""
FLUSH_SILENCE_S = 0.35
"""Seconds of near silence after which the decoder has processed all that was before."""
DITHER_SEED = 1

_FLUSH_SILENCE = (
    np.random.default_rng(2).integers(-2, 3, round(FLUSH_SILENCE_S * SPEECH_RATE_HZ)).astype("<i2").tobytes()
)


class TimedWord(NamedTuple):
    """A word and when it was said, in seconds from the start of the utterance."""

    word: str
    begin_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A text that an utterance could be."""

    text: str
    posterior: float
    """How likely it is among the hypotheses of its pass, from 0 to 1."""
    words: tuple[TimedWord, ...] = ()


class Utterance:
    """One utterance while it is being decoded, and after."""

    def __init__(self, model: vosk.Model, *, loudness_db: float) -> None:
        self._model = model
        self._partial_text: str | None = None
        self._decoded: list[Samples] = []
        self._pending: list[Samples] = []
        self._frames: list[Frame] = []
        self._likeliest: Hypothesis | None = None
        self.hypotheses: Sequence[Hypothesis] = ()
        """The result of finish(), the likeliest first."""
        self._start_decoder(loudness_db)

    def _start_decoder(self, loudness_db: float) -> None:
        """Decode from the first frame on, with the gain for a voice of that loudness."""
        self._decoder = vosk.KaldiRecognizer(self._model, SPEECH_RATE_HZ)
        self._decoder.SetMaxAlternatives(N_BEST)
        self._decoder.SetWords(True)
        self._loudness_db = loudness_db
        self._gain = np.float32(10 ** ((TARGET_LOUDNESS_DB - loudness_db) / 20))
        # The model was trained on dithered sound; a fixed seed makes decoding reproducible.
        self._dither = np.random.default_rng(DITHER_SEED)
        self._pending, self._decoded = [*self._decoded, *self._pending], []
        self._blocks: list[bytes] = []

    def add_frame(self, frame: Frame, *, attenuated: bool = False) -> None:
        """Take in a frame, *attenuated* where it is a pause."""
        self._pending.append(frame.denoised * ATTENUATION if attenuated else frame.denoised)
        self._frames.append(frame)
        self._likeliest = self._likeliest if attenuated else None

    def decode_pending(self) -> None:
        """Decode the frames that were added since the last call."""
        if self._pending:
            loudest_db = max(frame.loudness_db for frame in self._frames[-len(self._pending) :])
            if loudest_db > self._loudness_db + RESTART_LOUDER_DB:
                # A breath or a click in a quiet room would set the gain, and the voice would be far too loud.
                self._start_decoder(loudest_db)
            self._decoded += self._pending
            self._blocks.append(self._to_samples(np.concatenate(self._pending) * self._gain))
            self._pending.clear()
            self._decoder.AcceptWaveform(self._blocks[-1])
            self._partial_text = None

    def partial_text(self) -> str:
        """Return the words decoded so far."""
        self.decode_pending()
        if self._partial_text is None:
            self._partial_text = str(json.loads(self._decoder.PartialResult())["partial"])
        return self._partial_text

    def likeliest(self) -> Hypothesis:
        """Return the likeliest hypothesis if nothing more is said; the partial text lacks the last few tenths."""
        if self._likeliest is None:
            self.decode_pending()
            decoder = vosk.KaldiRecognizer(self._model, SPEECH_RATE_HZ)
            decoder.SetMaxAlternatives(N_BEST)
            decoder.AcceptWaveform(b"".join(self._blocks) + _FLUSH_SILENCE)
            self._likeliest = _parse_result(decoder.FinalResult())[0]
        return self._likeliest

    def finish(self) -> Sequence[Hypothesis]:
        """Return the hypotheses of the first pass, the likeliest first; no frames may be added after it."""
        self.decode_pending()
        self._decoder.AcceptWaveform(_FLUSH_SILENCE)
        self.hypotheses = _parse_result(self._decoder.Result())
        return self.hypotheses

    def decode_again(self) -> Sequence[Hypothesis]:
        """Return the hypotheses of a second pass, adapted to the voice and with half the noise reduction."""
        denoised = np.frombuffer(b"".join(self._blocks), "<i2").astype(np.float32) / 32767
        half: Samples = (denoised + self.raw_sound() * self._gain * RAW_GAIN) * np.float32(0.5)
        # Result() without FinalResult() keeps the i-vector that the decoder has adapted.
        self._decoder.AcceptWaveform(self._to_samples(half) + _FLUSH_SILENCE)
        return _parse_result(self._decoder.FinalResult())

    def cut(self, begin: int, end: int) -> Utterance:
        """Return the frames from *begin* to *end* as an utterance of their own."""
        part = Utterance(self._model, loudness_db=self._loudness_db)
        for frame in self._frames[begin:end]:
            part.add_frame(frame)
        return part

    @classmethod
    def join(cls, earlier: Utterance, later: Utterance, *, trim_s: float) -> Utterance:
        """Return two utterances as one, without the last *trim_s* seconds of the earlier."""
        kept = earlier._frames[: len(earlier._frames) - max(0, round(trim_s / FRAME_S))]
        joined = cls(later._model, loudness_db=max(earlier._loudness_db, later._loudness_db))
        for frame in (*kept, *later._frames):
            joined.add_frame(frame)
        return joined

    def raw_sound(self) -> Samples:
        """Return the sound before noise reduction."""
        return np.concatenate([frame.raw for frame in self._frames])

    def levels_db(self) -> NDArray[np.float64]:
        """Return the level of each frame in dBFS."""
        return np.array([frame.level_db for frame in self._frames])

    @property
    def duration_s(self) -> float:
        """How long the decoded sound is."""
        return sum(map(len, self._blocks)) / (2 * SPEECH_RATE_HZ)

    def voiceprint(self, speaker_model: vosk.SpkModel) -> tuple[float, ...] | None:
        """Return the speaker's x-vector, or None when there was too little speech."""
        decoder = vosk.KaldiRecognizer(self._model, SPEECH_RATE_HZ)
        decoder.SetSpkModel(speaker_model)
        decoder.AcceptWaveform(b"".join(self._blocks))
        vector = json.loads(decoder.FinalResult()).get("spk")
        return tuple(vector) if vector else None

    def _to_samples(self, sound: Samples) -> bytes:
        """Return *sound* as dithered 16-bit samples."""
        dither = self._dither.standard_normal(sound.size, np.float32)
        samples: bytes = np.clip(sound * 32767 + dither, -32768, 32767).astype("<i2").tobytes()
        return samples


def _parse_result(result: str) -> list[Hypothesis]:
    """Return the alternatives of a vosk result with their posteriors, the likeliest first."""
    alternatives = sorted(json.loads(result)["alternatives"], key=lambda found: -found["confidence"])
    likelihoods = [math.exp(found["confidence"] - alternatives[0]["confidence"]) for found in alternatives]
    total = sum(likelihoods)
    return [
        Hypothesis(found["text"], likelihood / total, _timed_words(found))
        for found, likelihood in zip(alternatives, likelihoods, strict=True)
    ]


def _timed_words(alternative: dict[str, Any]) -> tuple[TimedWord, ...]:
    return tuple(TimedWord(each["word"], each["start"], each["end"]) for each in alternative.get("result", ()))
