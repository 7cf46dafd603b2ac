"""The mixer: speech, earcons and ambience mixed into blocks of one channel. Pure arithmetic on samples."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seance.audio.formats import MIX_RATE_HZ, Samples

_STOP_FADE_SECONDS = 0.02
"""The fade of a sound that is stopped: a sharper edge would click."""
_DUCK_ATTACK_SECONDS = 0.15
_DUCK_RELEASE_SECONDS = 0.9
_VOLUME_RAMP_SECONDS = 0.1
DUCKING_GAIN = 0.22
"""The gain of the ambience under speech."""


class Bus(StrEnum):
    """A group of sounds that share a volume."""

    SPEECH = "speech"
    """Played one after the other."""
    EARCONS = "earcons"
    """Played as soon as they come."""
    AMBIENCE = "ambience"
    """Played all the time, softer under speech."""


class SampleSource(Protocol):
    """A stream of samples at the rate of the mixer."""

    def take(self, frames: int) -> Samples:
        """Return the next *frames* samples; fewer at the end."""


class OneShot:
    """A source that plays *samples* once."""

    def __init__(self, samples: Samples) -> None:
        self._samples, self._position = samples, 0

    def take(self, frames: int) -> Samples:
        """Return the next *frames* samples; fewer at the end."""
        taken = self._samples[self._position : self._position + frames]
        self._position += len(taken)
        return taken


class Loop:
    """A source that plays *samples* over and over; those of 16 bits take half of the memory."""

    def __init__(self, samples: Samples | NDArray[np.int16]) -> None:
        self._samples, self._position = samples, 0

    def take(self, frames: int) -> Samples:
        """Return the next *frames* samples."""
        taken = self._samples.take(np.arange(self._position, self._position + frames), mode="wrap")
        self._position = (self._position + frames) % len(self._samples)
        sound = taken.astype(np.float32, copy=False)
        return sound * np.float32(1 / 32768) if taken.dtype == np.int16 else sound


@dataclass(frozen=True, slots=True)
class TrackEnd:
    """The end of a sound in a mixed block."""

    tag: Hashable
    frame: int
    """The frame of the block at which it ended."""
    complete: bool
    """Whether it was played to its last sample."""


@dataclass(frozen=True, slots=True)
class MixedBlock:
    """A mixed block, and the sounds that ended in it."""

    samples: Samples
    ended: tuple[TrackEnd, ...] = ()


class GainRamp:
    """A gain that moves linearly to its target."""

    def __init__(self, value: float, rate: int = MIX_RATE_HZ) -> None:
        self.value = self.target = value
        self._rate, self._step = rate, 1.0

    def ramp_to(self, target: float, seconds: float) -> None:
        """Reach *target* in *seconds*."""
        if target != self.target:
            self.target = target
            self._step = abs(target - self.value) / max(1.0, seconds * self._rate)

    @property
    def frames_left(self) -> int:
        """The number of samples until the target is reached."""
        return int(np.ceil(abs(self.target - self.value) / self._step)) if self.value != self.target else 0

    def take(self, frames: int) -> Samples | np.float32:
        """Return the next *frames* values; a single one where the gain is constant."""
        if self.value == self.target:
            return np.float32(self.value)
        moved = self._step * np.arange(1, frames + 1, dtype=np.float32)
        if self.target > self.value:
            values = np.minimum(self.value + moved, self.target)
        else:
            values = np.maximum(self.value - moved, self.target)
        self.value = self.target if frames >= self.frames_left else float(values[-1])
        return np.asarray(values, np.float32)


class _Track:
    """A source with a gain of its own."""

    def __init__(
        self, source: SampleSource, tag: Hashable, volume: float, rate: int, *, fade_in_seconds: float = 0.0
    ) -> None:
        self.source, self.tag = source, tag
        self.gain = GainRamp(0.0 if fade_in_seconds else volume, rate)
        self.gain.ramp_to(volume, fade_in_seconds)
        self.fading_out = False

    def fade_to(self, volume: float, seconds: float) -> None:
        self.fading_out = False
        self.gain.ramp_to(volume, seconds)

    def fade_out(self, seconds: float) -> None:
        self.fading_out = True
        self.gain.ramp_to(0.0, seconds)

    def add_to(self, block: Samples) -> int:
        """Add the next samples to *block* and return their number, less than its length where the sound has ended."""
        frames = min(len(block), self.gain.frames_left) if self.fading_out else len(block)
        taken = self.source.take(frames)
        block[: len(taken)] += taken * self.gain.take(len(taken)) if len(taken) else 0
        return len(taken)


class Mixer:
    """Mix speech, earcons and ambience, each at its volume, into blocks at *rate* (hertz).

    A *tag* identifies a sound to whoever plays it. Under speech the ambience has the gain *ducking_gain*.
    """

    def __init__(self, rate: int = MIX_RATE_HZ, *, ducking_gain: float = DUCKING_GAIN) -> None:
        self.rate = rate
        self._ducking_gain = ducking_gain
        self._speech: _Track | None = None
        self._speech_queue: deque[_Track] = deque()
        self._stopped_speech: list[_Track] = []
        """Speech that was stopped and fades out."""
        self._earcons: list[_Track] = []
        self._ambience: list[_Track] = []
        self._volumes = {bus: GainRamp(1.0, rate) for bus in Bus}
        self._master = GainRamp(1.0, rate)
        self._ducking = GainRamp(1.0, rate)
        self._speech_gate = GainRamp(1.0, rate)
        """0 while speech is paused."""

    def queue_speech(self, source: SampleSource, tag: Hashable = None, volume: float = 1.0) -> None:
        """Play *source* after the speech that is queued."""
        self._speech_queue.append(_Track(source, tag, volume, self.rate))

    def play_earcon(self, source: SampleSource, tag: Hashable = None, volume: float = 1.0) -> None:
        """Play *source* now, over everything else."""
        self._earcons.append(_Track(source, tag, volume, self.rate))

    def set_ambience(self, layers: Iterable[tuple[SampleSource, float]], seconds: float) -> None:
        """Crossfade the ambience in *seconds* to *layers*, each at its volume; a source that is in both plays on."""
        wanted = {id(source): (source, volume) for source, volume in layers}
        for track in self._ambience:
            if (kept := wanted.pop(id(track.source), None)) is not None:
                track.fade_to(kept[1], seconds)
            else:
                track.fade_out(seconds)
        self._ambience += [
            _Track(source, None, volume, self.rate, fade_in_seconds=seconds) for source, volume in wanted.values()
        ]

    def stop_speech(self) -> tuple[Hashable, ...]:
        """Stop the speech that is playing, and return the tags of the queued speech, which is dropped."""
        if self._speech is not None:
            self._speech.fade_out(0.0 if self.paused else _STOP_FADE_SECONDS)
            self._stopped_speech.append(self._speech)
            self._speech = None
        queued = tuple(track.tag for track in self._speech_queue)
        self._speech_queue.clear()
        self._speech_gate = GainRamp(1.0, self.rate)
        return queued

    def clear(self) -> tuple[Hashable, ...]:
        """Drop all speech and earcons and return their tags; the ambience stays."""
        dropped = [
            *self._stopped_speech,
            *([self._speech] if self._speech else []),
            *self._speech_queue,
            *self._earcons,
        ]
        self._speech = None
        self._stopped_speech, self._earcons = [], []
        self._speech_queue.clear()
        return tuple(track.tag for track in dropped)

    def pause_speech(self) -> None:
        """Hold speech where it is."""
        self._speech_gate.ramp_to(0.0, _STOP_FADE_SECONDS)

    def resume_speech(self) -> None:
        """Continue speech where it was paused."""
        self._speech_gate.ramp_to(1.0, _STOP_FADE_SECONDS)

    @property
    def paused(self) -> bool:
        """Whether speech is paused."""
        return self._speech_gate.target == 0.0

    @property
    def speaking(self) -> bool:
        """Whether speech is playing or queued."""
        return self._speech is not None or bool(self._speech_queue)

    def set_volume(self, volume: float, bus: Bus | None = None) -> None:
        """Set the volume of *bus*, or of everything; 1 leaves the samples as they are."""
        (self._master if bus is None else self._volumes[bus]).ramp_to(volume, _VOLUME_RAMP_SECONDS)

    def mix(self, frames: int) -> MixedBlock:
        """Return the next *frames* samples, and the sounds that ended in them."""
        ended: list[TrackEnd] = []
        ducked = self.speaking and not self.paused
        self._ducking.ramp_to(
            self._ducking_gain if ducked else 1.0, _DUCK_ATTACK_SECONDS if ducked else _DUCK_RELEASE_SECONDS
        )
        speech = self._mix_speech(frames, ended)
        self._stopped_speech = self._mix_tracks(self._stopped_speech, speech, ended)
        earcons, ambience = np.zeros((2, frames), np.float32)
        self._earcons = self._mix_tracks(self._earcons, earcons, ended)
        self._ambience = self._mix_tracks(self._ambience, ambience, [])
        volume = {bus: ramp.take(frames) for bus, ramp in self._volumes.items()}
        mixed = speech * volume[Bus.SPEECH] + earcons * volume[Bus.EARCONS]
        mixed += ambience * volume[Bus.AMBIENCE] * self._ducking.take(frames)
        return MixedBlock(np.clip(mixed * self._master.take(frames), -1.0, 1.0), tuple(ended))

    def _mix_speech(self, frames: int, ended: list[TrackEnd]) -> Samples:
        """Return the next *frames* samples of speech, one track after the other without a gap."""
        block = np.zeros(frames, np.float32)
        # A pause is a short fade, and then nothing is taken from the track: it goes on where it stopped.
        playing = min(frames, self._speech_gate.frames_left) if self.paused else frames
        position = 0
        while position < playing and self.speaking:
            self._speech = self._speech or self._speech_queue.popleft()
            position += self._speech.add_to(block[position:playing])
            if position < playing:
                ended.append(TrackEnd(self._speech.tag, position, complete=True))
                self._speech = None
        if playing:
            block[:playing] *= self._speech_gate.take(playing)
        return block

    @staticmethod
    def _mix_tracks(tracks: list[_Track], block: Samples, ended: list[TrackEnd]) -> list[_Track]:
        """Add *tracks* to *block* and return those that play on."""
        playing = []
        for track in tracks:
            frames = track.add_to(block)
            if frames == len(block):
                playing.append(track)
            else:
                ended.append(TrackEnd(track.tag, frames, complete=not track.fading_out))
        return playing
