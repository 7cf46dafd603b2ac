"""Earcons: short synthesized sounds that carry a message, and the knock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from seance.audio.formats import MIX_RATE_HZ, Samples

_PEAK = 0.35
_FADE_SECONDS = 0.03
_D4_HZ = 293.66
_F4_HZ = 349.23
_D5_HZ = 587.33
_A5_HZ = 880.0
"""A bare fifth, D to A, for yes; a minor third, F to D, for no."""
_TABLE_MODES = ((118.0, 1.0, 0.06), (187.0, 0.7, 0.045), (341.0, 0.35, 0.025), (620.0, 0.2, 0.012))
"""How a table rings: frequency (hertz), gain and decay time (seconds) of each mode."""


def heard() -> Samples:
    """Return one soft note: a sentence was heard."""
    return _finish(_bell(_A5_HZ, 0.25), gain=0.5)


def understood() -> Samples:
    """Return two rising notes: a command was understood."""
    return _finish(_sequence([_bell(_D5_HZ, 0.5), _bell(_A5_HZ, 0.7)], 0.11))


def refused() -> Samples:
    """Return two falling, dull notes: the rules refuse a command."""
    return _finish(_sequence([_reed(_F4_HZ, 0.22), _reed(_D4_HZ, 0.4)], 0.17))


def done() -> Samples:
    """Return a rising chord: something is complete."""
    notes = [_bell(_D4_HZ, 1.4), _bell(_D5_HZ, 1.3), _bell(_A5_HZ, 1.2), _bell(2 * _D5_HZ, 1.1)]
    return _finish(_sequence(notes, 0.07))


def time() -> Samples:
    """Return two strikes of a small clock: the sand is running out."""
    return _finish(_sequence([_strike(1.2), _strike(1.6)], 0.45))


def listening() -> Samples:
    """Return three quick rising notes, like a finger on a glass: somebody talks to the house, hush."""
    return _finish(_sequence([_bell(_D5_HZ, 0.2), _bell(_A5_HZ, 0.2), _bell(2 * _D5_HZ, 0.3)], 0.05), gain=0.5)


def knock() -> Samples:
    """Return a knuckle on a hollow table, for a board without a solenoid."""
    at = _times(0.35)
    body = sum(gain * np.sin(2 * np.pi * pitch * at) * np.exp(-at / decay) for pitch, gain, decay in _TABLE_MODES)
    thud = np.random.default_rng(3).standard_normal(len(at)) * np.exp(-at / 0.004) * 0.5
    return _finish(np.asarray(body + thud) * np.minimum(1, at / 0.0005), gain=2.0)


EARCONS: Mapping[str, Callable[[], Samples]] = MappingProxyType(
    {
        "heard": heard,
        "understood": understood,
        "refused": refused,
        "done": done,
        "time": time,
        "listening": listening,
        "knock": knock,
    }
)
"""The function that makes each earcon, by name."""

_Signal = npt.NDArray[np.float64]


def _times(seconds: float) -> _Signal:
    """Return the time of each sample (seconds)."""
    return np.arange(round(seconds * MIX_RATE_HZ)) / MIX_RATE_HZ


def _bell(pitch: float, seconds: float) -> _Signal:
    """Return a note like a glass struck softly."""
    at = _times(seconds)
    partials = ((1.0, 1.0, 0.35), (2.76, 0.25, 0.15), (5.4, 0.1, 0.08))
    tone = sum(s * np.sin(2 * np.pi * pitch * r * at) * np.exp(-at / (d * seconds)) for r, s, d in partials)
    return np.asarray(tone * np.minimum(1, at / 0.004))


def _reed(pitch: float, seconds: float) -> _Signal:
    """Return a low note like a harmonium's."""
    at = _times(seconds)
    tone = sum(np.sin(2 * np.pi * pitch * n * at) / n**1.5 for n in range(1, 6))
    return np.asarray(tone * np.minimum(1, at / 0.015) * np.exp(-at / (0.4 * seconds)) * 0.7)


def _strike(seconds: float) -> _Signal:
    """Return one strike of a mantel clock."""
    at = _times(seconds)
    partials = ((1.0, 1.0), (2.0, 0.6), (2.4, 0.45), (3.0, 0.25), (4.1, 0.2))
    tone = sum(s * np.sin(2 * np.pi * 523.25 * r * at) * np.exp(-at * r / 0.35) for r, s in partials)
    return np.asarray(tone * np.minimum(1, at / 0.002))


def _sequence(notes: list[_Signal], interval: float) -> _Signal:
    """Return *notes* mixed, each beginning *interval* seconds after the one before."""
    starts = [round(number * interval * MIX_RATE_HZ) for number in range(len(notes))]
    mixed = np.zeros(max(start + len(note) for start, note in zip(starts, notes, strict=True)))
    for start, note in zip(starts, notes, strict=True):
        mixed[start : start + len(note)] += note
    return mixed


def _finish(signal: _Signal, gain: float = 1.0) -> Samples:
    """Return *signal* with *gain* times the usual peak, faded out at its end."""
    fade = round(_FADE_SECONDS * MIX_RATE_HZ)
    signal[len(signal) - fade :] *= np.linspace(1, 0, fade)
    return np.asarray(signal / np.abs(signal).max() * _PEAK * gain, np.float32)
