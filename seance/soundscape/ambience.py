"""Wind, rain, a clock, thunder and a heart as loops, by arithmetic; nothing is kept or played here.

Everything is made on a circle: noise by its spectrum, events laid around the end into the beginning. So the last sample
is followed by the first as any sample by the next, and no join can be heard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from seance.audio.formats import MIX_RATE_HZ, Samples

Layer = tuple[str, float]
"""The name of a loop, and its volume from 0 to 1."""

MOODS: Mapping[str, tuple[Layer, ...]] = MappingProxyType(
    {
        "none": (),
        "arrival": (("rain", 0.6), ("wind", 0.5), ("thunder", 0.7)),
        "visions": (("wind", 0.7),),
        "sand": (("clock", 0.5), ("wind", 0.3)),
        "last_seconds": (("heartbeat", 0.9), ("clock", 0.5)),
        "answers": (("rain", 0.5), ("thunder", 0.5)),
        "culprit": (("thunder", 0.8), ("wind", 0.6), ("heartbeat", 0.3)),
        "dawn": (("wind", 0.25),),
    }
)
"""What is heard in each mood of the night."""

_Sound = npt.NDArray[np.float64]


def wind(seconds: float = 24.0) -> Samples:
    """Return wind around a house: noise in three bands that swell at their own pace."""
    chance = np.random.default_rng(11)
    bands = ((80.0, 240.0, 1.0, (1, 3)), (260.0, 520.0, 0.5, (2, 5)), (600.0, 900.0, 0.18, (3, 7)))
    total = sum(
        strength * _noise(chance, seconds, low, high) * _swell(chance, seconds, turns)
        for low, high, strength, turns in bands
    )
    return _finished(np.asarray(total), 0.07)


def rain(seconds: float = 20.0) -> Samples:
    """Return rain on a window: a hiss, and drops that stand out of it."""
    chance = np.random.default_rng(12)
    hiss = _noise(chance, seconds, 900.0, 7000.0) * (0.8 + 0.2 * _swell(chance, seconds, (1, 2)))
    drops = np.zeros(len(hiss))
    for _ in range(round(seconds * 30)):
        at = np.arange(round(MIX_RATE_HZ * chance.uniform(0.004, 0.02))) / MIX_RATE_HZ
        drop = np.sin(2 * np.pi * chance.uniform(900, 3200) * at) * np.exp(-at / 0.003)
        _lay(drops, _soft(drop) * chance.uniform(0.5, 3.0), int(chance.integers(len(drops))))
    return _finished(hiss + drops, 0.045)


def clock(seconds: float = 8.0) -> Samples:
    """Return a long-case clock: tick, and a second later tock."""
    whole = np.zeros(round(seconds * MIX_RATE_HZ))
    for beat in range(round(seconds)):
        _lay(whole, _tick(1900.0 if beat % 2 == 0 else 1450.0), beat * MIX_RATE_HZ)
    return _finished(whole, 0.012)


def thunder(seconds: float = 40.0) -> Samples:
    """Return thunder behind the hills, twice in a loop."""
    chance = np.random.default_rng(14)
    whole = np.zeros(round(seconds * MIX_RATE_HZ))
    for start, strength in ((0.12, 1.0), (0.68, 0.6)):
        length = 9.0
        at = np.arange(round(length * MIX_RATE_HZ)) / MIX_RATE_HZ
        roll = _noise(chance, length, 25.0, 140.0) + 0.3 * _noise(chance, length, 140.0, 380.0) * np.exp(-at / 1.2)
        shape = np.minimum(1, at / 0.4) * np.exp(-at / 2.4) * (0.6 + 0.4 * _swell(chance, length, (4, 9)))
        shape *= np.minimum(1, (length - at) / 1.0)
        _lay(whole, roll * shape * strength, round(start * len(whole)))
    return _finished(whole, 0.06)


def heartbeat(seconds: float = 8.0) -> Samples:
    """Return a heart that beats 75 times a minute."""
    whole = np.zeros(round(seconds * MIX_RATE_HZ))
    apart = 0.8
    for beat in range(round(seconds / apart)):
        _lay(whole, _thump(52.0, 0.09), round(beat * apart * MIX_RATE_HZ))
        _lay(whole, 0.6 * _thump(64.0, 0.07), round((beat * apart + 0.26) * MIX_RATE_HZ))
    return _finished(whole, 0.07)


LOOPS: Mapping[str, Callable[[], Samples]] = MappingProxyType(
    {"wind": wind, "rain": rain, "clock": clock, "thunder": thunder, "heartbeat": heartbeat}
)
"""How each is made, by name."""


def _noise(chance: np.random.Generator, seconds: float, low: float, high: float) -> _Sound:
    """Return noise between two frequencies, of level 1, that goes round without a seam."""
    size = round(seconds * MIX_RATE_HZ)
    pitches = np.fft.rfftfreq(size, 1 / MIX_RATE_HZ)
    # A bell over the logarithm of the pitch has no edge that could ring.
    middle, width = np.log(np.sqrt(low * high)), np.log(high / low) / 2
    strength = np.exp(-(((np.log(np.maximum(pitches, 1.0)) - middle) / width) ** 2))
    spectrum = strength * np.exp(2j * np.pi * chance.random(len(pitches)))
    sound = np.fft.irfft(spectrum, size)
    return np.asarray(sound / np.sqrt(np.mean(sound**2)))


def _swell(chance: np.random.Generator, seconds: float, turns: tuple[int, int]) -> _Sound:
    """Return a slow coming and going between 0 and 1, in whole turns."""
    at = np.arange(round(seconds * MIX_RATE_HZ)) / round(seconds * MIX_RATE_HZ)
    waves = [np.sin(2 * np.pi * (turn * at + chance.random())) for turn in range(turns[0], turns[1] + 1)]
    total = np.sum(waves, axis=0)
    return np.asarray((total - total.min()) / (total.max() - total.min()))


def _tick(pitch: float) -> _Sound:
    at = np.arange(round(0.06 * MIX_RATE_HZ)) / MIX_RATE_HZ
    ring = np.sin(2 * np.pi * pitch * at) + 0.5 * np.sin(2 * np.pi * pitch * 2.3 * at)
    wood = np.sin(2 * np.pi * 310.0 * at) * np.exp(-at / 0.02)
    return _soft(np.asarray(ring * np.exp(-at / 0.006) + wood))


def _thump(pitch: float, decay: float) -> _Sound:
    at = np.arange(round(0.5 * MIX_RATE_HZ)) / MIX_RATE_HZ
    return _soft(np.asarray(np.sin(2 * np.pi * pitch * at) * np.minimum(1, at / 0.02) * np.exp(-at / decay)))


def _soft(event: _Sound) -> _Sound:
    """Return *event* rising from nothing and falling to nothing, so that it has no edge."""
    rise, fall = round(0.0005 * MIX_RATE_HZ), len(event) // 3
    event[:rise] *= np.linspace(0, 1, rise)
    event[len(event) - fall :] *= np.linspace(1, 0, fall)
    return event


def _lay(whole: _Sound, event: _Sound, start: int) -> None:
    """Add *event* to *whole* at *start*; what goes over the end goes on at the beginning."""
    places = np.arange(start, start + len(event)) % len(whole)
    whole[places] += event


def _finished(sound: _Sound, level: float) -> Samples:
    """Return *sound* at *level* (root mean square), as far as its peak allows."""
    gain = min(level / np.sqrt(np.mean(sound**2)), 0.7 / np.abs(sound).max())
    return np.asarray(sound * gain, np.float32)
