"""Three lanes of sound made into one, block by block; arithmetic only: no device, no thread, no clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from seance.audio.waves import RATE, Samples

_CUT_SECONDS = 0.01
"""How long a sound takes to stop at once: a sharper edge would click."""
_DUCK_SECONDS, _RISE_SECONDS = 0.15, 0.9
_VOLUME_SECONDS = 0.1
DUCKED = 0.22
"""What is left of the ambience under speech."""


class Lane(StrEnum):
    """Sounds that are treated alike."""

    SPEECH = "speech"
    """One after the other."""
    EARCONS = "earcons"
    """Whenever they come."""
    AMBIENCE = "ambience"
    """All the time, softer under speech."""


class Source(Protocol):
    """Where samples come from."""

    def take(self, frames: int) -> Samples:
        """Return the next *frames* samples; fewer at the end."""


class Once:
    """Samples from the first to the last."""

    def __init__(self, samples: Samples) -> None:
        self._samples, self._at = samples, 0

    def take(self, frames: int) -> Samples:
        """Return the next *frames* samples; fewer at the end."""
        taken = self._samples[self._at : self._at + frames]
        self._at += len(taken)
        return taken


class Loop:
    """Samples over and over."""

    def __init__(self, samples: Samples) -> None:
        self._samples, self._at = samples, 0

    def take(self, frames: int) -> Samples:
        """Return the next *frames* samples."""
        taken = self._samples.take(np.arange(self._at, self._at + frames), mode="wrap")
        self._at = (self._at + frames) % len(self._samples)
        return taken


@dataclass(frozen=True, slots=True)
class Ended:
    """A sound that is over."""

    tag: Hashable
    frame: int
    """Of the block with which it ended."""
    whole: bool
    """Whether it was played to its last sample."""


@dataclass(frozen=True, slots=True)
class Mixed:
    """The next block."""

    samples: Samples
    ended: tuple[Ended, ...] = ()


class Ramp:
    """A gain that goes to its target by small steps."""

    def __init__(self, value: float, rate: int = RATE) -> None:
        self.value = self.target = value
        self._rate, self._step = rate, 1.0

    def go(self, target: float, seconds: float) -> None:
        """Be at *target* in *seconds*."""
        if target != self.target:
            self.target = target
            self._step = abs(target - self.value) / max(1.0, seconds * self._rate)

    @property
    def left(self) -> int:
        """How many samples until the target is reached."""
        return int(np.ceil(abs(self.target - self.value) / self._step)) if self.value != self.target else 0

    def take(self, frames: int) -> Samples | np.float32:
        """Return the next *frames* values; one for all where nothing changes."""
        if self.value == self.target:
            return np.float32(self.value)
        moved = self._step * np.arange(1, frames + 1, dtype=np.float32)
        if self.target > self.value:
            values = np.minimum(self.value + moved, self.target)
        else:
            values = np.maximum(self.value - moved, self.target)
        self.value = self.target if frames >= self.left else float(values[-1])
        return np.asarray(values, np.float32)


class _Track:
    """A source with a gain of its own."""

    def __init__(self, source: Source, tag: Hashable, volume: float, rate: int, *, rise: float = 0.0) -> None:
        self.source, self.tag = source, tag
        self.gain = Ramp(0.0 if rise else volume, rate)
        self.gain.go(volume, rise)
        self.leaving = False

    def stay(self, volume: float, seconds: float) -> None:
        self.leaving = False
        self.gain.go(volume, seconds)

    def leave(self, seconds: float) -> None:
        self.leaving = True
        self.gain.go(0.0, seconds)

    def add_to(self, block: Samples) -> int:
        """Add the next samples to *block*; return how many, fewer than it has where the sound is over."""
        frames = min(len(block), self.gain.left) if self.leaving else len(block)
        taken = self.source.take(frames)
        block[: len(taken)] += taken * self.gain.take(len(taken)) if len(taken) else 0
        return len(taken)


class Mixer:
    """Speech, earcons and ambience, each at its volume, as blocks at *rate*; a *tag* names a sound to its owner."""

    def __init__(self, rate: int = RATE, *, ducked: float = DUCKED) -> None:
        self.rate = rate
        self._ducked = ducked
        self._speech: _Track | None = None
        self._waiting: deque[_Track] = deque()
        self._leaving: list[_Track] = []
        """Speech that was stopped and fades."""
        self._earcons: list[_Track] = []
        self._ambience: list[_Track] = []
        self._volumes = {lane: Ramp(1.0, rate) for lane in Lane}
        self._master = Ramp(1.0, rate)
        self._duck = Ramp(1.0, rate)
        self._flow = Ramp(1.0, rate)
        """Of speech: 0 while it is paused."""

    def say(self, source: Source, tag: Hashable = None, volume: float = 1.0) -> None:
        """Play *source* after all that is being said."""
        self._waiting.append(_Track(source, tag, volume, self.rate))

    def ring(self, source: Source, tag: Hashable = None, volume: float = 1.0) -> None:
        """Play *source* now, whatever else is heard."""
        self._earcons.append(_Track(source, tag, volume, self.rate))

    def surround(self, layers: Iterable[tuple[Source, float]], seconds: float) -> None:
        """Let *layers*, each at its volume, take the ambience's place within *seconds*; a source in both goes on."""
        wanted = {id(source): (source, volume) for source, volume in layers}
        for track in self._ambience:
            if (stays := wanted.pop(id(track.source), None)) is not None:
                track.stay(stays[1], seconds)
            else:
                track.leave(seconds)
        self._ambience += [_Track(source, None, volume, self.rate, rise=seconds) for source, volume in wanted.values()]

    def hush(self) -> tuple[Hashable, ...]:
        """Stop what is being said, and return what was to be said after it."""
        if self._speech is not None:
            self._speech.leave(0.0 if self.paused else _CUT_SECONDS)
            self._leaving.append(self._speech)
            self._speech = None
        waiting = tuple(track.tag for track in self._waiting)
        self._waiting.clear()
        self._flow = Ramp(1.0, self.rate)
        return waiting

    def clear(self) -> tuple[Hashable, ...]:
        """Forget speech and earcons and return them: nobody hears. The ambience stays."""
        over = [*self._leaving, *([self._speech] if self._speech else []), *self._waiting, *self._earcons]
        self._speech = None
        self._leaving, self._earcons = [], []
        self._waiting.clear()
        return tuple(track.tag for track in over)

    def pause(self) -> None:
        """Hold speech where it is."""
        self._flow.go(0.0, _CUT_SECONDS)

    def resume(self) -> None:
        """Let speech go on."""
        self._flow.go(1.0, _CUT_SECONDS)

    @property
    def paused(self) -> bool:
        """Whether speech is held."""
        return self._flow.target == 0.0

    @property
    def speaking(self) -> bool:
        """Whether anything is being said or waits to be."""
        return self._speech is not None or bool(self._waiting)

    def set_volume(self, volume: float, lane: Lane | None = None) -> None:
        """Set the volume of *lane*, or of everything; 1 is as it was recorded."""
        (self._master if lane is None else self._volumes[lane]).go(volume, _VOLUME_SECONDS)

    def mix(self, frames: int) -> Mixed:
        """Return the next *frames* samples, and what ended in them."""
        ended: list[Ended] = []
        talking = self.speaking and not self.paused
        self._duck.go(self._ducked if talking else 1.0, _DUCK_SECONDS if talking else _RISE_SECONDS)
        speech = self._mixed_speech(frames, ended)
        self._leaving = self._played(self._leaving, speech, ended)
        earcons, ambience = np.zeros((2, frames), np.float32)
        self._earcons = self._played(self._earcons, earcons, ended)
        self._ambience = self._played(self._ambience, ambience, [])
        volume = {lane: ramp.take(frames) for lane, ramp in self._volumes.items()}
        mixed = speech * volume[Lane.SPEECH] + earcons * volume[Lane.EARCONS]
        mixed += ambience * volume[Lane.AMBIENCE] * self._duck.take(frames)
        return Mixed(np.clip(mixed * self._master.take(frames), -1.0, 1.0), tuple(ended))

    def _mixed_speech(self, frames: int, ended: list[Ended]) -> Samples:
        """Return what is said, one track after the other without a gap."""
        block = np.zeros(frames, np.float32)
        # A pause is a short fade, and then nothing is taken from the track: it goes on where it stopped.
        flowing = min(frames, self._flow.left) if self.paused else frames
        at = 0
        while at < flowing and self.speaking:
            self._speech = self._speech or self._waiting.popleft()
            at += self._speech.add_to(block[at:flowing])
            if at < flowing:
                ended.append(Ended(self._speech.tag, at, whole=True))
                self._speech = None
        if flowing:
            block[:flowing] *= self._flow.take(flowing)
        return block

    @staticmethod
    def _played(tracks: list[_Track], block: Samples, ended: list[Ended]) -> list[_Track]:
        """Add *tracks* to *block* and return those that go on."""
        going = []
        for track in tracks:
            played = track.add_to(block)
            if played == len(block):
                going.append(track)
            else:
                ended.append(Ended(track.tag, played, whole=not track.leaving))
        return going
