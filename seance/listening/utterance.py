"""One stretch of speech while it is being heard: its words so far, and the verdict at its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import vosk

from seance.listening.cleaning import RATE, Frame
from seance.listening.endpoint import Standing
from seance.listening.grammar import WordGraph

LOUDNESS = -26.0
"""Decibels to which a voice is brought: the model knows others less well."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What may be said now, and what its texts amount to."""

    graph: WordGraph
    whole: Callable[[str], Any]
    """Returns what a text means, or None when it is not one whole sentence."""
    could_go_on: Callable[[str], bool] = lambda _: False
    """Tells whether a whole sentence could become another one."""
    is_beginning: Callable[[str], bool] = lambda _: False
    """Tells whether a sentence begins with a text."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was heard in the end."""

    text: str
    intent: Any
    """What it means; None when it is no whole sentence."""
    confidence: float
    """How sure the model is of the word it is least sure of, from 0 to 1."""
    voiceprint: tuple[float, ...] | None
    """What the voice is like; None without a speaker model, or after too few sounds."""


class Utterance:
    """Listens to one stretch of speech for the expected sentences."""

    def __init__(
        self, model: vosk.Model, expected: Expected, *, level: float, voices: vosk.SpkModel | None = None
    ) -> None:
        self._expected = expected
        self._recogniser = vosk.KaldiRecognizer(model, RATE)
        self._recogniser.SetWords(True)
        if voices is not None:
            self._recogniser.SetSpkModel(voices)
        self._gain = np.float32(10 ** ((LOUDNESS - level) / 20))
        self._so_far: str | None = None

    def hear(self, frames: Sequence[Frame]) -> None:
        """Take in some more sound."""
        sound = np.concatenate([frame.sound for frame in frames]) * self._gain
        self._recogniser.AcceptWaveform((np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())
        self._so_far = None

    def standing(self) -> Standing:
        """Return what the words so far amount to."""
        if self._so_far is None:
            self._so_far = json.loads(self._recogniser.PartialResult())["partial"]
        text = self._so_far
        if text and self._expected.whole(text) is not None:
            return Standing.OPEN if self._expected.could_go_on(text) else Standing.WHOLE
        return Standing.BEGUN if text and self._expected.is_beginning(text) else Standing.NOTHING

    def verdict(self) -> Verdict:
        """Return what was heard; nothing can be heard after it."""
        result = json.loads(self._recogniser.FinalResult())
        text = result["text"]
        sure = min((float(word["conf"]) for word in result.get("result", ())), default=0.0)
        voice = tuple(result["spk"]) if "spk" in result else None
        return Verdict(text, self._expected.whole(text) if text else None, sure, voice)
