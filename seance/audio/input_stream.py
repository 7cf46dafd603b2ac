"""One opened input, from its first sound to its end; it neither shapes sound nor comes back by itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from seance.audio.bounded_queue import Backlog
from seance.audio.devices import Device
from seance.audio.portaudio import open_at, steady

_RAW_SECONDS = 2.0
_BUFFER_SECONDS = 0.2
"""How late Python may be before the device loses sound; it does not delay a block."""


class Capture:
    """A running stream of *device* that puts every block as it came into `sound`, which is closed when it ends."""

    def __init__(self, device: Device, *, rates: Iterable[int], channels: int, block_seconds: float) -> None:
        self.device = device
        self.channels = channels
        self.sound: Backlog[bytes] = Backlog(max(2, round(_RAW_SECONDS / block_seconds)))
        """Interleaved int16."""
        self.overflows = 0
        """How often the device lost sound because this machine was too slow."""
        with steady() as sounddevice:

            def make(rate: int) -> Any:
                return sounddevice.RawInputStream(
                    device=device.index,
                    samplerate=rate,
                    channels=channels,
                    dtype="int16",
                    blocksize=round(rate * block_seconds),
                    latency=_BUFFER_SECONDS,
                    callback=self._take,
                    finished_callback=self.sound.close,
                )

            self._stream, self.rate = open_at(rates, make)
            try:
                self._stream.start()
            except sounddevice.PortAudioError:
                self._stream.close()
                raise

    def close(self) -> None:
        """Stop at once and let go of the device; a second time does nothing."""
        with steady():
            stream, self._stream = self._stream, None
            if stream is not None:
                stream.abort()
                stream.close()
        self.sound.close()

    def _take(self, sound: Any, _frames: int, _time: Any, status: Any) -> None:
        self.overflows += bool(status.input_overflow)
        self.sound.put(bytes(sound))
