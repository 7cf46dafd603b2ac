"""What is wrong with the channels of a microphone array: silent, copied, clipped or swapped ones."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from seance.audio.array_geometry import ArrayGeometry
from seance.audio.formats import FULL_SCALE, Block
from seance.audio.levels import MIN_NOISE_DBFS, dbfs
from seance.audio.steering import steering_vectors

SILENT_BELOW_OTHERS_DB = 20.0
"""A channel that is softer than the median of all by more is silent."""
MAX_CLIPPED_SHARE = 0.001
"""The share of samples at full scale from which on a channel is clipped."""
SWAPPED_GAIN = 1.04
"""By how much better two exchanged channels must fit the geometry to be told."""
MIN_FIT = 0.35
"""The fit, from 0 to 1, below which sound comes from no direction that could be told."""

_WINDOW = 1024
_LOW_HZ, _HIGH_HZ = 300, 3500
_CLIPPING_LEVEL = 32700


@dataclass(frozen=True, slots=True)
class ChannelCheck:
    """What is wrong with channels, which are counted from 1. The field names are keys of `seance calibrate --json`."""

    silent: tuple[int, ...] = ()
    copied: tuple[int, ...] = ()
    """Channels that deliver the very same sound: a sound server has copied that of fewer microphones."""
    clipped: tuple[int, ...] = ()
    swapped: tuple[int, ...] = ()
    """Two channels that fit the geometry better when they are exchanged."""


def check_channels(sound: Block, geometry: ArrayGeometry, *, spoken: Block | None = None, rate: int) -> ChannelCheck:
    """Return what is wrong in *sound*; swapped channels are only found while somebody speaks, in *spoken*."""
    heard = sound if spoken is None else np.concatenate([sound, spoken])
    levels = {channel: dbfs(heard[:, channel]) for channel in geometry.channels}
    usual_db = float(np.median(list(levels.values())))
    silent = tuple(
        channel + 1
        for channel, level in levels.items()
        if level < max(usual_db - SILENT_BELOW_OTHERS_DB, MIN_NOISE_DBFS)
    )
    loud = np.mean(np.abs(heard.astype(np.int32)) >= _CLIPPING_LEVEL, axis=0)
    clipped = tuple(channel + 1 for channel in geometry.channels if loud[channel] > MAX_CLIPPED_SHARE)
    pairs = [(one, other) for one, other in combinations(geometry.channels, 2) if one + 1 not in silent]
    same = {channel for pair in pairs if np.array_equal(*heard[:, pair].T) for channel in pair}
    copied = tuple(channel + 1 for channel in geometry.channels if channel in same)
    swapped = (
        () if spoken is None or silent or copied or len(spoken) < _WINDOW else _find_swapped(spoken, geometry, rate)
    )
    return ChannelCheck(silent, copied, clipped, swapped)


def _find_swapped(spoken: Block, geometry: ArrayGeometry, rate: int) -> tuple[int, ...]:
    """Return the two channels that fit better when they are exchanged."""
    count = len(spoken) // _WINDOW
    sound = spoken[: count * _WINDOW, list(geometry.channels)].astype(np.float64) / FULL_SCALE
    windows = sound.reshape(count, _WINDOW, -1)
    loudest = np.argsort(-np.square(windows).mean(axis=(1, 2)))[: max(1, count // 4)]
    spectra = np.fft.rfft(windows[loudest] * np.hanning(_WINDOW)[:, None], axis=1)
    hertz: NDArray[np.float64] = np.arange(_WINDOW // 2 + 1, dtype=np.float64) * rate / _WINDOW
    band = (hertz >= _LOW_HZ) & (hertz <= _HIGH_HZ)
    phases = spectra[:, band] / (np.abs(spectra[:, band]) + 1e-12)
    steering = steering_vectors(geometry, np.arange(0, 360, 5, dtype=np.float64), hertz[band])
    microphones = list(range(len(geometry.channels)))
    fit = _fit(phases, steering)
    best, pair = fit, tuple[int, ...]()
    for one, other in combinations(microphones, 2):
        order = list(microphones)
        order[one], order[other] = other, one
        if (exchanged := _fit(phases[:, :, order], steering)) > best:
            best, pair = exchanged, (geometry.channels[one] + 1, geometry.channels[other] + 1)
    return pair if best >= MIN_FIT and best > SWAPPED_GAIN * fit else ()


def _fit(phases: NDArray[np.complex128], steering: NDArray[np.complex64]) -> float:
    """Return the steered response power of the best direction, 0 to 1."""
    power = np.abs(np.einsum("tfm,dfm->dtf", phases, steering.conj(), optimize=True)) ** 2
    return float(power.mean(axis=(1, 2)).max() / phases.shape[2] ** 2)
