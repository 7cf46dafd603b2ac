"""A loudspeaker that comes back: opened, watched and opened again; what it plays is asked from somebody else."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from enum import StrEnum

from seance.audio.devices import Device, choose_output, outputs_afresh
from seance.audio.output_stream import Fill, Loudspeaker
from seance.audio.portaudio import SoundTrouble, look_again, patience, stand_aside, steady

_LOOK_SECONDS = 0.25
_FAREWELL_SECONDS, _LOOKING_SECONDS = 2.0, 0.3

log = logging.getLogger(__name__)


class Status(StrEnum):
    """How it stands with the loudspeaker."""

    PLAYING = "playing"
    """It takes sound, for the first time."""
    LOST = "lost"
    """Unplugged, stalled or not there yet; it is looked for."""
    BACK = "back"
    """It takes sound again after it was lost."""
    CLOSED = "closed"

    @property
    def audible(self) -> bool:
        """Whether anybody hears what is played."""
        return self in (Status.PLAYING, Status.BACK)


class Output:
    """The output whose name contains *device*, or the default one, kept open by a thread of its own.

    It is opened at *rate*, else at 48000 hertz, else at its own rate; it never raises because it is missing, and tells
    *on_status* instead.
    """

    def __init__(
        self,
        device: str | None,
        fill: Fill,
        *,
        rate: int | None,
        buffer: float,
        on_status: Callable[[Status], None],
    ) -> None:
        self.status: Status | None = None
        """None until it was opened."""
        self._wanted, self._fill, self._rate, self._buffer = device, fill, rate, buffer
        self._on_status = on_status
        self._loudspeaker: Loudspeaker | None = None
        self._aside = False
        self._looked = 0
        self._closing = threading.Event()
        self._leave: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._keep, name="playback", daemon=True)

    def open(self) -> None:
        """Begin to play; without a loudspeaker, begin to look for one."""
        self._leave = stand_aside(self._stand_aside)
        try:
            self._loudspeaker = self._opened()
            self._say(Status.PLAYING)
        except SoundTrouble as trouble:
            self._lose(str(trouble))
        self._thread.start()

    def close(self) -> None:
        """Let go of the device; a second time does nothing."""
        self._closing.set()
        loudspeaker = self._loudspeaker
        if loudspeaker is not None:
            loudspeaker.ended.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            # One that only looks for a loudspeaker has nothing to let go of, and ends with the program.
            self._thread.join(_LOOKING_SECONDS if loudspeaker is None else _FAREWELL_SECONDS)
            if self._thread.is_alive() and loudspeaker is not None:
                log.warning("%s does not let go: the sound system hangs", self)

    @property
    def loudspeaker(self) -> Loudspeaker | None:
        """What is open now."""
        return self._loudspeaker

    def __str__(self) -> str:
        return f"the loudspeaker '{self._wanted}'" if self._wanted else "the default loudspeaker"

    def _keep(self) -> None:
        """Keep a loudspeaker open until we close."""
        try:
            while not self._closing.is_set():
                loudspeaker = self._loudspeaker
                if loudspeaker is None:
                    self._looked = 0 if self._found_again() else self._looked + 1
                    if self._looked:
                        self._closing.wait(patience(self._looked))
                elif loudspeaker.ended.wait(_LOOK_SECONDS) or loudspeaker.stalled:
                    if not self._closing.is_set() and not self._aside:
                        self._lose("it takes no more sound")
                    self._let_go()
        finally:
            self._let_go()
            self._leave()
            self._say(Status.CLOSED)

    def _opened(self) -> Loudspeaker:
        with steady():
            return Loudspeaker(choose_output(self._wanted), self._fill, buffer=self._buffer, rate=self._rate)

    def _found_again(self) -> bool:
        """Open the loudspeaker if it is there now, initialising PortAudio again only when that helps."""
        aside, self._aside = self._aside, False
        try:
            with steady():
                if not aside and not self._is_known(choose_output(self._wanted, outputs_afresh())):
                    look_again()
                self._loudspeaker = loudspeaker = self._opened()
        except SoundTrouble as trouble:
            self._lose(str(trouble))
            return False
        if self.status is Status.LOST:
            log.info("%s is back: %s", self, loudspeaker.device.name)
            self._say(Status.BACK)
        return True

    def _is_known(self, device: Device) -> bool:
        """Return whether this process would choose *device* too, by what it saw when PortAudio was initialised."""
        try:
            return choose_output(self._wanted).name == device.name
        except SoundTrouble:
            return False

    def _lose(self, why: str) -> None:
        if self.status is not Status.LOST:
            log.warning("%s is lost: %s; it is looked for", self, why)
            self._say(Status.LOST)

    def _stand_aside(self) -> None:
        """Close the stream because PortAudio starts anew; our thread opens it again right after."""
        if self._loudspeaker is not None:
            self._aside = True
            self._loudspeaker.close()

    def _let_go(self) -> None:
        if self._loudspeaker is None:
            return
        # Inside steady: a stream that nobody knows of any more must not outlive PortAudio's end.
        with steady():
            loudspeaker, self._loudspeaker = self._loudspeaker, None
            if loudspeaker is not None:
                loudspeaker.close()

    def _say(self, status: Status) -> None:
        self.status = status
        self._on_status(status)
