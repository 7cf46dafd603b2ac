"""The reference of an echo canceller: what the loudspeaker played, in step with the blocks of the microphone."""

from __future__ import annotations

import threading
from collections import deque

import numpy as np
import soxr

from seance.audio.formats import FULL_SCALE, MIX_RATE_HZ, SPEECH_RATE_HZ, Block, Samples
from seance.audio.resampling import to_int16

_KEPT_SAMPLES = 4 * SPEECH_RATE_HZ
_MAX_CHUNKS = 400
"""Blocks of the mixer that wait while nobody reads: 4 s."""
_LEAD_S = 0.1
"""How much earlier than the microphone is heard the first sample is taken."""


class EchoReference:
    """What was played, written by the loudspeaker's thread and read by the microphone's.

    *drift_ppm* is how many millionths the microphone's clock is faster than the loudspeaker's.
    """

    def __init__(self, drift_ppm: float = 0.0) -> None:
        self._chunks: deque[tuple[Samples, float]] = deque(maxlen=_MAX_CHUNKS)
        self._lock = threading.Lock()
        """Guards `_chunks`."""
        rate = SPEECH_RATE_HZ * (1 + drift_ppm / 1e6)
        self._resampler = soxr.ResampleStream(MIX_RATE_HZ, rate, 1, dtype="float32", quality="HQ")
        self._played = np.zeros(_KEPT_SAMPLES, np.float32)
        self._unread = 0
        """Samples at the end of `_played` that come after those that were read; negative where sound is missing."""
        self._is_in_step = False

    def write(self, samples: Samples, due: float) -> None:
        """Add *samples* at MIX_RATE_HZ, the first of them to be heard at the monotonic time *due*."""
        with self._lock:
            self._chunks.append((samples, due))

    def read(self, frames: int, ended: float) -> Block:
        """Return the samples that follow the last ones; *ended* is the monotonic time at which a block has arrived."""
        end_due = self._take_chunks()
        if end_due is not None and not self._is_in_step:
            self._unread = round((end_due - ended + _LEAD_S) * SPEECH_RATE_HZ) + frames
            self._is_in_step = True
        if not frames <= self._unread <= _KEPT_SAMPLES:
            self._is_in_step = False
            return np.zeros(frames, np.int16)
        start = _KEPT_SAMPLES - self._unread
        self._unread -= frames
        return to_int16(self._played[start : start + frames] * FULL_SCALE)

    def delay(self, samples: int) -> None:
        """Return everything from now on later by so many *samples*, or earlier."""
        self._unread += samples

    def _take_chunks(self) -> float | None:
        """Append what was written, and return when its last sample is due; None if there is nothing new."""
        with self._lock:
            chunks, self._chunks = list(self._chunks), deque(maxlen=_MAX_CHUNKS)
        if not chunks:
            return None
        written = np.concatenate([samples for samples, _ in chunks])
        fresh = self._resampler.resample_chunk(written)
        self._played = np.concatenate((self._played, fresh))[-_KEPT_SAMPLES:]
        self._unread += len(fresh)
        last, due = chunks[-1]
        return due + len(last) / MIX_RATE_HZ
