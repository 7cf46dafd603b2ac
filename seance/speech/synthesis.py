"""Speech synthesis: text rendered by an engine, checked, given effects, and cached."""

from __future__ import annotations

import itertools
import logging
import queue
import tempfile
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from seance.audio.files import BadAudioFile, read_wave
from seance.audio.waves import Wave
from seance.speech.cache import SpeechCache
from seance.speech.effects import Reverb, add_reverb, normalise_loudness, shift_pitch, trim_silence
from seance.speech.engines import CannotSpeak, SpeechEngine, excerpt

__all__ = ["CannotSpeak", "Synthesizer", "is_pronounceable"]

_CACHE_VERSION = 1
"""Part of the cache key; to be raised when the same text sounds different, so that old files are not used."""
_MAX_ATTEMPTS = 2
_MAX_FAILURES_IN_A_ROW = 3
"""After so many failed lines in a row the engine is taken for broken, and no more lines are prepared."""
_MIN_RMS = 0.002
_MIN_DURATION_RATIO = 0.3
"""Of the duration that the number of letters suggests."""
_MAX_DURATION_RATIO = 3.5
_DURATION_SLACK_SECONDS = 1.0
"""Added to the longest duration: "58" takes longer to say than its two letters suggest."""
_LETTERS_PER_WORD = 6.0
_SILENCE_RATE_HZ = 22_050
"""The sample rate of the empty sound for a text without a word."""

log = logging.getLogger(__name__)


class _Priority(IntEnum):
    """The order in which jobs are done."""

    NOW = 0
    IN_ADVANCE = 1
    SHUTDOWN = 2
    """Ends the thread."""


@dataclass(frozen=True, slots=True, order=True)
class _Job:
    """A line to be rendered."""

    priority: _Priority
    number: int
    text: str = field(compare=False)
    future: Future[Wave] = field(compare=False, default_factory=Future)


