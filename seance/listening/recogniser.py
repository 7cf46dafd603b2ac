"""Blocks of sound in, whole sentences out; the sentences and their meaning are given to it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soxr
import vosk
from numpy.typing import NDArray

from seance.listening.cleaning import FRAME, RATE, Cleaner, Frame, Sound
from seance.listening.endpoint import Attention, Standing
from seance.listening.grammar import sentence_model, words_of
from seance.listening.speakers import Speakers
from seance.listening.utterance import Expected, Utterance
from seance.listening.vocabulary import UNKNOWN, Vocabulary, read_vocabulary

Block = bytes | NDArray[np.int16] | NDArray[np.float32]
"""Samples of 16 bits or between -1 and 1; an array may have a column for each channel."""

BEFORE = 0.35
"""Seconds that are heard again when somebody begins to speak."""
LONGEST = 9.0
"""Seconds after which talk is cut: no sentence is so long."""

vosk.SetLogLevel(-2)  # errors alone: the warnings are about the inside of the models


@dataclass(frozen=True, slots=True)
class Heard:
    """One stretch of speech near the microphone."""

    text: str
    intent: Any
    """What it means; None when it was no command."""
    confidence: float
    """From 0 to 1."""
    speaker: str | None
    """Who said it, if they have introduced themselves and can be told."""
    voiceprint: tuple[float, ...] | None
    """What Speakers.enrol wants; None without a speaker model, or after too few sounds."""
    began: float
    """Seconds of sound since the ear was opened or reset."""
    ended: float
    endpoint: float
    """Seconds from the last sound to the verdict."""
    stands_out: float
    """Decibels between the voice and the room."""


class Ear:
    """Hears whole sentences in a stream of blocks."""

    def __init__(
        self,
        model: Path,
        expected: Expected,
        *,
        speaker_model: Path | None = None,
        speakers: Speakers | None = None,
        rate: int = RATE,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.speakers = Speakers() if speakers is None else speakers
        self._folder, self._rate, self._clock = model, rate, clock
        self._vocabulary: Vocabulary | None = None
        self._expected, self._model = self._learn(expected)
        # After the other model: the first one is where vosk begins to heed its log level.
        self._voices = vosk.SpkModel(str(speaker_model)) if speaker_model else None
        self._coming: Future[tuple[Expected, vosk.Model]] | None = None
        self._workers = ThreadPoolExecutor(1, "ear-expects")
        self.reset()

    def expect(self, expected: Expected, *, wait: bool = False) -> None:
        """Hear *expected* from a following sentence on; the ear goes on listening meanwhile."""
        if self._coming is not None:
            self._coming.cancel()
        self._coming = self._workers.submit(self._learn, expected)
        if wait:
            self._coming.result()

    def feed(self, block: Block) -> Iterator[Heard]:
        """Yield what is heard to its end in *block*."""
        for frame in self._cleaner.feed(self._as_heard(block)):
            self._now += FRAME
            loud = self._attention.notice(frame.level)
            self._frames.append(frame)
            if self._utterance is not None:
                yield from self._follow(self._utterance)
            elif self._attention.near:
                self._open()
            elif not loud:
                self._cleaner.learn()
        if self._utterance is not None:
            self._hear(self._utterance)

    def finish(self) -> Iterator[Heard]:
        """Yield what was being said when the sound ended."""
        if self._utterance is not None:
            yield self._close(self._utterance)

    def reset(self) -> None:
        """Forget the room and whatever is being said: the next block is the first."""
        self._cleaner, self._attention = Cleaner(), Attention()
        self._resampler = soxr.ResampleStream(self._rate, RATE, 1, "float32") if self._rate != RATE else None
        self._utterance: Utterance | None = None
        self._frames: deque[Frame] = deque(maxlen=round(BEFORE / FRAME))
        self._now = self._began = 0.0

    def close(self) -> None:
        """Let go of the thread that learns sentences."""
        self._workers.shutdown(cancel_futures=True)

    def _learn(self, expected: Expected) -> tuple[Expected, vosk.Model]:
        """Return *expected* with a model that hears it."""
        words = words_of(expected.graph) | {UNKNOWN}
        if self._vocabulary is None or not words <= self._vocabulary.numbers.keys():
            self._vocabulary = read_vocabulary(self._folder, words)
        return expected, sentence_model(self._folder, expected.graph, self._vocabulary)

    def _as_heard(self, block: Block) -> Sound:
        samples = np.frombuffer(block, "<i2") if isinstance(block, bytes) else block
        sound = samples.astype(np.float32)
        if samples.dtype == np.int16:
            sound /= 32768
        if sound.ndim > 1:
            sound = sound.mean(axis=1)
        return sound if self._resampler is None else self._resampler.resample_chunk(sound)

    def _open(self) -> None:
        """Begin to listen to somebody."""
        if self._coming is not None and self._coming.done():
            (self._expected, self._model), self._coming = self._coming.result(), None
        level = max(frame.level for frame in self._frames)
        self._utterance = Utterance(self._model, self._expected, level=level, voices=self._voices)
        self._began = self._now - len(self._frames) * FRAME
        self._frames = deque(self._frames)
        self._hear(self._utterance)

    def _hear(self, utterance: Utterance) -> None:
        """Pass on what has not been heard yet."""
        if self._frames:
            utterance.hear(self._frames)
            self._frames.clear()

    def _follow(self, utterance: Utterance) -> Iterator[Heard]:
        """Yield the sentence if it is over."""
        if self._now - self._began > LONGEST:
            yield self._close(utterance)
        elif self._attention.quiet >= Standing.WHOLE.value:
            self._hear(utterance)
            if self._attention.quiet >= utterance.standing().value:
                yield self._close(utterance)

    def _close(self, utterance: Utterance) -> Heard:
        """Return what was said, and wait for the next voice."""
        asked = self._clock()
        self._hear(utterance)
        verdict = utterance.verdict()
        heard = Heard(
            text=verdict.text,
            intent=verdict.intent,
            confidence=verdict.confidence,
            speaker=self.speakers.whose(verdict.voiceprint) if verdict.voiceprint else None,
            voiceprint=verdict.voiceprint,
            began=self._began,
            ended=self._now - self._attention.quiet,
            endpoint=self._attention.quiet + self._clock() - asked,
            stands_out=self._attention.voice - self._attention.room,
        )
        self._utterance = None
        self._frames = deque(maxlen=round(BEFORE / FRAME))
        self._attention.rest()
        return heard
