"""One open PortAudio output stream."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import soxr

from seance.audio.devices import Device
from seance.audio.formats import MIX_RATE_HZ, Samples
from seance.audio.portaudio import open_at_supported_rate, portaudio_lock

_BLOCK_SECONDS = 0.01
_FALLBACK_RATE_HZ = 44_100
_STALLED_SECONDS = 1.0
_FIRST_BLOCK_SECONDS = 3.0
_MAX_DELAY_SECONDS = 2.0

FillBlock = Callable[[int, float], Samples]
"""Returns the next samples at MIX_RATE_HZ, given their number and the monotonic time when the first will be heard."""


class OutputStream:
    """A running stream to *device* that asks *fill_block* for every block; `ended` is set when it has ended."""

    def __init__(
        self, device: Device, fill_block: FillBlock, *, buffer_seconds: float, rate: int | None = None
    ) -> None:
        """Open at *rate*, else at MIX_RATE_HZ, else at the device's own; *buffer_seconds* is the requested latency."""
        self.device = device
        self.ended = threading.Event()
        self.underflows = 0
        """How often there was a gap because this machine was too slow."""
        self._fill_block = fill_block
        self._channels = min(device.channels, 2)
        self._resampled: Samples = np.zeros(0, np.float32)
        self._last_callback: float | None = None
        self._opened_at = time.monotonic()
        with portaudio_lock() as sounddevice:

            def open_stream(stream_rate: int) -> Any:
                return sounddevice.RawOutputStream(
                    device=device.index,
                    samplerate=stream_rate,
                    channels=self._channels,
                    dtype="float32",
                    blocksize=round(stream_rate * _BLOCK_SECONDS),
                    latency=buffer_seconds,
                    callback=self._callback,
                    finished_callback=self.ended.set,
                )

            rates = (rate or MIX_RATE_HZ, device.rate, _FALLBACK_RATE_HZ)
            self._stream, self.rate = open_at_supported_rate(rates, open_stream)
            self.latency = float(self._stream.latency)
            """From handing over a block until it is heard, as PortAudio reports it (seconds)."""
            self._resampler = None
            if self.rate != MIX_RATE_HZ:
                self._resampler = soxr.ResampleStream(MIX_RATE_HZ, self.rate, 1, dtype="float32")
            try:
                self._stream.start()
            except sounddevice.PortAudioError:
                self._stream.close()
                raise

    @property
    def stalled(self) -> bool:
        """Whether the device has not asked for sound for too long."""
        last_callback = self._last_callback
        if last_callback is None:
            return time.monotonic() - self._opened_at > _FIRST_BLOCK_SECONDS
        return time.monotonic() - last_callback > _STALLED_SECONDS

    def close(self) -> None:
        """Abort the stream and release the device; closing twice is harmless."""
        with portaudio_lock():
            stream, self._stream = self._stream, None
            if stream is not None:
                stream.abort()
                stream.close()
        self.ended.set()

    def _callback(self, out: Any, frames: int, times: Any, status: Any) -> None:
        self._last_callback = time.monotonic()
        self.underflows += bool(status.output_underflow)
        delay = times.outputBufferDacTime - times.currentTime
        if not 0 < delay < _MAX_DELAY_SECONDS:  # some drivers report nonsense
            delay = self.latency
        mono = self._next_samples(frames, self._last_callback + delay)
        out[:] = np.repeat(mono, self._channels).tobytes() if self._channels > 1 else mono.tobytes()

    def _next_samples(self, frames: int, due: float) -> Samples:
        """Return *frames* samples at the rate of the device, the first of them heard at *due*."""
        if self._resampler is None:
            return self._fill_block(frames, due)
        while len(self._resampled) < frames:
            ahead = len(self._resampled) / self.rate
            more = self._fill_block(round(MIX_RATE_HZ * _BLOCK_SECONDS), due + ahead)
            self._resampled = np.concatenate([self._resampled, self._resampler.resample_chunk(more)])
        taken, self._resampled = self._resampled[:frames], self._resampled[frames:]
        return taken
