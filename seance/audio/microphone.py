"""The microphone: blocks at one rate from an input stream that is opened again after it was unplugged.

PortAudio's thread only copies. A thread of our own opens, resamples, watches and reopens the stream; readers take
blocks from a bounded queue. Sound is written to disk only where *keep_sound* names a folder.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from seance.audio.devices import Device, choose_input, rescan_inputs
from seance.audio.formats import SPEECH_RATE_HZ, Block
from seance.audio.input_stream import InputStream
from seance.audio.portaudio import SoundTrouble, portaudio_lock, register_stream, reinitialise, retry_delay_s
from seance.audio.recorder import Recorder
from seance.audio.resampling import BlockResampler
from seance.bounded_queue import BoundedQueue

_STALLED_SECONDS = 1.0
_FIRST_BLOCK_SECONDS = 3.0
"""A sound server may take up to two seconds to deliver the first block."""
_CLOSE_TIMEOUT_SECONDS = 2.0
_FALLBACK_RATES_HZ = (48_000, 44_100)

log = logging.getLogger(__name__)


class MicrophoneStatus(StrEnum):
    """Whether the microphone works."""

    LISTENING = "listening"
    """Sound arrives, for the first time."""
    SILENT = "silent"
    """It delivers blocks that never change: muted, dead, or a wrong channel."""
    LOST = "lost"
    """Unplugged, stalled or not there yet; it is looked for."""
    BACK = "back"
    """Sound arrives again after it was lost or silent."""
    CLOSED = "closed"


class Microphone:
    """Blocks of sound from the input whose name contains *device*; from the default input without a name."""

    def __init__(
        self,
        device: str | None = None,
        *,
        rate: int = SPEECH_RATE_HZ,
        block_seconds: float = 0.05,
        queue_seconds: float = 10.0,
        channel: int | None = None,
        array_channels: int | None = None,
        may_have_fewer: bool = False,
        device_rate: int | None = None,
        gain_db: float = 0.0,
        silent_after_seconds: float = 5.0,
        keep_sound: Path | None = None,
        keep_megabytes: int = 500,
        wait_for_device: bool = False,
        clean: Callable[[Block], Block] = lambda block: block,
        on_status: Callable[[MicrophoneStatus], None] = lambda _: None,
    ) -> None:
        """Take *channel* (from 1) or the mean of the first two; open at *device_rate*, else *rate*, else its own.

        With *array_channels* blocks have a column for each of the first so many channels. A device with fewer is
        refused; if it *may_have_fewer*, its first channel alone is delivered, in blocks without columns.

        With *wait_for_device* a device that is missing at the start is looked for. *clean* is given each block as it
        arrives, and returns what readers get. *clean* and *on_status* are called on a thread of the microphone.
        """
        self.rate = rate
        self.block_frames = round(rate * block_seconds)
        """The number of samples in every block."""
        self._device, self._channel, self._device_rate = device, channel, device_rate
        self._array_channels, self._may_have_fewer = array_channels, may_have_fewer
        self._block_seconds, self._gain_db, self._silent_after_seconds = block_seconds, gain_db, silent_after_seconds
        self._wait_for_device, self._clean, self._on_status = wait_for_device, clean, on_status
        self._blocks: BoundedQueue[Block] = BoundedQueue(max(1, round(queue_seconds / block_seconds)))
        self._recorder: Recorder | None = None
        if keep_sound:
            max_bytes = keep_megabytes * 1_000_000
            self._recorder = Recorder(keep_sound, rate, max_bytes=max_bytes)
        self._status: MicrophoneStatus | None = None
        self._stream: InputStream | None = None
        self._reinitialising = False
        self._failed_attempts = 0
        self._closing = threading.Event()
        self._unregister: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._watch, name="microphone", daemon=True)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Begin to listen, or raise SoundTrouble."""
        unregister = register_stream(self._release_stream)
        try:
            self._stream = self._open_stream()
        except SoundTrouble as trouble:
            if not self._wait_for_device:
                unregister()
                raise
            self._mark_lost(str(trouble))
        self._unregister = unregister
        self._thread.start()

    def close(self) -> None:
        """Release the device and end every `read` that is waiting; closing twice is harmless."""
        self._closing.set()
        self._blocks.close(discard=True)
        stream = self._stream
        if stream is not None:
            stream.queue.close(discard=True)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_CLOSE_TIMEOUT_SECONDS)
            if self._thread.is_alive():
                log.warning("%s does not let go: the sound system hangs", self)

    def blocks(self) -> Iterator[Block]:
        """Yield blocks as they come, waiting while the microphone is lost, until it is closed."""
        while (block := self.read()) is not None:
            yield block

    def read(self, timeout: float | None = None) -> Block | None:
        """Return the next block; None when the microphone is closed, or after *timeout* seconds without one."""
        return self._blocks.get(timeout)

    @property
    def status(self) -> MicrophoneStatus | None:
        """Whether it works; None until the first sound has arrived."""
        return self._status

    @property
    def dropped(self) -> int:
        """The number of blocks that were not read in time."""
        return self._blocks.dropped

    @property
    def device_name(self) -> str | None:
        """The name of the device that is open now."""
        stream = self._stream
        return stream.device.name if stream else None

    @property
    def device_rate(self) -> int | None:
        """The sample rate at which the device is open now (hertz)."""
        stream = self._stream
        return stream.rate if stream else None

    @property
    def delivers_array(self) -> bool:
        """Whether the device that is open now has all channels of the array."""
        stream = self._stream
        return stream is not None and stream.channels == self._array_channels

    def __str__(self) -> str:
        return f"the microphone '{self._device}'" if self._device else "the default microphone"

    def _open_stream(self) -> InputStream:
        with portaudio_lock():
            device = choose_input(self._device)
            channels = self._choose_channels(device)
            rates = (self._device_rate or self.rate, device.rate, *_FALLBACK_RATES_HZ)
            return InputStream(device, rates=rates, channels=channels, block_seconds=self._block_seconds)

    def _choose_channels(self, device: Device) -> int:
        """Return how many channels of *device* to open, or raise SoundTrouble where it has not what is wanted."""
        if self._array_channels is not None and device.channels < self._array_channels:
            lack = f"'{device.label}' has {device.channels} channels, but the array has {self._array_channels}"
            if not self._may_have_fewer:
                raise SoundTrouble(f"{lack}: name another device, or another geometry")
            log.warning(
                "%s: one microphone listens; name another device in microphone.device, or another geometry "
                "in microphone.array",
                lack,
            )
            return 1
        channels = self._array_channels or (min(device.channels, 2) if self._channel is None else self._channel)
        if not 1 <= channels <= device.channels:
            raise SoundTrouble(f"'{device.label}' has no channel {channels}: it has {device.channels}")
        return channels

    def _watch(self) -> None:
        """Keep a stream open and deliver its blocks until `close` is called."""
        try:
            while not self._closing.is_set():
                if self._stream is None and not self._reopen():
                    self._failed_attempts += 1
                    self._closing.wait(retry_delay_s(self._failed_attempts))
                elif self._stream is not None:
                    self._failed_attempts = 0
                    self._deliver(self._stream)
        finally:
            self._close_stream()
            self._unregister()
            self._blocks.close(discard=True)
            if self._recorder:
                self._recorder.close()
            self._set_status(MicrophoneStatus.CLOSED)

    def _deliver(self, stream: InputStream) -> None:
        """Deliver the blocks of *stream* until it ends, stalls or is released."""
        channel = None if self._channel is None or self._array_channels is not None else self._channel - 1
        resampler = BlockResampler(
            stream.rate,
            stream.channels,
            rate=self.rate,
            frames=self.block_frames,
            channel=channel,
            gain_db=self._gain_db,
            all_channels=stream.channels == self._array_channels,
        )
        unchanged_seconds, timeout = 0.0, _FIRST_BLOCK_SECONDS
        while (sound := stream.queue.get(timeout)) is not None and not self._closing.is_set():
            timeout = _STALLED_SECONDS
            for block in resampler.feed(sound):
                unchanged_seconds = unchanged_seconds + self._block_seconds if block.min() == block.max() else 0.0
                self._update_status(unchanged_seconds)
                self._blocks.put(self._clean(block))
                if self._recorder:
                    self._recorder.write(block)
        if not self._closing.is_set() and not self._reinitialising:
            self._mark_lost("its stream ended" if stream.queue.closed else "it delivers nothing")
        self._close_stream()

    def _update_status(self, unchanged_seconds: float) -> None:
        """Set the status when a block arrives, after *unchanged_seconds* of samples that are all alike."""
        if unchanged_seconds >= self._silent_after_seconds:
            if self._status is not MicrophoneStatus.SILENT:
                log.warning("%s delivers nothing but silence: is it muted?", self)
                self._set_status(MicrophoneStatus.SILENT)
        elif self._status is None:
            log.info("%s listens: %s", self, self.device_name)
            self._set_status(MicrophoneStatus.LISTENING)
        elif self._status is MicrophoneStatus.LOST or (
            self._status is MicrophoneStatus.SILENT and unchanged_seconds == 0.0
        ):
            log.info("%s is back: %s", self, self.device_name)
            self._set_status(MicrophoneStatus.BACK)

    def _mark_lost(self, why: str) -> None:
        if self._status is not MicrophoneStatus.LOST:
            log.warning("%s is lost: %s; it is looked for", self, why)
            self._set_status(MicrophoneStatus.LOST)

    def _reopen(self) -> bool:
        """Open the microphone if it is there now, and return whether it is.

        PortAudio is initialised again only where it has not seen the device yet.
        """
        reinitialised, self._reinitialising = self._reinitialising, False
        try:
            with portaudio_lock():
                if not reinitialised and not self._is_known(choose_input(self._device, rescan_inputs())):
                    reinitialise()
                self._stream = self._open_stream()
        except SoundTrouble as trouble:
            self._mark_lost(str(trouble))
        return self._stream is not None

    def _is_known(self, device: Device) -> bool:
        """Return whether PortAudio, as it was last initialised, would choose *device* too."""
        try:
            return choose_input(self._device).name == device.name
        except SoundTrouble:
            return False

    def _release_stream(self) -> None:
        """Close the stream before PortAudio is initialised again; the microphone's thread opens it right after."""
        if self._stream is not None:
            self._reinitialising = True
            self._stream.close()

    def _close_stream(self) -> None:
        # Under the lock: a stream that is no longer registered must not outlive PortAudio's end.
        with portaudio_lock():
            stream, self._stream = self._stream, None
            if stream is not None:
                stream.close()

    def _set_status(self, status: MicrophoneStatus) -> None:
        self._status = status
        self._on_status(status)
