"""The microphone: 16 kHz mono blocks from what is plugged in, also after it was unplugged; it understands nothing.

PortAudio's thread only copies. One thread of our own opens, shapes, watches and reopens; who reads takes blocks from a
bounded backlog. No sound is written anywhere unless *keep_sound* names a folder.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from seance.audio.bounded_queue import Backlog
from seance.audio.devices import Device, choose_input, inputs_afresh
from seance.audio.input_stream import Capture
from seance.audio.portaudio import SoundTrouble, look_again, patience, stand_aside, steady
from seance.audio.recorder import Keeper
from seance.audio.resampling import Block, Shaper

_STALLED_SECONDS = 1.0
_FIRST_BLOCK_SECONDS = 3.0
"""A sound server may take up to two seconds to deliver the first block."""
_FAREWELL_SECONDS = 2.0
_LAST_RESORTS = (48000, 44100)

log = logging.getLogger(__name__)


class Status(StrEnum):
    """How it stands with the microphone."""

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
    """Blocks of sound from the input whose name contains *device*; the default input without a name."""

    def __init__(
        self,
        device: str | None = None,
        *,
        rate: int = 16000,
        block_seconds: float = 0.05,
        backlog_seconds: float = 10.0,
        channel: int | None = None,
        device_rate: int | None = None,
        gain_db: float = 0.0,
        silent_after: float = 5.0,
        keep_sound: Path | None = None,
        keep_megabytes: int = 500,
        patient: bool = False,
        on_status: Callable[[Status], None] = lambda _: None,
    ) -> None:
        """Take *channel* (from 1) or the mean of the first two; open at *device_rate*, else *rate*, else its own.

        A *patient* microphone that is not there at the start is waited for; *on_status* is called on its own thread.
        """
        self.rate = rate
        self.block_frames = round(rate * block_seconds)
        """Every block has exactly so many samples."""
        self._wanted, self._channel, self._wanted_rate = device, channel, device_rate
        self._block_seconds, self._gain_db, self._silent_after = block_seconds, gain_db, silent_after
        self._patient, self._on_status = patient, on_status
        self._backlog: Backlog[Block] = Backlog(max(1, round(backlog_seconds / block_seconds)))
        self._keeper = Keeper(keep_sound, rate, most=keep_megabytes * 1_000_000) if keep_sound else None
        self._status: Status | None = None
        self._capture: Capture | None = None
        self._aside = False
        self._looked = 0
        self._closing = threading.Event()
        self._leave: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._listen, name="microphone", daemon=True)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Begin to listen, or raise SoundTrouble."""
        leave = stand_aside(self._stand_aside)
        try:
            self._capture = self._opened()
        except SoundTrouble as trouble:
            if not self._patient:
                leave()
                raise
            self._lose(str(trouble))
        self._leave = leave
        self._thread.start()

    def close(self) -> None:
        """Let go of the device; whoever waits for a block is told that none comes. A second time does nothing."""
        self._closing.set()
        self._backlog.close(forget=True)
        capture = self._capture
        if capture is not None:
            capture.sound.close(forget=True)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_FAREWELL_SECONDS)
            if self._thread.is_alive():
                log.warning("%s does not let go: the sound system hangs", self)

    def blocks(self) -> Iterator[Block]:
        """Yield blocks as they come, waiting while the microphone is lost, until it is closed."""
        while (block := self.read()) is not None:
            yield block

    def read(self, timeout: float | None = None) -> Block | None:
        """Return the next block; None when it is closed, or after *timeout* seconds without one."""
        return self._backlog.get(timeout)

    @property
    def status(self) -> Status | None:
        """How it stands; None until the first sound has come."""
        return self._status

    @property
    def dropped(self) -> int:
        """How many blocks nobody read in time."""
        return self._backlog.dropped

    @property
    def device_name(self) -> str | None:
        """What the device that is open now calls itself."""
        capture = self._capture
        return capture.device.name if capture else None

    @property
    def device_rate(self) -> int | None:
        """The sample rate at which the device is open now (hertz)."""
        capture = self._capture
        return capture.rate if capture else None

    def __str__(self) -> str:
        return f"the microphone '{self._wanted}'" if self._wanted else "the default microphone"

    def _opened(self) -> Capture:
        with steady():
            device = choose_input(self._wanted)
            channels = min(device.channels, 2) if self._channel is None else self._channel
            if not 1 <= channels <= device.channels:
                raise SoundTrouble(f"'{device.label}' has no channel {channels}: it has {device.channels}")
            rates = (self._wanted_rate or self.rate, device.rate, *_LAST_RESORTS)
            return Capture(device, rates=rates, channels=channels, block_seconds=self._block_seconds)

    def _listen(self) -> None:
        try:
            while not self._closing.is_set():
                if self._capture is None and not self._found_again():
                    self._looked += 1
                    self._closing.wait(patience(self._looked))
                elif self._capture is not None:
                    self._looked = 0
                    self._hear_out(self._capture)
        finally:
            self._let_go()
            self._leave()
            self._backlog.close(forget=True)
            if self._keeper:
                self._keeper.close()
            self._say(Status.CLOSED)

    def _hear_out(self, capture: Capture) -> None:
        """Deliver what *capture* brings until it ends, stalls or stands aside."""
        channel = None if self._channel is None else self._channel - 1
        shaper = Shaper(
            capture.rate,
            capture.channels,
            rate=self.rate,
            frames=self.block_frames,
            channel=channel,
            gain_db=self._gain_db,
        )
        unchanged, patience = 0.0, _FIRST_BLOCK_SECONDS
        while (sound := capture.sound.get(patience)) is not None and not self._closing.is_set():
            patience = _STALLED_SECONDS
            for block in shaper.feed(sound):
                unchanged = unchanged + self._block_seconds if block.min() == block.max() else 0.0
                self._report(unchanged)
                self._backlog.put(block)
                if self._keeper:
                    self._keeper.keep(block)
        if not self._closing.is_set() and not self._aside:
            self._lose("its stream ended" if capture.sound.closed else "it delivers nothing")
        self._let_go()

    def _report(self, unchanged: float) -> None:
        """Tell from the seconds without any change whether it hears, at a block that has arrived."""
        if unchanged >= self._silent_after:
            if self._status is not Status.SILENT:
                log.warning("%s delivers nothing but silence: is it muted?", self)
                self._say(Status.SILENT)
        elif self._status is None:
            log.info("%s listens: %s", self, self.device_name)
            self._say(Status.LISTENING)
        elif self._status is Status.LOST or (self._status is Status.SILENT and unchanged == 0.0):
            log.info("%s is back: %s", self, self.device_name)
            self._say(Status.BACK)

    def _lose(self, why: str) -> None:
        if self._status is not Status.LOST:
            log.warning("%s is lost: %s; it is looked for", self, why)
            self._say(Status.LOST)

    def _found_again(self) -> bool:
        """Open the microphone if it is there now, initialising PortAudio again only when that helps."""
        aside, self._aside = self._aside, False
        try:
            with steady():
                if not aside and not self._is_known(choose_input(self._wanted, inputs_afresh())):
                    look_again()
                self._capture = self._opened()
        except SoundTrouble as trouble:
            self._lose(str(trouble))
        return self._capture is not None

    def _is_known(self, device: Device) -> bool:
        """Return whether this process would choose *device* too, by what it saw when PortAudio was initialised."""
        try:
            return choose_input(self._wanted).name == device.name
        except SoundTrouble:
            return False

    def _stand_aside(self) -> None:
        """Close the stream because PortAudio starts anew; the listening thread opens it again right after."""
        if self._capture is not None:
            self._aside = True
            self._capture.close()

    def _let_go(self) -> None:
        # Inside steady: a stream that nobody knows of any more must not outlive PortAudio's end.
        with steady():
            capture, self._capture = self._capture, None
            if capture is not None:
                capture.close()

    def _say(self, status: Status) -> None:
        self._status = status
        self._on_status(status)
