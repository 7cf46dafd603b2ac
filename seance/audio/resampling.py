"""What a device delivers, made into 16 kHz mono blocks of one length; opens no device."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import soxr

Block = npt.NDArray[np.int16]
"""Mono samples, one after the other."""


class Shaper:
    """Interleaved int16 at a device's rate and channels in, mono blocks of *frames* samples at *rate* out."""

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
        self._channels = channels
        self._channel = channel
        self._frames = frames
        self._gain = 10 ** (gain_db / 20)
        self._untouched = channels == 1 and gain_db == 0.0 and device_rate == rate
        self._resampler = None
        if device_rate != rate:
            self._resampler = soxr.ResampleStream(device_rate, rate, 1, dtype="float32", quality="HQ")
        self._rest: Block = np.empty(0, np.int16)

    def feed(self, sound: bytes) -> Iterator[Block]:
        """Yield the blocks that are complete now; what is left over waits for the next *sound*."""
        samples = np.frombuffer(sound, np.int16)
        shaped = samples if self._untouched else self._shaped(samples.reshape(-1, self._channels))
        self._rest = np.concatenate((self._rest, shaped))
        while len(self._rest) >= self._frames:
            block, self._rest = self._rest[: self._frames], self._rest[self._frames :]
            yield block

    def _shaped(self, samples: npt.NDArray[np.int16]) -> Block:
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
