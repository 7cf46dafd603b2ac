"""One stretch of speech while it is being heard: its words so far, and all that they could be at its end."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import vosk

from seance.listening.cleaning import RATE, Frame, Sound
from seance.listening.endpoint import Standing
from seance.listening.grammar import WordGraph
from seance.listening.judgement import Reading

WAYS = 30
"""How many ways to understand a stretch of speech are weighed against each other."""
LOUDNESS = -26.0
"""Decibels to which a voice is brought: the model knows others less well."""
SOFTLY = np.float32(0.1)
"""By how much the room is lowered around a voice."""


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
    fits: Callable[[Any], float] = lambda _: 1.0
    """Tells how likely a meaning is at this moment beside others, from 0 to 1."""


class Utterance:
    """Listens to one stretch of speech for the expected sentences."""

    def __init__(self, model: vosk.Model, expected: Expected, *, level: float) -> None:
        self._model, self._expected = model, expected
        self._recogniser = vosk.KaldiRecognizer(model, RATE)
        self._recogniser.SetMaxAlternatives(WAYS)
        self._gain = np.float32(10 ** ((LOUDNESS - level) / 20))
        # The model was taught with a grain of noise in every sound; ours is the same each time.
        self._chance = np.random.default_rng(1)
        self._so_far: str | None = None
        self._waiting: list[Sound] = []
        self._blocks: list[bytes] = []
        self._raw: list[Sound] = []

    def hear(self, frame: Frame, *, softly: bool = False) -> None:
        """Take in some more sound, lowered to what a pause is like if *softly*."""
        self._waiting.append(frame.sound * SOFTLY if softly else frame.sound)
        self._raw.append(frame.raw)

    def listen(self) -> None:
        """Make out what has been taken in."""
        if self._waiting:
            sound = np.concatenate(self._waiting) * self._gain
            self._waiting.clear()
            grain = self._chance.standard_normal(sound.size, np.float32)
            self._blocks.append(np.clip(sound * 32767 + grain, -32768, 32767).astype("<i2").tobytes())
            self._recogniser.AcceptWaveform(self._blocks[-1])
            self._so_far = None

    def standing(self) -> Standing:
        """Return what the words so far amount to."""
        self.listen()
        if self._so_far is None:
            self._so_far = json.loads(self._recogniser.PartialResult())["partial"]
        text = self._so_far
        if text and self._expected.whole(text) is not None:
            return Standing.OPEN if self._expected.could_go_on(text) else Standing.WHOLE
        return Standing.BEGUN if text and self._expected.is_beginning(text) else Standing.NOTHING

    def readings(self) -> tuple[str, list[Reading]]:
        """Return the likeliest words, and the sentences they could have been; nothing can be heard after it."""
        self.listen()
        ways = json.loads(self._recogniser.FinalResult())["alternatives"]
        best = max(way["confidence"] for way in ways)
        shares = [(way["text"], math.exp(way["confidence"] - best)) for way in ways]
        total = sum(share for _, share in shares)
        found: list[Reading] = []
        for text, share in shares:
            if (intent := self._expected.whole(text)) is not None:
                same = next((n for n, other in enumerate(found) if other.intent == intent), None)
                if same is None:
                    found.append(Reading(text, intent, share / total, self._expected.fits(intent)))
                else:
                    found[same] = replace(found[same], share=found[same].share + share / total)
        return shares[0][0], found

    def sound(self) -> Sound:
        """Return all that was taken in, as it was before it was cleaned."""
        return np.concatenate(self._raw)

    def voiceprint(self, voices: vosk.SpkModel) -> tuple[float, ...] | None:
        """Return what the voice was like, or None when there was too little of it."""
        recogniser = vosk.KaldiRecognizer(self._model, RATE)
        recogniser.SetSpkModel(voices)
        recogniser.AcceptWaveform(b"".join(self._blocks))
        vector = json.loads(recogniser.FinalResult()).get("spk")
        return tuple(vector) if vector else None
