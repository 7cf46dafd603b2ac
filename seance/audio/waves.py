"""Sound as a value: samples and their rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import soxr

from seance.audio.formats import Samples


@dataclass(frozen=True, slots=True, eq=False)
class Wave:
    """Mono samples and their sample rate."""

    samples: Samples
    rate: int
    """Samples a second (hertz)."""

    @property
    def seconds(self) -> float:
        """The duration."""
        return len(self.samples) / self.rate

    @property
    def rms(self) -> float:
        """The root mean square: 0 for silence, 1 for a square wave of full scale."""
        return float(np.sqrt(np.mean(np.square(self.samples, dtype=np.float64)))) if len(self.samples) else 0.0

    def resample(self, rate: int) -> Wave:
        """Return the same sound at another rate (hertz)."""
        if rate == self.rate or not len(self.samples):
            return Wave(self.samples, rate)
        return Wave(soxr.resample(self.samples, self.rate, rate).astype(np.float32, copy=False), rate)
