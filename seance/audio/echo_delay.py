"""How late a microphone hears the loudspeaker, by generalised cross-correlation (GCC-PHAT)."""

from __future__ import annotations

import numpy as np

from seance.audio.formats import SPEECH_RATE_HZ, Block
from seance.audio.levels import dbfs

WINDOW_S = 2.0
"""Seconds of sound that are compared."""
MAX_LAG_S = 1.0
"""The largest lag that is found, in either direction."""
MIN_LEVEL_DBFS = -55.0
"""Level below which nothing is played that could be found."""

_LOW_HZ, _HIGH_HZ = 200.0, 4000.0
_MIN_PEAK_RATIO = 9.0
"""The lag is found where the correlation is so many times its usual size: other sound reaches 5."""


def find_lag(far: Block, near: Block) -> int | None:
    """Return by how many samples *near* is behind *far*, which is played in the room; None where that is unclear."""
    if dbfs(far) < MIN_LEVEL_DBFS or not near.any():
        return None
    size = 2 * len(far)
    spectrum = np.fft.rfft(near.astype(np.float32), size) * np.conj(np.fft.rfft(far.astype(np.float32), size))
    hertz = np.fft.rfftfreq(size, 1 / SPEECH_RATE_HZ)
    spectrum[(hertz < _LOW_HZ) | (hertz > _HIGH_HZ)] = 0
    correlation = np.abs(np.fft.irfft(spectrum / (np.abs(spectrum) + 1e-9), size))
    reach = round(MAX_LAG_S * SPEECH_RATE_HZ)
    candidates = np.concatenate((correlation[-reach:], correlation[:reach]))
    best = int(np.argmax(candidates))
    # The median absolute value of Gaussian noise is 0.6745 standard deviations.
    usual = float(np.median(candidates)) / 0.6745
    return best - reach if candidates[best] > _MIN_PEAK_RATIO * usual else None
