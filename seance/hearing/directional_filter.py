"""A post-filter behind a beam: attenuates what comes from other directions, bin by bin and frame by frame.

A fixed beam of few microphones lets others through who begin to speak after it was made. What they add is seen in the
directions in which the beam does not look: there the noise of before is exceeded.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from seance.audio.formats import SPEECH_RATE_HZ
from seance.hearing.beamforming import WINDOW_SAMPLES, Array, BeamSpectra, Covariance, Spectra, Weights

MIN_BIN_GAIN = 10 ** (-10 / 20)
"""The least gain of a bin: speech with holes is worse than noise."""
SMOOTHING = 0.6
"""The weight of the frames before in the powers from which the gains are calculated."""
PAUSE_GAIN = 10 ** (-10 / 20)
"""The gain of frames in which nobody speaks in the beam, beside that of their bins."""
PRESENCE_LOW, PRESENCE_HIGH = 0.28, 0.42
"""The mean gain of a few frames below which nobody speaks in the beam, and above which somebody does."""
PRESENCE_FRAMES = 5
"""How many frames these are."""
HOLD_FRAMES = 15
"""Frames for which speech goes on after the last one in which it was noticed."""
PRESENCE_LOW_HZ = 300
PRESENCE_HIGH_HZ = 4000

USUAL_ATTENUATION_DB = 15.0
"""Decibels by which pauses are attenuated, until that is known."""

_PRESENCE_BINS = slice(
    round(PRESENCE_LOW_HZ * WINDOW_SAMPLES / SPEECH_RATE_HZ), round(PRESENCE_HIGH_HZ * WINDOW_SAMPLES / SPEECH_RATE_HZ)
)


class Beam:
    """Turns spectra into those of what is said in one direction."""

    def __init__(self, array: Array, noise_inverse: Covariance, direction: int) -> None:
        self.weights: Weights = array.mvdr(noise_inverse, direction)
        root = np.linalg.cholesky(noise_inverse.astype(np.complex128)).conj().transpose(0, 2, 1)
        self._whitening = root.astype(np.complex64)
        """Makes the noise alike in all microphones and independent."""
        towards = np.einsum("fmn,fn->fm", self._whitening, array.steering[direction])
        self._towards = towards / np.linalg.norm(towards, axis=1)[:, None]
        self.pause_attenuation_db = USUAL_ATTENUATION_DB
        """Decibels by which what was heard before the onset was attenuated more than a voice in the beam."""
        self._wanted = self._other = np.zeros(len(towards))
        self._presence: deque[float] = deque([0.0] * PRESENCE_FRAMES, maxlen=PRESENCE_FRAMES)
        self._held: deque[float] = deque(maxlen=HOLD_FRAMES)

    def feed(self, spectra: Spectra, *, before_onset: int = 0) -> BeamSpectra:
        """Return *spectra* in the beam, with what comes from other directions attenuated.

        In the first *before_onset* of them nobody spoke in the beam yet, and then somebody began.
        """
        beam = np.einsum("tfm,fm->tf", spectra, self.weights.conj())
        filtered = np.asarray(beam * self._gains(spectra, before_onset), np.complex64)
        if before_onset:
            before, after = (np.mean(np.abs(each[:before_onset, _PRESENCE_BINS]) ** 2) for each in (beam, filtered))
            self.pause_attenuation_db = float(10 * np.log10((before + 1e-12) / (after + 1e-12)))
        return filtered

    def _gains(self, spectra: Spectra, before_onset: int) -> NDArray[np.float32]:
        """Return a gain for each frame and bin."""
        white = np.einsum("fmn,tfn->tfm", self._whitening, spectra)
        wanted = np.abs(np.einsum("tfm,fm->tf", white, self._towards.conj())) ** 2
        everything = np.sum(np.abs(white) ** 2, axis=2)
        other = np.maximum(everything - wanted, 0) / (spectra.shape[2] - 1)
        gains = np.empty(wanted.shape, np.float32)
        for number in range(len(wanted)):
            self._wanted = SMOOTHING * self._wanted + (1 - SMOOTHING) * wanted[number]
            self._other = SMOOTHING * self._other + (1 - SMOOTHING) * other[number]
            gain = np.maximum(1 - self._other / np.maximum(self._wanted, 1e-12), 0)
            self._presence.append(float(gain[_PRESENCE_BINS].mean()))
            self._held.append(sum(self._presence) / PRESENCE_FRAMES)
            if number < before_onset:
                self._held.clear()
            elif 0 < number == before_onset:
                self._held.extend([1.0] * HOLD_FRAMES)
            gains[number] = np.maximum(gain, MIN_BIN_GAIN) * self._frame_gain()
        return gains

    def _frame_gain(self) -> float:
        """Return the gain of the latest frame, by whether somebody spoke in the beam a moment ago."""
        share = (max(self._held, default=0.0) - PRESENCE_LOW) / (PRESENCE_HIGH - PRESENCE_LOW)
        return float(PAUSE_GAIN ** (1 - min(max(share, 0.0), 1.0)))
