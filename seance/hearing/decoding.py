"""One stretch of speech while it is being heard: its words so far, and all that they could be at its end."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import vosk

from seance.audio.formats import SPEECH_RATE_HZ, Sound
from seance.hearing import foreground
from seance.hearing.decoder_graph import WordGraph
from seance.hearing.endpointing import PartialState
from seance.hearing.foreground import Way
from seance.hearing.noise_reduction import FRAME_S, Frame
from seance.hearing.scoring import Candidate

WAYS = 30
"""How many ways to understand a stretch of speech are weighed against each other."""
AT_MOST = 10
"""How many things it could have meant are weighed."""
LOUDNESS = -26.0
"""Decibels to which a voice is brought: the model knows others less well."""
LOUDER = 12.0
"""Decibels by which a voice is louder than it began, from which on what was before it was not the voice."""
SOFTLY = np.float32(0.1)
"""By how much the room is lowered around a voice."""
UNCLEANED = np.float32(0.7)
"""By how much a sound is lowered that was not cleaned: the room is in it."""

_PAUSE = np.random.default_rng(2).integers(-2, 3, round(0.35 * SPEECH_RATE_HZ)).astype("<i2").tobytes()
"""Quiet after which the model has made out all that was before."""


Ways = list[tuple[str, float]]
"""The texts that a stretch of speech could be, and how likely each is among them, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What may be said now, and what its texts amount to."""

    graph: WordGraph
    whole: Callable[[str], Any]
    """Returns what a text means, or None when it is not one whole sentence."""
    could_go_on: Callable[[str], bool] = lambda _: False
    """Tells whether a whole sentence could become another one."""
    could_say_more: Callable[[str], bool] = lambda _: False
    """Tells whether more words could add to what a whole sentence means."""
    is_beginning: Callable[[str], bool] = lambda _: False
    """Tells whether a sentence begins with a text."""
    fits: Callable[[Any], float] = lambda _: 1.0
    """Tells how likely a meaning is at this moment beside others, from 0 to 1."""
    fillers: tuple[str, ...] = ()
    """What people say before, between and after the words of the graph that means nothing."""


class Utterance:
    """Listens to one stretch of speech for the expected sentences."""

    def __init__(self, model: vosk.Model, expected: Expected, *, loudness: float) -> None:
        self._model, self.expected = model, expected
        self._so_far: str | None = None
        self._sounds: list[Sound] = []
        self._waiting: list[Sound] = []
        self._frames: list[Frame] = []
        self._ways: list[Way] = []
        self._begin(loudness)

    def _begin(self, loudness: float) -> None:
        """Listen from the first sound on, to a voice of that *loudness*."""
        self._recogniser = vosk.KaldiRecognizer(self._model, SPEECH_RATE_HZ)
        self._recogniser.SetMaxAlternatives(WAYS)
        self._recogniser.SetWords(True)
        self._loudness = loudness
        self._gain = np.float32(10 ** ((LOUDNESS - loudness) / 20))
        # The model was taught with a grain of noise in every sound; ours is the same each time.
        self._chance = np.random.default_rng(1)
        self._waiting, self._sounds = [*self._sounds, *self._waiting], []
        self._blocks: list[bytes] = []

    def hear(self, frame: Frame, *, softly: bool = False) -> None:
        """Take in some more sound, lowered to what a pause is like if *softly*."""
        self._waiting.append(frame.denoised * SOFTLY if softly else frame.denoised)
        self._frames.append(frame)

    def listen(self) -> None:
        """Make out what has been taken in."""
        if self._waiting:
            loudest = max(frame.loudness_db for frame in self._frames[-len(self._waiting) :])
            if loudest > self._loudness + LOUDER:
                # a breath or a click in a still room would be taken for the voice, which would then be far too loud
                self._begin(loudest)
            self._sounds += self._waiting
            self._blocks.append(self._as_samples(np.concatenate(self._waiting) * self._gain))
            self._waiting.clear()
            self._recogniser.AcceptWaveform(self._blocks[-1])
            self._so_far = None

    def partial_state(self) -> PartialState:
        """Return what the words so far amount to."""
        self.listen()
        if self._so_far is None:
            self._so_far = json.loads(self._recogniser.PartialResult())["partial"]
        text = self._so_far
        if text and self.expected.whole(text) is not None:
            if self.expected.could_say_more(text):
                return PartialState.EXTENSIBLE
            return PartialState.CONTINUABLE if self.expected.could_go_on(text) else PartialState.COMPLETE
        return PartialState.PREFIX if text and self.expected.is_beginning(text) else PartialState.NO_MATCH

    def hear_out(self) -> Ways:
        """Return all that it could have been; nothing new can be heard after it."""
        self.listen()
        self._recogniser.AcceptWaveform(_PAUSE)
        found = _found(self._recogniser.Result())
        ways = _ways(found)
        self._ways = [Way(_timed(way), share) for way, (_, share) in zip(found, ways, strict=True)]
        return ways

    def hear_again(self) -> Ways:
        """Return all that it could have been, half as much cleaned, to who knows the voice and the room by now."""
        cleaned = np.frombuffer(b"".join(self._blocks), "<i2").astype(np.float32) / 32767
        half: Sound = (cleaned + self.sound() * self._gain * UNCLEANED) * np.float32(0.5)
        # a recogniser that is not told that the sound is over keeps what it has learned of it
        self._recogniser.AcceptWaveform(self._as_samples(half) + _PAUSE)
        return _ways(_found(self._recogniser.FinalResult()))

    def candidates(self, hearings: Sequence[Ways]) -> list[Candidate]:
        """Return what it could have meant by what it could have been each time, the likeliest first."""
        met: list[tuple[Any, dict[str, float], list[float]]] = []
        for number, ways in enumerate(hearings):
            for text, share in ways:
                if (intent := self.expected.whole(text)) is None:
                    continue
                same = next((one for one in met if one[0] == intent), None)
                if same is None:
                    met.append(same := (intent, {}, [0.0] * len(hearings)))
                _, texts, shares = same
                texts[text] = texts.get(text, 0.0) + share
                shares[number] += share
        candidates = [
            Candidate(max(texts, key=texts.__getitem__), intent, tuple(shares), self.expected.fits(intent))
            for intent, texts, shares in met
        ]
        return sorted(candidates, key=lambda candidate: -sum(candidate.posteriors) * candidate.prior)[:AT_MOST]

    def loudest(self, room: float) -> tuple[Utterance, float] | None:
        """Return the stretch of it that is louder than the rest, and by how many decibels; or None where all is alike.

        What is said at a table while others talk may be heard as one breath with what they say; *room* is the level of
        the room.
        """
        return self._part(foreground.loudest(self._levels(), room))

    def nearest(self, room: float) -> tuple[Utterance, float] | None:
        """Return the same where others never pause."""
        return self._part(foreground.nearest(self._levels(), room))

    def sentence_within(self, room: float) -> tuple[Utterance, float] | None:
        """Return the likeliest sentence that somebody nearer has said in it, and by how many decibels it is louder."""
        whole, is_beginning = self.expected.whole, self.expected.is_beginning
        return self._part(foreground.sentence_within(self._levels(), room, self._ways, whole, is_beginning))

    def _levels(self) -> foreground.Levels:
        return np.array([frame.level_db for frame in self._frames])

    def _part(self, part: foreground.Part | None) -> tuple[Utterance, float] | None:
        """Return that *part* of it to be heard alone, and by how many decibels it is louder."""
        if part is None:
            return None
        alone = Utterance(self._model, self.expected, loudness=self._loudness)
        for frame in self._frames[part.begin : part.end]:
            alone.hear(frame)
        return alone, part.by

    def after(self, earlier: Utterance, *, without: float) -> Utterance:
        """Return *earlier* and this as one, *without* so many seconds at the end of what was earlier."""
        kept = earlier._frames[: len(earlier._frames) - max(0, round(without / FRAME_S))]
        both = Utterance(self._model, self.expected, loudness=max(earlier._loudness, self._loudness))
        for frame in (*kept, *self._frames):
            both.hear(frame)
        return both

    def sound(self) -> Sound:
        """Return all that was taken in, as it was before it was cleaned."""
        return np.concatenate([frame.raw for frame in self._frames])

    @property
    def seconds(self) -> float:
        """How long all that was taken in is."""
        return sum(map(len, self._blocks)) / (2 * SPEECH_RATE_HZ)

    def voiceprint(self, voices: vosk.SpkModel) -> tuple[float, ...] | None:
        """Return what the voice was like, or None when there was too little of it."""
        recogniser = vosk.KaldiRecognizer(self._model, SPEECH_RATE_HZ)
        recogniser.SetSpkModel(voices)
        recogniser.AcceptWaveform(b"".join(self._blocks))
        vector = json.loads(recogniser.FinalResult()).get("spk")
        return tuple(vector) if vector else None

    def _as_samples(self, sound: Sound) -> bytes:
        grain = self._chance.standard_normal(sound.size, np.float32)
        samples: bytes = np.clip(sound * 32767 + grain, -32768, 32767).astype("<i2").tobytes()
        return samples


def _found(result: str) -> list[dict[str, Any]]:
    """Return all that a *result* says that it could be, the likeliest first."""
    return sorted(json.loads(result)["alternatives"], key=lambda way: -way["confidence"])


def _ways(found: Sequence[dict[str, Any]]) -> Ways:
    """Return the texts that were *found*, and how likely each is."""
    likely = [(way["text"], math.exp(way["confidence"] - found[0]["confidence"])) for way in found]
    total = sum(share for _, share in likely)
    return [(text, share / total) for text, share in likely]


def _timed(way: dict[str, Any]) -> list[foreground.Timed]:
    """Return the words of one *way*, and when each was said."""
    return [(each["word"], each["start"], each["end"]) for each in way.get("result", ())]
