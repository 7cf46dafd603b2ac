"""The loudspeaker: an output stream that is watched and opened again after it was unplugged or has stalled."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from enum import StrEnum

from seance.audio.devices import Device, choose_output, rescan_outputs
from seance.audio.output_stream import FillBlock, OutputStream
from seance.audio.portaudio import SoundTrouble, portaudio_lock, register_stream, reinitialise, retry_delay_s

_WATCH_SECONDS = 0.25
_CLOSE_TIMEOUT_SECONDS = 2.0
_CLOSE_WITHOUT_STREAM_TIMEOUT_SECONDS = 0.3

log = logging.getLogger(__name__)


class LoudspeakerStatus(StrEnum):
    """Whether the loudspeaker works."""

    PLAYING = "playing"
    """It takes sound, for the first time."""
    LOST = "lost"
    """Unplugged, stalled or not there yet; it is looked for."""
    BACK = "back"
    """It takes sound again after it was lost."""
    CLOSED = "closed"

    @property
    def audible(self) -> bool:
        """Whether what is played can be heard."""
        return self in (LoudspeakerStatus.PLAYING, LoudspeakerStatus.BACK)


class Loudspeaker:
    """The output whose name contains *device*, or the default one, kept open by a thread of its own.

    It is opened at *rate*, else at 48000 hertz, else at its own rate. A missing device is reported to *on_status* and
    raises nothing.
    """

    def __init__(
        self,
        device: str | None,
        fill_block: FillBlock,
        *,
        rate: int | None,
        buffer_seconds: float,
        on_status: Callable[[LoudspeakerStatus], None],
    ) -> None:
        self.status: LoudspeakerStatus | None = None
        """None until it was opened."""
        self._device, self._fill_block, self._rate, self._buffer_seconds = device, fill_block, rate, buffer_seconds
        self._on_status = on_status
        self._stream: OutputStream | None = None
        self._reinitialising = False
        self._failed_attempts = 0
        self._closing = threading.Event()
        self._unregister: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._watch, name="playback", daemon=True)

    def open(self) -> None:
        """Begin to play; without a loudspeaker, begin to look for one."""
        self._unregister = register_stream(self._release_stream)
        try:
            self._stream = self._open_stream()
            self._set_status(LoudspeakerStatus.PLAYING)
        except SoundTrouble as trouble:
            self._mark_lost(str(trouble))
        self._thread.start()

    def close(self) -> None:
        """Release the device; closing twice is harmless."""
        self._closing.set()
        stream = self._stream
        if stream is not None:
            stream.ended.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            # A thread that only looks for a loudspeaker holds no device, and ends with the program.
            self._thread.join(_CLOSE_WITHOUT_STREAM_TIMEOUT_SECONDS if stream is None else _CLOSE_TIMEOUT_SECONDS)
            if self._thread.is_alive() and stream is not None:
                log.warning("%s does not let go: the sound system hangs", self)

    @property
    def stream(self) -> OutputStream | None:
        """The stream that is open now."""
        return self._stream

    def __str__(self) -> str:
        return f"the loudspeaker '{self._device}'" if self._device else "the default loudspeaker"

    def _watch(self) -> None:
        """Keep a stream open until `close` is called."""
        try:
            while not self._closing.is_set():
                stream = self._stream
                if stream is None:
                    self._failed_attempts = 0 if self._reopen() else self._failed_attempts + 1
                    if self._failed_attempts:
                        self._closing.wait(retry_delay_s(self._failed_attempts))
                elif stream.ended.wait(_WATCH_SECONDS) or stream.stalled:
                    if not self._closing.is_set() and not self._reinitialising:
                        self._mark_lost("it takes no more sound")
                    self._close_stream()
        finally:
            self._close_stream()
            self._unregister()
            self._set_status(LoudspeakerStatus.CLOSED)

    def _open_stream(self) -> OutputStream:
        with portaudio_lock():
            return OutputStream(
                choose_output(self._device), self._fill_block, buffer_seconds=self._buffer_seconds, rate=self._rate
            )

    def _reopen(self) -> bool:
        """Open the loudspeaker if it is there now, and return whether it is.

        PortAudio is initialised again only where it has not seen the device yet.
        """
        reinitialised, self._reinitialising = self._reinitialising, False
        try:
            with portaudio_lock():
                if not reinitialised and not self._is_known(choose_output(self._device, rescan_outputs())):
                    reinitialise()
                self._stream = stream = self._open_stream()
        except SoundTrouble as trouble:
            self._mark_lost(str(trouble))
            return False
        if self.status is LoudspeakerStatus.LOST:
            log.info("%s is back: %s", self, stream.device.name)
            self._set_status(LoudspeakerStatus.BACK)
        return True

    def _is_known(self, device: Device) -> bool:
        """Return whether PortAudio, as it was last initialised, would choose *device* too."""
        try:
            return choose_output(self._device).name == device.name
        except SoundTrouble:
            return False

    def _mark_lost(self, why: str) -> None:
        if self.status is not LoudspeakerStatus.LOST:
            log.warning("%s is lost: %s; it is looked for", self, why)
            self._set_status(LoudspeakerStatus.LOST)

    def _release_stream(self) -> None:
        """Close the stream before PortAudio is initialised again; the watching thread opens it right after."""
        if self._stream is not None:
            self._reinitialising = True
            self._stream.close()

    def _close_stream(self) -> None:
        if self._stream is None:
            return
        # Under the lock: a stream that is no longer registered must not outlive PortAudio's end.
        with portaudio_lock():
            stream, self._stream = self._stream, None
            if stream is not None:
                stream.close()

    def _set_status(self, status: LoudspeakerStatus) -> None:
        self.status = status
        self._on_status(status)
