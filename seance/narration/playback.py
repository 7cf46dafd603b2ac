"""Sound to the loudspeaker, with a definite end, also after it was unplugged; it makes no sound of its own.

PortAudio's thread mixes. One thread of our own opens, watches and reopens the output, and one calls back when a sound
has been heard to its end. Nothing here raises because a device is missing: then a sound ends at once, unheard.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from types import TracebackType
from typing import Self

from seance.listening.devices import Device, choose_output, outputs_afresh
from seance.listening.portaudio import SoundTrouble, look_again, stand_aside, steady
from seance.narration.sound.bell import Bell
from seance.narration.sound.loudspeaker import Loudspeaker
from seance.narration.sound.mixer import Lane, Mixer, Once, Source
from seance.narration.sound.waves import RATE, Samples, Wave

__all__ = ["Lane", "Outcome", "Playback", "Playing", "Status"]

_LOOK_SECONDS = 0.25
_RETRY_SECONDS = 1.0
_FAREWELL_SECONDS = 2.0

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


class Outcome(StrEnum):
    """How a sound ended."""

    HEARD = "heard"
    """To its last sample, in the room."""
    STOPPED = "stopped"
    """Somebody wanted silence."""
    UNHEARD = "unheard"
    """There was no loudspeaker, or it went away."""


class Playing:
    """A sound on its way to the room."""

    def __init__(self, on_end: Callable[[Outcome], None]) -> None:
        self.outcome: Outcome | None = None
        """None until it has ended."""
        self._on_end = on_end
        self._over = threading.Event()

    def wait(self, timeout: float | None = None) -> Outcome | None:
        """Return how it ended, once it has; None after *timeout* seconds."""
        self._over.wait(timeout)
        return self.outcome

    def end(self, outcome: Outcome) -> None:
        """Tell its owner, the first time."""
        if self.outcome is None:
            self.outcome = outcome
            self._over.set()
            self._on_end(outcome)


class Playback:
    """A mixer at the output whose name contains *device*; at the default output without a name.

    It is opened at *device_rate*, else at 48000 hertz, else at its own rate. Every sound is late by *buffer* seconds,
    and so late may this machine be before there is a gap. A sound ends *tail* seconds after it has left the
    loudspeaker: so long a microphone hears the room. *on_status* and every `on_end` are called on threads of ours, and
    must not wait for a sound.
    """

    def __init__(
        self,
        device: str | None = None,
        *,
        device_rate: int | None = None,
        buffer: float = 0.04,
        tail: float = 0.0,
        on_status: Callable[[Status], None] = lambda _: None,
    ) -> None:
        self._wanted, self._wanted_rate, self._buffer = device, device_rate, buffer
        self._tail, self._on_status = tail, on_status
        self._mixer = Mixer()
        self._turn = threading.Lock()
        """Held by whoever touches the mixer."""
        self._last: tuple[Wave, float] | None = None
        self._status: Status | None = None
        self._loudspeaker: Loudspeaker | None = None
        self._aside = False
        self._closing = threading.Event()
        self._ends = Bell("playback ends")
        self._leave: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._keep, name="playback", daemon=True)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Begin to play; without a loudspeaker, begin to look for one."""
        try:
            self._leave = stand_aside(self._stand_aside)
            self._loudspeaker = self._opened()
            self._say(Status.PLAYING)
        except SoundTrouble as trouble:
            self._lose(str(trouble))
        self._thread.start()

    def close(self) -> None:
        """Let go of the device; what is on its way ends as stopped. A second time does nothing."""
        self._closing.set()
        loudspeaker = self._loudspeaker
        if loudspeaker is not None:
            loudspeaker.ended.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_FAREWELL_SECONDS)
            if self._thread.is_alive():
                log.warning("%s does not let go: the sound system hangs", self)
        self._drop(Outcome.STOPPED)
        self._ends.close()

    def say(self, wave: Wave, *, volume: float = 1.0, on_end: Callable[[Outcome], None] = lambda _: None) -> Playing:
        """Play *wave* on the lane of speech, after all that is being said."""
        self._last = (wave, volume)
        return self._play(wave, on_end, lambda source, playing: self._mixer.say(source, playing, volume))

    def repeat(self, on_end: Callable[[Outcome], None] = lambda _: None) -> Playing | None:
        """Say what was said last once more, from its beginning; None where nothing was."""
        if self._last is None:
            return None
        wave, volume = self._last
        return self.say(wave, volume=volume, on_end=on_end)

    def ring(self, wave: Wave, *, volume: float = 1.0, on_end: Callable[[Outcome], None] = lambda _: None) -> Playing:
        """Play *wave*, an earcon or a knock, now."""
        return self._play(wave, on_end, lambda source, playing: self._mixer.ring(source, playing, volume))

    def surround(self, layers: Sequence[tuple[Source, float]] = (), *, seconds: float = 3.0) -> None:
        """Let *layers*, each at its volume, be the ambience within *seconds*; none are silence. What stays goes on."""
        with self._turn:
            self._mixer.surround(layers, seconds)

    def hush(self) -> None:
        """Say nothing more, at once; the ambience stays."""
        with self._turn:
            waiting = self._mixer.hush()
        self._end(waiting, Outcome.STOPPED)

    def pause(self) -> None:
        """Hold what is being said where it is."""
        with self._turn:
            self._mixer.pause()

    def resume(self) -> None:
        """Go on with what was paused."""
        with self._turn:
            self._mixer.resume()

    def set_volume(self, volume: float, lane: Lane | None = None) -> None:
        """Set the volume of *lane*, or of everything: 0 is silence, 1 as it was made."""
        with self._turn:
            self._mixer.set_volume(volume, lane)

    @property
    def speaking(self) -> bool:
        """Whether anything is being said or waits to be."""
        with self._turn:
            return self._mixer.speaking

    @property
    def status(self) -> Status | None:
        """How it stands; None until it was opened."""
        return self._status

    @property
    def device_name(self) -> str | None:
        """What the device that is open now calls itself."""
        loudspeaker = self._loudspeaker
        return loudspeaker.device.name if loudspeaker else None

    @property
    def device_rate(self) -> int | None:
        """The sample rate at which the device is open now (hertz)."""
        loudspeaker = self._loudspeaker
        return loudspeaker.rate if loudspeaker else None

    @property
    def underflows(self) -> int:
        """How often there was a gap, because this machine was too slow, since the device was opened."""
        loudspeaker = self._loudspeaker
        return loudspeaker.underflows if loudspeaker else 0

    @property
    def latency(self) -> float | None:
        """From a cue until its first sample is heard, as the device promises (seconds); None without one."""
        loudspeaker = self._loudspeaker
        return loudspeaker.latency if loudspeaker else None

    def __str__(self) -> str:
        return f"the loudspeaker '{self._wanted}'" if self._wanted else "the default loudspeaker"

    def _play(self, wave: Wave, on_end: Callable[[Outcome], None], start: Callable[[Source, Playing], None]) -> Playing:
        playing = Playing(on_end)
        source = Once(wave.at(RATE).samples)
        with self._turn:
            heard = self._status in (Status.PLAYING, Status.BACK)
            if heard:
                start(source, playing)
        if not heard:
            self._end([playing], Outcome.UNHEARD)
        return playing

    def _mixed(self, frames: int, due: float) -> Samples:
        """Return the next block for the loudspeaker, to be heard at *due*."""
        with self._turn:
            mixed = self._mixer.mix(frames)
        for over in mixed.ended:
            outcome = Outcome.HEARD if over.whole else Outcome.STOPPED
            self._end([over.tag], outcome, due + over.frame / RATE + self._tail)
        return mixed.samples

    def _end(self, sounds: Sequence[object], outcome: Outcome, due: float | None = None) -> None:
        """Have the owners of *sounds* called when it is time."""
        now = time.monotonic()
        for sound in sounds:
            if isinstance(sound, Playing):
                self._ends.call_at(now if due is None else due, partial(sound.end, outcome))

    def _drop(self, outcome: Outcome) -> None:
        with self._turn:
            over = self._mixer.clear()
        self._end(over, outcome)

    def _keep(self) -> None:
        """Keep a loudspeaker open until we close."""
        try:
            while not self._closing.is_set():
                loudspeaker = self._loudspeaker
                if loudspeaker is None:
                    if not self._found_again():
                        self._closing.wait(_RETRY_SECONDS)
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
            return Loudspeaker(choose_output(self._wanted), self._mixed, buffer=self._buffer, rate=self._wanted_rate)

    def _found_again(self) -> bool:
        """Open the loudspeaker if it is there now, initialising PortAudio again only when that helps."""
        aside, self._aside = self._aside, False
        try:
            with steady():
                if not aside and not self._is_known(choose_output(self._wanted, outputs_afresh())):
                    look_again()
                self._loudspeaker = self._opened()
        except SoundTrouble as trouble:
            self._lose(str(trouble))
            return False
        if self._status is not Status.PLAYING and self._status is not Status.BACK:
            log.info("%s is back: %s", self, self.device_name)
            self._say(Status.BACK)
        return True

    def _is_known(self, device: Device) -> bool:
        """Return whether this process would choose *device* too, by what it saw when PortAudio was initialised."""
        try:
            return choose_output(self._wanted).name == device.name
        except SoundTrouble:
            return False

    def _lose(self, why: str) -> None:
        if self._status is not Status.LOST:
            log.warning("%s is lost: %s; it is looked for every second", self, why)
            self._say(Status.LOST)
        self._drop(Outcome.UNHEARD)

    def _stand_aside(self) -> None:
        """Close the stream because PortAudio starts anew; our thread opens it again right after."""
        if self._loudspeaker is not None:
            self._aside = True
            self._loudspeaker.close()

    def _let_go(self) -> None:
        if self._loudspeaker is None:
            return
        with steady():
            loudspeaker, self._loudspeaker = self._loudspeaker, None
            if loudspeaker is not None:
                loudspeaker.close()

    def _say(self, status: Status) -> None:
        with self._turn:
            self._status = status
        self._on_status(status)
