"""The room's own sound, learned while nobody near speaks and taken out of the rest; it knows no words."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Sound = NDArray[np.float32]

RATE = 16_000
WINDOW, HOP = 512, 128
FRAME = HOP / RATE
"""Seconds from one frame to the next."""
MEMORY = 1.5
"""Seconds by which the room is known."""

_FADE = np.sqrt(np.hanning(WINDOW + 1)[:WINDOW]).astype(np.float32)
_OVERLAP = float(np.sum(_FADE**2) / HOP)
_BAND = slice(round(150 * WINDOW / RATE), round(5000 * WINDOW / RATE))
"""Where voices are: the level of a frame is taken there."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A few milliseconds of cleaned sound, and how loud they were before."""

    sound: Sound
    level: float
    """Decibels under full scale, smoothed."""
    power: NDArray[np.float64]
    """Its spectrum, before it was cleaned."""
    raw: Sound
    """The sound before it was cleaned."""


STILLNESS = Frame(np.zeros(HOP, np.float32), -90.0, np.zeros(WINDOW // 2 + 1), np.zeros(HOP, np.float32))
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
        self._levels: deque[float] = deque(maxlen=8)

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
        self._levels.append(float(np.sum(power[_BAND])))
        loud = sum(self._levels) / len(self._levels) / (WINDOW * WINDOW / 8)
        return Frame(done, 10 * float(np.log10(loud + 1e-12)), power, window[:HOP])
