"""Resampling of what a device delivers to blocks of one length."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import soxr

from seance.audio.formats import Block


class BlockResampler:
    """Turn interleaved int16 samples of a device into blocks of *frames* samples at *rate* (hertz)."""

    def __init__(
        self,
        device_rate: int,
        channels: int,
        *,
        rate: int,
        frames: int,
        channel: int | None = None,
        gain_db: float = 0.0,
        all_channels: bool = False,
    ) -> None:
        """Take *channel* (from 0), or the mean of all; with *all_channels* a block has a column for each."""
        self._all_channels = all_channels
        self._channels = channels
        self._channel = channel
        self._frames = frames
        self._gain = 10 ** (gain_db / 20)
        self._pass_through = channels == 1 and gain_db == 0.0 and device_rate == rate
        self._resampler = None
        if device_rate != rate:
            self._resampler = soxr.ResampleStream(
                device_rate, rate, channels if all_channels else 1, dtype="float32", quality="HQ"
            )
        self._pending: Block = np.empty((0, channels) if all_channels else 0, np.int16)

    def feed(self, sound: bytes) -> Iterator[Block]:
        """Yield the blocks that *sound* completes, and keep the rest for the next call."""
        samples = np.frombuffer(sound, np.int16)
        converted = samples if self._pass_through else self._convert(samples.reshape(-1, self._channels))
        self._pending = np.concatenate((self._pending, converted))
        while len(self._pending) >= self._frames:
            block, self._pending = self._pending[: self._frames], self._pending[self._frames :]
            yield block

    def _convert(self, samples: npt.NDArray[np.int16]) -> Block:
        if self._all_channels:
            sound = samples.astype(np.float32)
        elif self._channel is not None:
            sound = samples[:, self._channel].astype(np.float32)
        else:
            sound = samples.mean(axis=1, dtype=np.float32)
        if self._resampler is not None:
            sound = self._resampler.resample_chunk(sound)
        return to_int16(sound * self._gain)


def to_int16(samples: npt.NDArray[np.float32]) -> Block:
    """Return *samples*, on the scale of int16, rounded and clipped."""
    return np.clip(np.rint(samples), -32768, 32767).astype(np.int16)