class Synthesizer:
    """Render text with *engine* on a thread of its own, shift it by *pitch* semitones, add *reverb*, and cache it."""

    def __init__(
        self, engine: SpeechEngine, cache: SpeechCache, *, pitch: float = 0.0, reverb: Reverb | None = None
    ) -> None:
        self._engine, self._cache = engine, cache
        self._pitch, self._reverb = pitch, reverb or Reverb()
        self._numbers = itertools.count()
        self._jobs: queue.PriorityQueue[_Job] = queue.PriorityQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def render(self, text: str) -> Wave:
        """Return *text* as speech, from the cache or rendered before all prepared lines; or raise CannotSpeak."""
        cached = self._cached(text)
        return self._submit(text, _Priority.NOW).result() if cached is None else cached

    def prepare(self, texts: Iterable[str]) -> Future[None]:
        """Render *texts* in the background, in their order; the future ends when all have succeeded or failed."""
        futures = [self._submit(text, _Priority.IN_ADVANCE) for text in texts if not self.is_ready(text)]
        done: Future[None] = Future()
        finished = itertools.count(1)

        def count(_: Future[Wave]) -> None:
            if next(finished) == len(futures):
                done.set_result(None)

        for future in futures:
            future.add_done_callback(count)
        if not futures:
            done.set_result(None)
        return done

    def is_ready(self, text: str) -> bool:
        """Return whether *text* is in the cache or needs no rendering."""
        return not is_pronounceable(text) or self._key(text) in self._cache

    def cancel_prepared(self) -> None:
        """Cancel the lines that are still to be prepared."""
        kept = []
        with suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job.priority is _Priority.IN_ADVANCE:
                    job.future.cancel()
                else:
                    kept.append(job)
        for job in kept:
            self._jobs.put(job)

    def close(self) -> None:
        """End the engine at once; closing twice is harmless."""
        self._closed = True
        self.cancel_prepared()
        self._submit("", _Priority.SHUTDOWN)
        self._engine.close()
        self._thread.join()

    def _submit(self, text: str, priority: _Priority) -> Future[Wave]:
        job = _Job(priority, next(self._numbers), text)
        if self._closed and priority is not _Priority.SHUTDOWN:
            job.future.set_exception(CannotSpeak("the voice is closed"))
        else:
            self._jobs.put(job)
        return job.future

    def _work(self) -> None:
        failures = 0
        while (job := self._jobs.get()).priority is not _Priority.SHUTDOWN:
            if job.priority is _Priority.IN_ADVANCE and failures >= _MAX_FAILURES_IN_A_ROW:
                job.future.cancel()  # it was asked for while the engine was found broken
            if not job.future.set_running_or_notify_cancel():
                continue
            try:
                job.future.set_result(self._cached(job.text) or self._synthesize(job.text))
                failures = 0
            except CannotSpeak as trouble:
                job.future.set_exception(trouble)
                failures += 1
                if job.priority is _Priority.IN_ADVANCE and not self._closed:
                    self._report_failure(trouble, engine_broken=failures >= _MAX_FAILURES_IN_A_ROW)
            except BaseException as error:
                # Whoever waits for the line must not wait for ever once this thread has ended.
                job.future.set_exception(error)
                raise
        self._engine.close()

    def _report_failure(self, trouble: CannotSpeak, *, engine_broken: bool) -> None:
        """Log that a line could not be prepared; where the engine is broken, cancel the others."""
        log.warning("%s: %s", "lines are no longer prepared" if engine_broken else "a line is not prepared", trouble)
        if engine_broken:
            self.cancel_prepared()

    def _cached(self, text: str) -> Wave | None:
        if not is_pronounceable(text):
            return Wave(np.zeros(0, np.float32), _SILENCE_RATE_HZ)
        return self._cache.get(self._key(text))

    def _synthesize(self, text: str) -> Wave:
        """Return *text* as speech with its effects, rendered once more where the first attempt was faulty."""
        for attempt in range(1, _MAX_ATTEMPTS + 1):
            try:
                wave = self._apply_effects(self._run_engine(text))
            except CannotSpeak as trouble:
                if attempt == _MAX_ATTEMPTS or self._closed:
                    raise
                log.info("once more: %s", trouble)
            else:
                self._cache.put(self._key(text), wave)
                return wave
        raise AssertionError("an attempt ends in speech or in trouble")

    def _run_engine(self, text: str) -> Wave:
        """Return what the engine renders for *text*, or raise CannotSpeak where it is silent, too short or too long."""
        try:
            with tempfile.TemporaryDirectory(prefix="seance-voice-") as folder:
                wav = Path(folder, "said.wav")
                self._engine.render(text, wav)
                wave = read_wave(wav)
        except BadAudioFile as bad:
            raise CannotSpeak(f"{self._engine.identity} wrote nothing for {excerpt(text)}: {bad}") from None
        except OSError as error:
            raise CannotSpeak(f"there is no room to make speech in ({error}): {excerpt(text)}") from error
        expected = len(text) / _LETTERS_PER_WORD * 60 / self._engine.rate
        if wave.rms < _MIN_RMS:
            raise CannotSpeak(f"{self._engine.identity} is silent for {excerpt(text)}")
        shortest, longest = _MIN_DURATION_RATIO * expected, _MAX_DURATION_RATIO * expected + _DURATION_SLACK_SECONDS
        if not shortest <= wave.seconds <= longest:
            raise CannotSpeak(
                f"{self._engine.identity} speaks {wave.seconds:.1f} s, not about {expected:.1f} s, for {excerpt(text)}"
            )
        return wave

    def _apply_effects(self, wave: Wave) -> Wave:
        return normalise_loudness(add_reverb(shift_pitch(trim_silence(wave), self._pitch), self._reverb))

    def _key(self, text: str) -> str:
        # Written out because it names files on the owners' disks: `Effects`, `reverb` and `room` are what the class and
        # its fields were once called, and any other text would render every cached line again.
        effects = f"Effects(reverb={self._reverb.wet_level!r}, room={self._reverb.rt60_seconds!r})"
        return f"({_CACHE_VERSION!r}, {self._engine.identity!r}, {self._pitch!r}, {effects}, {text!r})"


def is_pronounceable(text: str) -> bool:
    """Return whether *text* has anything to pronounce."""
    return any(character.isalnum() for character in text)
