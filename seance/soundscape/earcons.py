"""Short sounds that say something without words, and the knock, as arithmetic; nothing is kept or played here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from seance.audio.formats import MIX_RATE_HZ, Samples

_PEAK = 0.35
_D, _A, _DEEP_D, _F = 587.33, 880.0, 293.66, 349.23
"""Hertz: a bare fifth for yes, a minor third for no."""
_WOOD = ((118.0, 1.0, 0.06), (187.0, 0.7, 0.045), (341.0, 0.35, 0.025), (620.0, 0.2, 0.012))
"""How a table rings: hertz, strength, seconds until it fades."""


def heard() -> Samples:
    """Return one soft drop: somebody was listened to."""
    return _finished(_bell(_A, 0.25), loudness=0.5)


def understood() -> Samples:
    """Return two rising notes: it was a command."""
    return _finished(_after([_bell(_D, 0.5), _bell(_A, 0.7)], 0.11))


def refused() -> Samples:
    """Return two falling, dull notes: the rules say no."""
    return _finished(_after([_reed(_F, 0.22), _reed(_DEEP_D, 0.4)], 0.17))


def done() -> Samples:
    """Return a chord that opens: something is complete."""
    return _finished(_after([_bell(_DEEP_D, 1.4), _bell(_D, 1.3), _bell(_A, 1.2), _bell(2 * _D, 1.1)], 0.07))


def time() -> Samples:
    """Return the strike of a small clock, twice: the sand runs out."""
    return _finished(_after([_strike(1.2), _strike(1.6)], 0.45))


def knock() -> Samples:
    """Return a knuckle on a hollow table, for a board without a solenoid."""
    at = _at(0.35)
    body = sum(
        strength * np.sin(2 * np.pi * pitch * at) * np.exp(-at / decay)
        for pitch, strength, decay in (
            (118.0, 1.0, 0.06),
            (187.0, 0.7, 0.045),
            (341.0, 0.35, 0.025),
            (620.0, 0.2, 0.012),
        )
    )
    thud = np.random.default_rng(3).standard_normal(len(at)) * np.exp(-at / 0.004) * 0.5
    return _finished(np.asarray(body + thud) * np.minimum(1, at / 0.0005), loudness=2.0)


EARCONS: Mapping[str, Callable[[], Samples]] = MappingProxyType(
    {"heard": heard, "understood": understood, "refused": refused, "done": done, "time": time, "knock": knock}
)
"""How each is made, by name."""

_Sound = npt.NDArray[np.float64]


def _at(seconds: float) -> _Sound:
    return np.arange(round(seconds * MIX_RATE_HZ)) / MIX_RATE_HZ


def _bell(pitch: float, seconds: float) -> _Sound:
    """Return a glass struck softly."""
    at = _at(seconds)
    partials = ((1.0, 1.0, 0.35), (2.76, 0.25, 0.15), (5.4, 0.1, 0.08))
    tone = sum(s * np.sin(2 * np.pi * pitch * r * at) * np.exp(-at / (d * seconds)) for r, s, d in partials)
    return np.asarray(tone * np.minimum(1, at / 0.004))


def _reed(pitch: float, seconds: float) -> _Sound:
    """Return a low note as of a harmonium."""
    at = _at(seconds)
    tone = sum(np.sin(2 * np.pi * pitch * n * at) / n**1.5 for n in range(1, 6))
    return np.asarray(tone * np.minimum(1, at / 0.015) * np.exp(-at / (0.4 * seconds)) * 0.7)


def _strike(seconds: float) -> _Sound:
    """Return the hammer of a mantel clock."""
    at = _at(seconds)
    partials = ((1.0, 1.0), (2.0, 0.6), (2.4, 0.45), (3.0, 0.25), (4.1, 0.2))
    tone = sum(s * np.sin(2 * np.pi * 523.25 * r * at) * np.exp(-at * r / 0.35) for r, s in partials)
    return np.asarray(tone * np.minimum(1, at / 0.002))


def _after(notes: list[_Sound], apart: float) -> _Sound:
    """Return *notes*, each begun *apart* seconds after the one before."""
    starts = [round(number * apart * MIX_RATE_HZ) for number in range(len(notes))]
    whole = np.zeros(max(start + len(note) for start, note in zip(starts, notes, strict=True)))
    for start, note in zip(starts, notes, strict=True):
        whole[start : start + len(note)] += note
    return whole


def _finished(sound: _Sound, loudness: float = 1.0) -> Samples:
    """Return *sound* at its loudness, fading to nothing at its end."""
    fade = round(0.03 * MIX_RATE_HZ)
    sound[len(sound) - fade :] *= np.linspace(1, 0, fade)
    return np.asarray(sound / np.abs(sound).max() * _PEAK * loudness, np.float32)
