"""Sound to the loudspeaker, with a definite end, also after it was unplugged; it makes no sound of its own.

PortAudio's thread mixes, and one thread of our own calls back when a sound has been heard to its end. Nothing here
raises because a device is missing: then a sound ends at once, unheard.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from types import TracebackType
from typing import Self

from seance.audio.loudspeaker import Output, Status
from seance.audio.mixer import Lane, Mixer, Once, Source
from seance.audio.scheduler import Bell
from seance.audio.waves import RATE, Samples, Wave

__all__ = ["Lane", "Outcome", "Playback", "Playing", "Status"]


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
        self._tail, self._on_status = tail, on_status
        self._mixer = Mixer()
        self._audible = False
        self._turn = threading.Lock()
        """Held by whoever touches these two."""
        self._last: tuple[Wave, float] | None = None
        self._ends = Bell("playback ends")
        self._output = Output(device, self._mixed, rate=device_rate, buffer=buffer, on_status=self._stands)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Begin to play; without a loudspeaker, begin to look for one."""
        self._output.open()

    def close(self) -> None:
        """Let go of the device; what is on its way ends as stopped. A second time does nothing."""
        self._output.close()
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
        return self._output.status

    @property
    def device_rate(self) -> int | None:
        """The sample rate at which the device is open now (hertz); None without one."""
        loudspeaker = self._output.loudspeaker
        return loudspeaker.rate if loudspeaker else None

    @property
    def latency(self) -> float | None:
        """From a cue until its first sample is heard, as the device promises (seconds); None without one."""
        loudspeaker = self._output.loudspeaker
        return loudspeaker.latency if loudspeaker else None

    @property
    def underflows(self) -> int:
        """How often there was a gap, because this machine was too slow, since the device was opened."""
        loudspeaker = self._output.loudspeaker
        return loudspeaker.underflows if loudspeaker else 0

    def _play(self, wave: Wave, on_end: Callable[[Outcome], None], start: Callable[[Source, Playing], None]) -> Playing:
        playing = Playing(on_end)
        source = Once(wave.at(RATE).samples)
        with self._turn:
            audible = self._audible
            if audible:
                start(source, playing)
        if not audible:
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

    def _stands(self, status: Status) -> None:
        """Take note of how it stands with the loudspeaker, and tell."""
        with self._turn:
            self._audible = status.audible
        if status is Status.LOST:
            self._drop(Outcome.UNHEARD)
        self._on_status(status)
