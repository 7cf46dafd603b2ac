"""Ambience: seamless loops of wind, rain, a clock, thunder and a heartbeat, synthesized.

Every loop is periodic: noise is made from its spectrum, and an event that runs over the end continues at the beginning.
So the step from the last sample to the first is like any other, and no join can be heard.
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
        "waiting": (("rain", 0.5), ("wind", 0.4)),
        "sand": (("clock", 0.5), ("wind", 0.3)),
        "last_seconds": (("heartbeat", 0.9), ("clock", 0.5)),
        "answers": (("rain", 0.5), ("thunder", 0.5)),
        "culprit": (("thunder", 0.8), ("wind", 0.6), ("heartbeat", 0.3)),
        "dawn": (("wind", 0.25),),
    }
)
"""The layers of each mood of the night."""

_MAX_PEAK = 0.7

_Signal = npt.NDArray[np.float64]


def wind(seconds: float = 24.0) -> Samples:
    """Return wind around a house: three bands of noise, each with a slow envelope of its own."""
    rng = np.random.default_rng(11)
    bands = ((80.0, 240.0, 1.0, (1, 3)), (260.0, 520.0, 0.5, (2, 5)), (600.0, 900.0, 0.18, (3, 7)))
    total = sum(
        gain * _band_noise(rng, seconds, low, high) * _envelope(rng, seconds, cycles)
        for low, high, gain, cycles in bands
    )
    return _normalise(np.asarray(total), 0.07)


def rain(seconds: float = 20.0) -> Samples:
    """Return rain on a window: a hiss, and single drops above it."""
    rng = np.random.default_rng(12)
    hiss = _band_noise(rng, seconds, 900.0, 7000.0) * (0.8 + 0.2 * _envelope(rng, seconds, (1, 2)))
    drops = np.zeros(len(hiss))
    for _ in range(round(seconds * 30)):
        at = np.arange(round(MIX_RATE_HZ * rng.uniform(0.004, 0.02))) / MIX_RATE_HZ
        drop = np.sin(2 * np.pi * rng.uniform(900, 3200) * at) * np.exp(-at / 0.003)
        _add_wrapped(drops, _fade_edges(drop) * rng.uniform(0.5, 3.0), int(rng.integers(len(drops))))
    return _normalise(hiss + drops, 0.045)


def clock(seconds: float = 8.0) -> Samples:
    """Return a long-case clock: a tick, and a second later a tock."""
    loop = np.zeros(round(seconds * MIX_RATE_HZ))
    for beat in range(round(seconds)):
        _add_wrapped(loop, _tick(1900.0 if beat % 2 == 0 else 1450.0), beat * MIX_RATE_HZ)
    return _normalise(loop, 0.012)


def thunder(seconds: float = 40.0) -> Samples:
    """Return distant thunder, twice in a loop."""
    rng = np.random.default_rng(14)
    loop = np.zeros(round(seconds * MIX_RATE_HZ))
    for start, gain in ((0.12, 1.0), (0.68, 0.6)):
        length = 9.0
        at = np.arange(round(length * MIX_RATE_HZ)) / MIX_RATE_HZ
        roll = _band_noise(rng, length, 25.0, 140.0) + 0.3 * _band_noise(rng, length, 140.0, 380.0) * np.exp(-at / 1.2)
        shape = np.minimum(1, at / 0.4) * np.exp(-at / 2.4) * (0.6 + 0.4 * _envelope(rng, length, (4, 9)))
        shape *= np.minimum(1, (length - at) / 1.0)
        _add_wrapped(loop, roll * shape * gain, round(start * len(loop)))
    return _normalise(loop, 0.06)


def heartbeat(seconds: float = 8.0) -> Samples:
    """Return a heart that beats 75 times a minute."""
    loop = np.zeros(round(seconds * MIX_RATE_HZ))
    interval = 0.8
    for beat in range(round(seconds / interval)):
        _add_wrapped(loop, _thump(52.0, 0.09), round(beat * interval * MIX_RATE_HZ))
        _add_wrapped(loop, 0.6 * _thump(64.0, 0.07), round((beat * interval + 0.26) * MIX_RATE_HZ))
    return _normalise(loop, 0.07)


LOOPS: Mapping[str, Callable[[], Samples]] = MappingProxyType(
    {"wind": wind, "rain": rain, "clock": clock, "thunder": thunder, "heartbeat": heartbeat}
)
"""The function that makes each loop, by name."""


def _band_noise(rng: np.random.Generator, seconds: float, low: float, high: float) -> _Signal:
    """Return periodic noise of root mean square 1 between the frequencies *low* and *high* (hertz)."""
    size = round(seconds * MIX_RATE_HZ)
    frequencies = np.fft.rfftfreq(size, 1 / MIX_RATE_HZ)
    # A Gaussian over the logarithm of the frequency has no edge that could ring.
    centre, width = np.log(np.sqrt(low * high)), np.log(high / low) / 2
    magnitude = np.exp(-(((np.log(np.maximum(frequencies, 1.0)) - centre) / width) ** 2))
    spectrum = magnitude * np.exp(2j * np.pi * rng.random(len(frequencies)))
    noise = np.fft.irfft(spectrum, size)
    return np.asarray(noise / np.sqrt(np.mean(noise**2)))


def _envelope(rng: np.random.Generator, seconds: float, cycles: tuple[int, int]) -> _Signal:
    """Return a slow periodic envelope between 0 and 1, made of sines from the first to the last number of *cycles*."""
    at = np.arange(round(seconds * MIX_RATE_HZ)) / round(seconds * MIX_RATE_HZ)
    sines = [np.sin(2 * np.pi * (count * at + rng.random())) for count in range(cycles[0], cycles[1] + 1)]
    total = np.sum(sines, axis=0)
    return np.asarray((total - total.min()) / (total.max() - total.min()))


def _tick(pitch: float) -> _Signal:
    at = np.arange(round(0.06 * MIX_RATE_HZ)) / MIX_RATE_HZ
    ring = np.sin(2 * np.pi * pitch * at) + 0.5 * np.sin(2 * np.pi * pitch * 2.3 * at)
    wood = np.sin(2 * np.pi * 310.0 * at) * np.exp(-at / 0.02)
    return _fade_edges(np.asarray(ring * np.exp(-at / 0.006) + wood))


def _thump(pitch: float, decay: float) -> _Signal:
    at = np.arange(round(0.5 * MIX_RATE_HZ)) / MIX_RATE_HZ
    return _fade_edges(np.asarray(np.sin(2 * np.pi * pitch * at) * np.minimum(1, at / 0.02) * np.exp(-at / decay)))


def _fade_edges(event: _Signal) -> _Signal:
    """Fade *event* in and out in place, so that it does not click, and return it."""
    rise, fall = round(0.0005 * MIX_RATE_HZ), len(event) // 3
    event[:rise] *= np.linspace(0, 1, rise)
    event[len(event) - fall :] *= np.linspace(1, 0, fall)
    return event


def _add_wrapped(loop: _Signal, event: _Signal, start: int) -> None:
    """Add *event* to *loop* at *start*; what runs over the end continues at the beginning."""
    indices = np.arange(start, start + len(event)) % len(loop)
    loop[indices] += event


def _normalise(signal: _Signal, rms: float) -> Samples:
    """Return *signal* with the root mean square *rms*, or less where its peak would exceed the limit."""
    gain = min(rms / np.sqrt(np.mean(signal**2)), _MAX_PEAK / np.abs(signal).max())
    return np.asarray(signal * gain, np.float32)
