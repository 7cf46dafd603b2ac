"""Sounds that are easy to find again, and what is measured in what was captured."""

import numpy as np

from seance.audio.formats import MIX_RATE_HZ
from seance.audio.waves import Wave


def tone(seconds, pitch=1000.0, level=0.4):
    """Return a pure tone."""
    at = np.arange(round(seconds * MIX_RATE_HZ)) / MIX_RATE_HZ
    return Wave((level * np.sin(2 * np.pi * pitch * at)).astype(np.float32), MIX_RATE_HZ)


def ones(frames, value=1.0):
    """Return samples that are all alike."""
    return np.full(frames, value, np.float32)


def strength(heard, pitch, rate, window=0.05):
    """Return how strong a pitch is in each window of *heard*."""
    size = round(window * rate)
    pieces = heard[: len(heard) // size * size].reshape(-1, size).astype(float)
    at = np.arange(size) / rate
    return np.abs(pieces @ np.exp(-2j * np.pi * pitch * at)) * 2 / size


def seconds_of(heard, pitch, rate, least=500.0, window=0.01):
    """Return for how long a pitch is heard."""
    return float(np.count_nonzero(strength(heard, pitch, rate, window) > least) * window)
