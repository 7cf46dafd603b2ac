"""Levels of recorded sound in decibels relative to full scale (dBFS, root mean square)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seance.audio.formats import FULL_SCALE, Block

SILENCE_DBFS = -120.0
"""The level given to digital silence."""
MIN_NOISE_DBFS = -80.0
"""The noise floor that is assumed where the measured one is lower: no microphone is that quiet."""

_FRAME_SECONDS = 0.03
_NOISE_PERCENTILE = 20
_SPEECH_ABOVE_NOISE_DB = 9.0
_MIN_SPEECH_SECONDS = 0.3
_CLIPPING_LEVEL = 32700


@dataclass(frozen=True, slots=True)
class NoiseMeasurement:
    """What a microphone hears while nobody speaks. The field names are keys of `seance calibrate --json`."""

    noise_dbfs: float
    """The noise floor: the level below which the sound is for a fifth of the time."""
    peak_dbfs: float
    clipped: float
    """The share of clipped samples (0 to 1)."""


@dataclass(frozen=True, slots=True)
class SpeechMeasurement:
    """What a microphone hears while somebody speaks. The field names are keys of `seance calibrate --json`."""

    level_dbfs: float
    """The level of speech without its pauses."""
    peak_dbfs: float
    clipped: float
    """The share of clipped samples (0 to 1)."""
    above_noise_db: float
    """The signal-to-noise ratio."""


def dbfs(samples: npt.NDArray[np.integer | np.floating]) -> float:
    """Return the level in dBFS of *samples* on the scale of int16; a square wave of full scale has 0."""
    if not len(samples):
        return SILENCE_DBFS
    return _power_db(float(np.mean(np.square(samples.astype(np.float64) / FULL_SCALE))))


def frame_levels(samples: Block, rate: int, seconds: float = _FRAME_SECONDS) -> npt.NDArray[np.float64]:
    """Return the level in dBFS of each whole frame of *seconds*."""
    frames = round(rate * seconds)
    whole = samples[: len(samples) // frames * frames].reshape(-1, frames).astype(np.float64) / FULL_SCALE
    powers: npt.NDArray[np.float64] = np.mean(np.square(whole), axis=1)
    return np.asarray(np.maximum(10 * np.log10(powers + 1e-12), SILENCE_DBFS), np.float64)


def measure_noise(quiet: Block, rate: int) -> NoiseMeasurement:
    """Return the noise floor, peak and clipping of a recording in which nobody speaks on purpose."""
    levels = frame_levels(quiet, rate)
    noise = float(np.percentile(levels, _NOISE_PERCENTILE)) if len(levels) else SILENCE_DBFS
    return NoiseMeasurement(noise_dbfs=noise, peak_dbfs=_peak_dbfs(quiet), clipped=_clipped_share(quiet))


def measure_speech(spoken: Block, rate: int, noise: NoiseMeasurement) -> SpeechMeasurement | None:
    """Return the level of the speech in *spoken* above *noise*; None when there is none."""
    levels = frame_levels(spoken, rate)
    loud = levels[levels > max(noise.noise_dbfs, MIN_NOISE_DBFS) + _SPEECH_ABOVE_NOISE_DB]
    if len(loud) * _FRAME_SECONDS < _MIN_SPEECH_SECONDS:
        return None
    level = _power_db(float(np.mean(10 ** (loud / 10))))
    return SpeechMeasurement(level, _peak_dbfs(spoken), _clipped_share(spoken), above_noise_db=level - noise.noise_dbfs)


def _power_db(power: float) -> float:
    return max(float(10 * np.log10(power + 1e-12)), SILENCE_DBFS)


def _peak_dbfs(samples: Block) -> float:
    return _power_db(float(np.max(np.abs(samples.astype(np.int32)), initial=0) / FULL_SCALE) ** 2)


def _clipped_share(samples: Block) -> float:
    return float(np.mean(np.abs(samples.astype(np.int32)) >= _CLIPPING_LEVEL)) if len(samples) else 0.0
