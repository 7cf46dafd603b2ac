"""One opened output, from its first sound to its end; it neither mixes nor comes back by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import soxr

from seance.audio.devices import Device
from seance.audio.portaudio import open_at, steady
from seance.audio.waves import RATE, Samples

_BLOCK_SECONDS = 0.01
_LAST_RESORT = 44_100
_STALLED_SECONDS = 1.0
_FIRST_BLOCK_SECONDS = 3.0
_LONGEST_DELAY = 2.0

Fill = Callable[[int, float], Samples]
"""Asked for so many samples at RATE, the first of which will be heard at that monotonic time."""


class Loudspeaker:
    """A running stream to *device* that asks *fill* for every block; `ended` is set when it is over."""

    def __init__(self, device: Device, fill: Fill, *, buffer: float, rate: int | None = None) -> None:
        """Open at *rate*, else at RATE, else at the device's own; every sound is late by *buffer* seconds."""
        self.device = device
        self.ended = threading.Event()
        self.underflows = 0
        """How often there was a gap because this machine was too slow."""
        self._fill = fill
        self._channels = min(device.channels, 2)
        self._rest: Samples = np.zeros(0, np.float32)
        self._asked: float | None = None
        self._opened = time.monotonic()
        with steady() as sounddevice:

            def make(at: int) -> Any:
                return sounddevice.RawOutputStream(
                    device=device.index,
                    samplerate=at,
                    channels=self._channels,
                    dtype="float32",
                    blocksize=round(at * _BLOCK_SECONDS),
                    latency=buffer,
                    callback=self._give,
                    finished_callback=self.ended.set,
                )

            self._stream, self.rate = open_at((rate or RATE, device.rate, _LAST_RESORT), make)
            self.latency = float(self._stream.latency)
            """From handing over a block until it is heard, as PortAudio promises (seconds)."""
            self._resampler = None
            if self.rate != RATE:
                self._resampler = soxr.ResampleStream(RATE, self.rate, 1, dtype="float32")
            try:
                self._stream.start()
            except sounddevice.PortAudioError:
                self._stream.close()
                raise

    @property
    def stalled(self) -> bool:
        """Whether the device has not asked for sound for too long."""
        asked = self._asked
        if asked is None:
            return time.monotonic() - self._opened > _FIRST_BLOCK_SECONDS
        return time.monotonic() - asked > _STALLED_SECONDS

    def close(self) -> None:
        """Stop at once and let go of the device; a second time does nothing."""
        with steady():
            stream, self._stream = self._stream, None
            if stream is not None:
                stream.abort()
                stream.close()
        self.ended.set()

    def _give(self, out: Any, frames: int, times: Any, status: Any) -> None:
        self._asked = time.monotonic()
        self.underflows += bool(status.output_underflow)
        delay = times.outputBufferDacTime - times.currentTime
        if not 0 < delay < _LONGEST_DELAY:  # not every driver knows
            delay = self.latency
        mono = self._taken(frames, self._asked + delay)
        out[:] = np.repeat(mono, self._channels).tobytes() if self._channels > 1 else mono.tobytes()

    def _taken(self, frames: int, due: float) -> Samples:
        """Return *frames* samples at the rate of the device."""
        if self._resampler is None:
            return self._fill(frames, due)
        while len(self._rest) < frames:
            ahead = len(self._rest) / self.rate
            more = self._fill(round(RATE * _BLOCK_SECONDS), due + ahead)
            self._rest = np.concatenate([self._rest, self._resampler.resample_chunk(more)])
        taken, self._rest = self._rest[:frames], self._rest[frames:]
        return taken
