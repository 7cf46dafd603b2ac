"""Sound as a value: samples and their rate; nothing is made, changed in character or played here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile
import soxr

Samples = npt.NDArray[np.float32]
"""One channel, 1.0 being full scale."""

RATE = 48_000
"""At which everything is mixed (hertz): the one that hardly any device refuses."""


class BadWave(ValueError):
    """A file is no sound that can be played; the message names it."""


@dataclass(frozen=True, slots=True, eq=False)
class Wave:
    """A piece of sound."""

    samples: Samples
    rate: int
    """Samples a second (hertz)."""

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.samples) / self.rate

    @property
    def level(self) -> float:
        """The root mean square, 0 for nothing and 1 for a square of full scale."""
        return float(np.sqrt(np.mean(np.square(self.samples, dtype=np.float64)))) if len(self.samples) else 0.0

    def at(self, rate: int) -> Wave:
        """Return the same sound at another rate."""
        if rate == self.rate or not len(self.samples):
            return Wave(self.samples, rate)
        return Wave(soxr.resample(self.samples, self.rate, rate).astype(np.float32, copy=False), rate)


def read(path: Path) -> Wave:
    """Return the sound in *path* as one channel, or raise BadWave."""
    try:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, RuntimeError, OSError) as error:
        raise BadWave(f"{path}: not a sound file that can be read ({error})") from error
    return Wave(np.ascontiguousarray(samples.mean(axis=1, dtype=np.float32)), rate)


def write(path: Path, wave: Wave) -> None:
    """Write *wave* to *path*, FLAC of 16 bits, so that *path* is never seen half written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    try:
        soundfile.write(draft, wave.samples, wave.rate, format="FLAC", subtype="PCM_16")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
