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

from seance.audio.formats import SPEECH_RATE_HZ, Sound
from seance.hearing.decoder_graph import build_model, graph_words
from seance.hearing.decoding import Expected, Utterance
from seance.hearing.endpointing import PartialState, silence_timeout_s
from seance.hearing.interpretation import LONGEST, Stretch, Understanding, Understood
from seance.hearing.malloc_tuning import limit_malloc, trim_malloc
from seance.hearing.noise_reduction import FRAME_S, SILENT_FRAME, Frame, NoiseReducer
from seance.hearing.speaker_recognition import Speakers
from seance.hearing.vocabulary import UNKNOWN_WORD, Vocabulary, read_vocabulary
from seance.hearing.voice_activity import VoiceActivity

Block = bytes | NDArray[np.int16] | NDArray[np.float32]
"""Samples of 16 bits or between -1 and 1; an array may have a column for each channel."""

BEFORE = 0.25
"""Seconds in front of the first loud sound that belong to a sentence: it may begin softly."""
AROUND = 0.1
"""Seconds on either side of loud sounds that are not lowered: consonants are there."""
LOOKED_BACK = 1.2
"""Seconds among which the beginning of a sentence is looked for when somebody is found to speak."""
KNOWN, EVEN = 0.5, 5.0
"""What stands out by fewer decibels after so many seconds was no voice."""
AHEAD = 0.15
"""Seconds of quiet after which a whole sentence is given to the second model, not to wait for it at the end."""

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
    """Seconds from the last sound to the decision."""
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
        second_model: Path | None = None,
        speakers: Speakers | None = None,
        rate: int = SPEECH_RATE_HZ,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        limit_malloc()
        self.speakers = Speakers() if speakers is None else speakers
        self._folder, self._rate, self._clock = model, rate, clock
        self._vocabulary: Vocabulary | None = None
        self._expected, self._model = self._learn(expected)
        # After the other model: the first one is where vosk begins to heed its log level.
        self._voices = vosk.SpkModel(str(speaker_model)) if speaker_model else None
        self._coming: Future[tuple[Expected, vosk.Model]] | None = None
        self._workers = ThreadPoolExecutor(1, "ear-expects")
        self._understanding = Understanding(second_model, self._workers)
        self._workers.submit(trim_malloc)
        self._recording: list[Frame] | None = None
        """All of a recording in which nothing was meant so far, unless it is longer than any sentence."""
        self.reset()

    def expect(self, expected: Expected, *, wait: bool = False) -> None:
        """Hear *expected* from a following sentence on; the ear goes on listening meanwhile."""
        if self._coming is not None:
            self._coming.cancel()
        self._coming = self._workers.submit(self._learn, expected)
        if wait:
            self._coming.result()

    def settle(self) -> None:
        """Wait for what is still being loaded."""
        self._understanding.settle()

    def feed(self, block: Block) -> Iterator[Heard]:
        """Yield what is heard to its end in *block*."""
        for frame in self._noise_reducer.feed(self._as_heard(block)):
            self._now += FRAME_S
            loud = self._voice_activity.update(frame.level_db)
            self._frames.append(frame)
            self._past.append(frame)
            if self._recording is not None:
                self._recording.append(frame)
                if len(self._recording) * FRAME_S > LONGEST:
                    self._recording = None
            if self._utterance is not None and self._voice_activity.is_new_voice:
                self._open_anew()
            if self._utterance is not None and self._is_room():
                self._abandon()
            if self._utterance is not None:
                self._pass_on(self._utterance, loud=loud)
                yield from self._follow(self._utterance)
            elif self._voice_activity.is_speech:
                self._open()
            elif len(self._frames) * FRAME_S >= LOOKED_BACK:
                self._learn_room(1)
        if self._utterance is not None:
            self._utterance.listen()

    def finish(self) -> Iterator[Heard]:
        """Yield what was being said when the sound ended."""
        if self._utterance is not None:
            yield from self._close(self._utterance)
        self._understanding.break_off()
        if self._recording and self._voice_activity.known_noise_floor_db is not None:
            yield from self._hear_all_of(self._recording, self._voice_activity.known_noise_floor_db)
            self._recording = None

    def reset(self, *, noise_floor_db: float | None = None) -> None:
        """Forget the room and whatever is being said: the next block is the first.

        *noise_floor_db* is the measured noise floor of a recording of which all is known beforehand.
        """
        self._noise_reducer, self._voice_activity = NoiseReducer(), VoiceActivity(known_noise_floor_db=noise_floor_db)
        self._resampler = (
            soxr.ResampleStream(self._rate, SPEECH_RATE_HZ, 1, "float32") if self._rate != SPEECH_RATE_HZ else None
        )
        self._utterance: Utterance | None = None
        # a model that was trained on speech between silences mishears what begins with the first sample
        self._frames = deque([SILENT_FRAME] * round(0.2 / FRAME_S))
        self._past = deque(self._frames, maxlen=round((BEFORE + AROUND) / FRAME_S))
        self._now = self._began = 0.0
        self._recording = None if noise_floor_db is None else list(self._frames)
        self._understanding.forget()

    def close(self) -> None:
        """Let go of the threads that learn sentences and ask the second model."""
        self._workers.shutdown(cancel_futures=True)
        self._understanding.close()

    def _learn(self, expected: Expected) -> tuple[Expected, vosk.Model]:
        """Return *expected* with a model that hears it."""
        words = graph_words(expected.graph, expected.fillers) | {UNKNOWN_WORD}
        if self._vocabulary is None or not words <= self._vocabulary.word_ids.keys():
            self._vocabulary = read_vocabulary(self._folder, words)
        return expected, build_model(self._folder, expected.graph, self._vocabulary, expected.fillers)

    def _as_heard(self, block: Block) -> Sound:
        samples = np.frombuffer(block, "<i2") if isinstance(block, bytes) else block
        sound = samples.astype(np.float32)
        if samples.dtype == np.int16:
            sound /= 32768
        if sound.ndim > 1:
            sound = sound.mean(axis=1)
        if self._resampler is not None:
            sound = self._resampler.resample_chunk(sound)
        return sound

    def _open(self) -> None:
        """Begin to listen to somebody."""
        if self._coming is not None and self._coming.done():
            (self._expected, self._model), self._coming = self._coming.result(), None
        first = self._voice_activity.find_onset([frame.level_db for frame in self._frames])
        self._learn_room(max(0, first - round(BEFORE / FRAME_S)))
        loudness = max(frame.loudness_db for frame in self._frames)
        self._utterance = Utterance(self._model, self._expected, loudness=loudness)
        self._began = self._now - len(self._frames) * FRAME_S
        softly = max(0, min(round(BEFORE / FRAME_S), first) - round(AROUND / FRAME_S))
        for number, frame in enumerate(self._frames):
            self._utterance.hear(frame, softly=number < softly)
        self._frames.clear()

    def _open_anew(self) -> None:
        """Listen to somebody nearer: what was heard so far was the room."""
        if self._now - self._began <= len(self._past) * FRAME_S:
            return
        loudness = max(frame.loudness_db for frame in self._past)
        self._utterance = Utterance(self._model, self._expected, loudness=loudness)
        self._began = self._now - len(self._past) * FRAME_S
        self._frames = deque(self._past)

    def _is_room(self) -> bool:
        """Tell whether what was taken for a voice is as even as a room."""
        return self._now - self._began > KNOWN and self._voice_activity.snr_db < EVEN

    def _abandon(self) -> None:
        """Wait for a voice: what was heard so far was the room, as where a recording begins among talk."""
        self._utterance = None
        self._understanding.look_back()
        self._frames = deque(self._past)
        self._voice_activity.end_speech()

    def _learn_room(self, count: int) -> None:
        """Take so many of the oldest frames for the room, unless they are loud for it, and let them go."""
        for _ in range(count):
            frame = self._frames.popleft()
            if (
                frame is not SILENT_FRAME
                and frame.level_db < self._voice_activity.noise_floor_db + self._voice_activity.onset_snr_db
            ):
                self._noise_reducer.learn_noise(frame)

    def _pass_on(self, utterance: Utterance, *, loud: bool) -> None:
        """Let the utterance hear what is near the voice or may belong to its sentence as it is, the rest softly."""
        held = round(AROUND / FRAME_S)
        if loud:
            self._understanding.look_back()
        if loud or self._voice_activity.trailing_silence_s <= AROUND:
            while self._frames:
                utterance.hear(self._frames.popleft())
        if len(self._frames) > held:
            softly = not utterance.partial_state().could_go_on
            while len(self._frames) > held:
                utterance.hear(self._frames.popleft(), softly=softly)

    def _follow(self, utterance: Utterance) -> Iterator[Heard]:
        """Yield the sentence if it is over."""
        quiet = self._voice_activity.trailing_silence_s
        if quiet >= AHEAD and utterance.partial_state().is_sentence:
            self._understanding.look_ahead(utterance)
        over = quiet >= PartialState.COMPLETE.value and quiet >= silence_timeout_s(
            utterance.partial_state(), snr_db=self._voice_activity.snr_db
        )
        if over or self._now - self._began > LONGEST:
            yield from self._close(utterance)

    def _close(self, utterance: Utterance) -> Iterator[Heard]:
        """Yield what was said, and wait for the next voice."""
        asked, quiet = self._clock(), self._voice_activity.trailing_silence_s
        understood = self._understanding.of(
            Stretch(
                utterance=utterance,
                began=self._began,
                ended=self._now - quiet,
                quiet=quiet,
                room=self._voice_activity.noise_floor_db,
                stands_out=self._voice_activity.snr_db,
            )
        )
        self._utterance = None
        self._frames.clear()
        yield self._heard(understood, asked)
        self._voice_activity.end_speech()
        self._workers.submit(trim_malloc)

    def _heard(self, understood: Understood, asked: float) -> Heard:
        """Return what is given out of what was *understood*, when that was *asked* for."""
        stretch, words, decision = understood
        if decision.accepted:
            self._recording = None
        voice = stretch.utterance.voiceprint(self._voices) if self._voices and decision.accepted else None
        return Heard(
            text=decision.candidate.text if decision.candidate else words,
            intent=decision.candidate.intent if decision.candidate and decision.accepted else None,
            confidence=decision.posterior,
            speaker=self.speakers.identify(voice) if voice else None,
            voiceprint=voice,
            began=stretch.began,
            ended=stretch.ended,
            endpoint=stretch.quiet + self._clock() - asked,
            stands_out=stretch.stands_out,
        )

    def _hear_all_of(self, frames: list[Frame], quietest: float) -> Iterator[Heard]:
        """Yield what was said in a recording as a whole: where noise fills it, a pause is hard to tell."""
        asked, stands_out = self._clock(), float(np.percentile([frame.level_db for frame in frames], 75)) - quietest
        if stands_out < EVEN:
            return
        utterance = Utterance(self._model, self._expected, loudness=max(frame.loudness_db for frame in frames))
        for frame in frames:
            utterance.hear(frame)
        everything = Stretch(
            utterance=utterance, began=0.0, ended=self._now, quiet=0.0, room=quietest, stands_out=stands_out
        )
        yield self._heard(self._understanding.as_one(everything), asked)
