"""One stretch of speech while it is being heard: its words so far, and the verdict at its end."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import vosk

from seance.listening.cleaning import RATE, Frame, Sound
from seance.listening.endpoint import Standing
from seance.listening.grammar import WordGraph

WAYS = 30
"""How many ways to understand a stretch of speech are weighed against each other."""
LOUDNESS = -26.0
"""Decibels to which a voice is brought: the model knows others less well."""
SOFTLY = np.float32(0.1)
"""By how much the room is lowered around a voice."""
FEW_WORDS = 3
"""Sentences of fewer words turn up in any talk."""

MOST_SENTENCES = 2
"""Nobody says more in one breath: a longer chain is talk that was taken to pieces."""

Meanings = tuple[tuple[str, Any], ...]
"""Sentences, and what each means."""


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
    meanings: Meanings
    """The likeliest sentences and what they mean; empty when nothing was likely to be one."""
    confidence: float
    """How likely these sentences are among all that it could have been, from 0 to 1."""
    command: float
    """How likely it is that it was any sentence at all, from 0 to 1."""


class Utterance:
    """Listens to one stretch of speech for the expected sentences."""

    def __init__(self, model: vosk.Model, expected: Expected, *, level: float) -> None:
        self._model, self._expected = model, expected
        self._recogniser = vosk.KaldiRecognizer(model, RATE)
        self._recogniser.SetMaxAlternatives(WAYS)
        self._gain = np.float32(10 ** ((LOUDNESS - level) / 20))
        self._so_far: str | None = None
        self._waiting: list[Sound] = []
        self._blocks: list[bytes] = []

    def hear(self, frame: Frame, *, softly: bool = False) -> None:
        """Take in some more sound, lowered to what a pause is like if *softly*."""
        self._waiting.append(frame.sound * SOFTLY if softly else frame.sound)

    def listen(self) -> None:
        """Make out what has been taken in."""
        if self._waiting:
            sound = np.concatenate(self._waiting) * self._gain
            self._waiting.clear()
            self._blocks.append((np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())
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

    def verdict(self) -> Verdict:
        """Return what was most likely said; nothing can be heard after it."""
        self.listen()
        ways = json.loads(self._recogniser.FinalResult())["alternatives"]
        best = max(way["confidence"] for way in ways)
        shares = [(way["text"], math.exp(way["confidence"] - best)) for way in ways]
        total = sum(share for _, share in shares)
        likely: list[tuple[Meanings, float]] = []
        for text, share in shares:
            if meant := self._meanings(text):
                same = next((n for n, (other, _) in enumerate(likely) if _alike(other, meant)), None)
                if same is None:
                    likely.append((meant, share / total))
                else:
                    likely[same] = (likely[same][0], likely[same][1] + share / total)
        meant, confidence = max(likely, key=lambda one: one[1], default=((), 0.0))
        return Verdict(shares[0][0], meant, confidence, sum(share for _, share in likely))

    def _meanings(self, text: str) -> Meanings:
        """Return the sentence that *text* is, or the longer ones of the few that it is made of, or none."""
        parts = self._parts(text.split())
        if len(parts) > MOST_SENTENCES:
            return ()
        longer = tuple(part for part in parts if len(part[0].split()) >= FEW_WORDS)
        return parts if len(parts) == 1 else longer

    def _parts(self, words: list[str]) -> Meanings:
        """Return the whole sentences that *words* are made of, the first as long as can be."""
        for cut in range(len(words), 0, -1):
            first = " ".join(words[:cut])
            if (intent := self._expected.whole(first)) is not None:
                if cut == len(words):
                    return ((first, intent),)
                if rest := self._parts(words[cut:]):
                    return ((first, intent), *rest)
        return ()

    def voiceprint(self, voices: vosk.SpkModel) -> tuple[float, ...] | None:
        """Return what the voice was like, or None when there was too little of it."""
        recogniser = vosk.KaldiRecognizer(self._model, RATE)
        recogniser.SetSpkModel(voices)
        recogniser.AcceptWaveform(b"".join(self._blocks))
        vector = json.loads(recogniser.FinalResult()).get("spk")
        return tuple(vector) if vector else None


def _alike(some: Meanings, others: Meanings) -> bool:
    """Tell whether both mean the same, in whatever words."""
    return [intent for _, intent in some] == [intent for _, intent in others]
