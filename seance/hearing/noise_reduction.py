"""The room's own sound, learned while nobody near speaks and taken out of the rest; it knows no words."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seance.audio.formats import SPEECH_RATE_HZ, Sound

WINDOW, HOP = 512, 128
FRAME = HOP / SPEECH_RATE_HZ
"""Seconds from one frame to the next."""
MEMORY = 1.5
"""Seconds by which the room is known."""

_FADE = np.sqrt(np.hanning(WINDOW + 1)[:WINDOW]).astype(np.float32)
_OVERLAP = float(np.sum(_FADE**2) / HOP)
_BAND = slice(round(150 * WINDOW / SPEECH_RATE_HZ), round(5000 * WINDOW / SPEECH_RATE_HZ))
"""Where voices are: the level of a frame is taken there."""
_HERTZ = np.arange(_BAND.start, _BAND.stop) * SPEECH_RATE_HZ / WINDOW
_VOICE = 1 / (1 + (_HERTZ / 500) ** 2.5)
"""How the power of a voice falls with its pitch, roughly."""
_STILL = 2e-5
"""The power, in each line of a spectrum, of a room that is all but still."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A few milliseconds of cleaned sound, and how loud they were before."""

    sound: Sound
    level: float
    """Decibels under full scale, smoothed; what voices have more of than this room counts for more."""
    loudness: float
    """The same with all that voices have alike."""
    power: NDArray[np.float64]
    """Its spectrum, before it was cleaned."""
    raw: Sound
    """The sound before it was cleaned."""


STILLNESS = Frame(np.zeros(HOP, np.float32), -90.0, -90.0, np.zeros(WINDOW // 2 + 1), np.zeros(HOP, np.float32))
"""A frame in which there is nothing."""


class Cleaner:
    """Takes the room's steady sound out of a stream, with a Wiener filter that eases in and out."""

    deepest: float = 10 ** (-18 / 20)
    """The room is lowered by no more than this: a voice with holes is worse than noise."""
    over: float = 1.5
    """Babble comes and goes: it is taken for this much stronger than it is on average."""
    ease: float = 0.92
    """How much the filter trusts the frame before."""

    def __init__(self) -> None:
        self._rest = np.zeros(0, np.float32)
        self._tail = np.zeros(WINDOW, np.float32)
        self._before = np.ones(WINDOW // 2 + 1)
        self._room = np.zeros(WINDOW // 2 + 1)
        self._learned = 0
        self._heeded = np.ones((2, _HERTZ.size))
        """By how much each line of a spectrum counts for a frame's level, and for its loudness."""
        self._levels: deque[NDArray[np.float64]] = deque(maxlen=8)

    def feed(self, sound: Sound) -> list[Frame]:
        """Return the frames that *sound* completes."""
        sound = np.concatenate([self._rest, sound])
        count = max(0, (sound.size - WINDOW) // HOP + 1)
        self._rest = sound[count * HOP :]
        return [self._clean(sound[n * HOP : n * HOP + WINDOW]) for n in range(count)]

    def learn(self, frame: Frame) -> None:
        """Take *frame* for the room's own sound."""
        self._learned += 1
        self._room += max(1 / self._learned, FRAME / MEMORY) * (frame.power - self._room)
        if self._learned % 8 == 0 and self._learned * FRAME > 0.15:
            self._heeded[0] = _heeded(self._room[_BAND])

    def _clean(self, window: Sound) -> Frame:
        spectrum = np.fft.rfft(window * _FADE)
        power = np.abs(spectrum) ** 2
        above = power / (self.over * self._room + 1e-9)
        likely = self.ease * self._before + (1 - self.ease) * np.maximum(above - 1, 0)
        gain = np.maximum(likely / (1 + likely), self.deepest)
        self._before = gain * gain * above
        self._tail += (np.fft.irfft(spectrum * gain) * _FADE / _OVERLAP).astype(np.float32)
        done = self._tail[:HOP].copy()
        self._tail = np.concatenate([self._tail[HOP:], np.zeros(HOP, np.float32)])
        self._levels.append(self._heeded @ power[_BAND])
        level, loudness = 10 * np.log10(sum(self._levels) / len(self._levels) / (WINDOW * WINDOW / 8) + 1e-12)
        return Frame(done, float(level), float(loudness), power, window[:HOP])


def quietest(sound: Sound) -> float:
    """Return the level of the softest tenth of *sound*, in decibels, as frames have it."""
    levels = [frame.level for frame in Cleaner().feed(sound)]
    return float(np.percentile(levels, 10)) if levels else STILLNESS.level


def _heeded(room: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights by which a voice stands out of *room*, which is as loud by them as without.

    Only how steeply the room falls is heeded, not each line of it: the voices of a babbling room come and go.
    """
    room = room + _STILL * _VOICE / _VOICE.mean()
    weights = _VOICE ** min(max(1 - _fall(room) / _fall(_VOICE), 0.0), 1.0)
    return np.asarray(weights * room.sum() / (weights @ room))


def _fall(power: NDArray[np.float64]) -> float:
    """Return how much less there is of high sounds than of low ones, as a logarithm."""
    low = _HERTZ < 1000
    return float(np.log(power[low].mean() / power[~low].mean()))
