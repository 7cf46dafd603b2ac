"""How loud recorded sound is, in decibels below full scale (dBFS, root mean square); it records nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seance.audio.resampling import Block

FULL_SCALE = 32768.0
NOTHING_DBFS = -120.0
"""The level given to digital silence."""

_FRAME_SECONDS = 0.03
_SPEECH_ABOVE_NOISE_DB = 9.0
_LEAST_SPEECH_SECONDS = 0.3
_CLIPPED = 32700


@dataclass(frozen=True, slots=True)
class Room:
    """What a microphone hears when nobody speaks."""

    noise_dbfs: float
    """The noise that is always there: a fifth of the time it is quieter."""
    peak_dbfs: float
    clipped: float
    """Share of samples at the limit (0…1)."""


@dataclass(frozen=True, slots=True)
class Speech:
    """What it hears when somebody speaks."""

    level_dbfs: float
    """While there is speech, pauses left out."""
    peak_dbfs: float
    clipped: float
    """Share of samples at the limit (0…1)."""
    above_noise_db: float


def dbfs(samples: npt.NDArray[np.integer | np.floating]) -> float:
    """Return the level of *samples* on the scale of int16; a square wave of full scale has 0."""
    if not len(samples):
        return NOTHING_DBFS
    return _decibels(float(np.mean(np.square(samples.astype(np.float64) / FULL_SCALE))))


def frame_levels(samples: Block, rate: int, seconds: float = _FRAME_SECONDS) -> npt.NDArray[np.float64]:
    """Return the level of each whole frame of *seconds*."""
    frames = round(rate * seconds)
    whole = samples[: len(samples) // frames * frames].reshape(-1, frames).astype(np.float64) / FULL_SCALE
    powers: npt.NDArray[np.float64] = np.mean(np.square(whole), axis=1)
    return np.asarray(np.maximum(10 * np.log10(powers + 1e-12), NOTHING_DBFS), np.float64)


def measure_room(quiet: Block, rate: int) -> Room:
    """Return how loud the room is, from a recording in which nobody speaks on purpose."""
    levels = frame_levels(quiet, rate)
    noise = float(np.percentile(levels, 20)) if len(levels) else NOTHING_DBFS
    return Room(noise_dbfs=noise, peak_dbfs=_peak(quiet), clipped=_clipped(quiet))


def measure_speech(spoken: Block, rate: int, room: Room) -> Speech | None:
    """Return how loud somebody speaks in *room*; None when nobody did."""
    levels = frame_levels(spoken, rate)
    loud = levels[levels > max(room.noise_dbfs, -80.0) + _SPEECH_ABOVE_NOISE_DB]
    if len(loud) * _FRAME_SECONDS < _LEAST_SPEECH_SECONDS:
        return None
    level = _decibels(float(np.mean(10 ** (loud / 10))))
    return Speech(level, _peak(spoken), _clipped(spoken), above_noise_db=level - room.noise_dbfs)


def _decibels(power: float) -> float:
    return max(float(10 * np.log10(power + 1e-12)), NOTHING_DBFS)


def _peak(samples: Block) -> float:
    return _decibels(float(np.max(np.abs(samples.astype(np.int32)), initial=0) / FULL_SCALE) ** 2)


def _clipped(samples: Block) -> float:
    return float(np.mean(np.abs(samples.astype(np.int32)) >= _CLIPPED)) if len(samples) else 0.0
