"""Resampling of what a device delivers to mono blocks of one length."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import soxr

from seance.audio.formats import Block


class BlockResampler:
    """Turn interleaved int16 samples of a device into mono blocks of *frames* samples at *rate* (hertz)."""

    def __init__(
        self,
        device_rate: int,
        channels: int,
        *,
        rate: int,
        frames: int,
        channel: int | None = None,
        gain_db: float = 0.0,
    ) -> None:
        """Take *channel* (from 0), or the mean of all."""
        self._channels = channels
        self._channel = channel
        self._frames = frames
        self._gain = 10 ** (gain_db / 20)
        self._pass_through = channels == 1 and gain_db == 0.0 and device_rate == rate
        self._resampler = None
        if device_rate != rate:
            self._resampler = soxr.ResampleStream(device_rate, rate, 1, dtype="float32", quality="HQ")
        self._pending: Block = np.empty(0, np.int16)

    def feed(self, sound: bytes) -> Iterator[Block]:
        """Yield the blocks that *sound* completes, and keep the rest for the next call."""
        samples = np.frombuffer(sound, np.int16)
        converted = samples if self._pass_through else self._convert(samples.reshape(-1, self._channels))
        self._pending = np.concatenate((self._pending, converted))
        while len(self._pending) >= self._frames:
            block, self._pending = self._pending[: self._frames], self._pending[self._frames :]
            yield block

    def _convert(self, samples: npt.NDArray[np.int16]) -> Block:
        if self._channel is not None:
            mono = samples[:, self._channel].astype(np.float32)
        else:
            mono = samples.mean(axis=1, dtype=np.float32)
        if self._resampler is not None:
            mono = self._resampler.resample_chunk(mono)
        return to_int16(mono * self._gain)


def to_int16(samples: npt.NDArray[np.float32]) -> Block:
    """Return *samples*, on the scale of int16, rounded and clipped."""
    return np.clip(np.rint(samples), -32768, 32767).astype(np.int16)
