"""One open PortAudio input stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from seance.audio.devices import Device
from seance.audio.portaudio import open_at_supported_rate, portaudio_lock
from seance.bounded_queue import BoundedQueue

_QUEUE_SECONDS = 2.0
_BUFFER_SECONDS = 0.2
"""How late Python may be before the device loses sound; it does not delay a block."""


class InputStream:
    """A running stream that puts every block of *device* into `queue`, which is closed when the stream ends."""

    def __init__(self, device: Device, *, rates: Iterable[int], channels: int, block_seconds: float) -> None:
        """Open *device* at the first of *rates* (hertz) that it accepts."""
        self.device = device
        self.channels = channels
        self.queue: BoundedQueue[bytes] = BoundedQueue(max(2, round(_QUEUE_SECONDS / block_seconds)))
        """Blocks of interleaved int16 samples."""
        self.overflows = 0
        """How often the device lost sound because this machine was too slow."""
        with portaudio_lock() as sounddevice:

            def open_stream(rate: int) -> Any:
                return sounddevice.RawInputStream(
                    device=device.index,
                    samplerate=rate,
                    channels=channels,
                    dtype="int16",
                    blocksize=round(rate * block_seconds),
                    latency=_BUFFER_SECONDS,
                    callback=self._callback,
                    finished_callback=self.queue.close,
                )

            self._stream, self.rate = open_at_supported_rate(rates, open_stream)
            try:
                self._stream.start()
            except sounddevice.PortAudioError:
                self._stream.close()
                raise

    def close(self) -> None:
        """Abort the stream and release the device; closing twice is harmless."""
        with portaudio_lock():
            stream, self._stream = self._stream, None
            if stream is not None:
                stream.abort()
                stream.close()
        self.queue.close()

    def _callback(self, samples: Any, _frames: int, _time: Any, status: Any) -> None:
        self.overflows += bool(status.input_overflow)
        self.queue.put(bytes(samples))
