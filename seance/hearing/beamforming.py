"""Directions and beams of a microphone array: steering vectors, a map of who has begun to speak, MVDR weights.

Spectra have the axes frame, bin, microphone; covariances bin, microphone, microphone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seance.audio.array_geometry import ArrayGeometry
from seance.audio.formats import SPEECH_RATE_HZ, Samples
from seance.audio.steering import SPEED_OF_SOUND_M_S, places_m, steering_vectors

WINDOW_SAMPLES = 512
HOP_SAMPLES = 256
SPECTRUM_FRAME_S = HOP_SAMPLES / SPEECH_RATE_HZ
"""Seconds from one spectrum to the next."""
GRID_DEG = 5
"""Degrees from one direction that is tried to the next."""
DIRECTION_LOW_HZ = 300
DIRECTION_HIGH_HZ = 4000
MICROPHONE_NOISE = 0.02
"""The share of a microphone's own noise, and of errors of place and gain, in the assumed noise."""
ASSUMED_NOISE_FRAMES = 12
"""How many frames of measured noise weigh as much as the assumption that noise comes from everywhere."""

Spectra = NDArray[np.complex64]
BeamSpectra = NDArray[np.complex64]
"""Spectra of one channel: frame, bin."""
Covariance = NDArray[np.complex64]
Weights = NDArray[np.complex64]

_BINS = WINDOW_SAMPLES // 2 + 1
_BIN_HZ = np.arange(_BINS) * SPEECH_RATE_HZ / WINDOW_SAMPLES
_FADE = np.sqrt(np.hanning(WINDOW_SAMPLES + 1)[:WINDOW_SAMPLES]).astype(np.float32)
_DIRECTION_BINS = slice(
    round(DIRECTION_LOW_HZ * WINDOW_SAMPLES / SPEECH_RATE_HZ),
    round(DIRECTION_HIGH_HZ * WINDOW_SAMPLES / SPEECH_RATE_HZ),
    2,
)
"""Every second bin of those in which directions are told apart."""


class Array:
    """A microphone array as a beamformer sees it."""

    def __init__(self, geometry: ArrayGeometry) -> None:
        places = places_m(geometry)
        self.microphone_count = len(places)
        self._is_line = geometry.is_line
        start, span = (geometry.line_angle_deg, 180 + GRID_DEG) if geometry.is_line else (0.0, 360)
        self.directions_deg = (start + np.arange(0, span, GRID_DEG, dtype=np.float64)) % 360
        """The directions that are told apart; those of one side where the array is a line."""
        self.steering = steering_vectors(geometry, self.directions_deg, _BIN_HZ)
        """For each direction, bin and microphone, the phase of a distant voice."""
        distances_m = np.linalg.norm(places[:, None] - places[None], axis=2)
        diffuse = np.sinc(2 * _BIN_HZ[:, None, None] * distances_m / SPEED_OF_SOUND_M_S)
        own_noise = MICROPHONE_NOISE * np.eye(self.microphone_count)
        self.assumed_noise: Covariance = (diffuse + own_noise).astype(np.complex64)
        """The covariance of noise that comes from everywhere, at power 1."""

    def noise_inverse(self, noise: Covariance, frames: float) -> Covariance:
        """Return the inverse of *noise*, the mean of so many *frames*, smoothed by what noise is usually like."""
        power = np.trace(noise, axis1=1, axis2=2).real / self.microphone_count + 1e-9
        assumed = self.assumed_noise * power[:, None, None]
        share = ASSUMED_NOISE_FRAMES / (ASSUMED_NOISE_FRAMES + frames)
        mixed = (1 - share) * noise + share * assumed
        mixed += MICROPHONE_NOISE * power[:, None, None] * np.eye(self.microphone_count, dtype=np.complex64)
        return np.asarray(np.linalg.inv(mixed), np.complex64)

    def mvdr(self, inverse: Covariance, direction: int) -> Weights:
        """Return the weights of each bin and microphone of the beam towards the direction of that number."""
        steering = self.steering[direction]
        towards = np.einsum("fmn,fn->fm", inverse, steering)
        gain = np.einsum("fm,fm->f", steering.conj(), towards).real
        return np.asarray(towards / np.maximum(gain, 1e-12)[:, None], np.complex64)

    def onset_map_db(self, inverse: Covariance, recent: Spectra) -> NDArray[np.float64]:
        """Return for each direction by how much *recent* sound from there exceeds the noise, averaged over bins."""
        band = _DIRECTION_BINS
        steering, inverse = self.steering[:, band], inverse[band]
        towards = np.einsum("fmn,dfn->dfm", inverse, steering, optimize=True)
        expected = np.einsum("dfm,dfm->df", steering.conj(), towards).real
        covariance = mean_covariance(recent[:, band])
        found = np.einsum("dfm,fmn,dfn->df", towards.conj(), covariance, towards, optimize=True).real
        return np.asarray(10 * np.log10(np.maximum(found / np.maximum(expected, 1e-12), 1e-6)).mean(axis=1))

    def peak_deg(self, onset_map_db: NDArray[np.float64]) -> float:
        """Return the direction in degrees of the highest point of a map, between those that were tried."""
        best = int(onset_map_db.argmax())
        direction_deg = float(self.directions_deg[best])
        if self._is_line and best in (0, len(onset_map_db) - 1):
            return direction_deg
        before, peak, after = (float(onset_map_db[(best + step) % len(onset_map_db)]) for step in (-1, 0, 1))
        curvature = before - 2 * peak + after
        shift = 0.5 * (before - after) / curvature if curvature < 0 else 0.0
        return (direction_deg + GRID_DEG * shift) % 360


def mean_covariance(spectra: Spectra) -> Covariance:
    """Return the mean spatial covariance of *spectra*."""
    by_bin = spectra.transpose(1, 2, 0)
    return np.asarray(by_bin @ by_bin.conj().transpose(0, 2, 1) / max(1, len(spectra)), np.complex64)


def level_db(spectra: Spectra, weights: Weights) -> float:
    """Return the mean level of *spectra* in the beam of *weights*, at the frequencies of speech."""
    beam = np.einsum("tfm,fm->tf", spectra[:, _DIRECTION_BINS], weights[_DIRECTION_BINS].conj())
    return float(10 * np.log10(np.mean(np.abs(beam) ** 2) + 1e-12))


class Analysis:
    """Turns a stream of blocks with a column for each microphone into spectra."""

    def __init__(self, microphone_count: int) -> None:
        self._pending = np.zeros((WINDOW_SAMPLES - HOP_SAMPLES, microphone_count), np.float32)

    def feed(self, sound: NDArray[np.float32]) -> Spectra:
        """Return the spectra that *sound* completes."""
        sound = np.concatenate([self._pending, sound])
        count = max(0, (len(sound) - WINDOW_SAMPLES) // HOP_SAMPLES + 1)
        self._pending = sound[count * HOP_SAMPLES :]
        if count == 0:
            return np.zeros((0, _BINS, sound.shape[1]), np.complex64)
        windows = np.stack([sound[n * HOP_SAMPLES : n * HOP_SAMPLES + WINDOW_SAMPLES] for n in range(count)])
        return np.asarray(np.fft.rfft(windows * _FADE[:, None], axis=1), np.complex64)


class Synthesis:
    """Turns spectra of one channel back into sound."""

    def __init__(self) -> None:
        self._overlap = np.zeros(WINDOW_SAMPLES - HOP_SAMPLES, np.float32)

    def feed(self, spectra: BeamSpectra) -> Samples:
        """Return HOP_SAMPLES of sound for each of *spectra*."""
        pieces = np.fft.irfft(spectra, axis=1).astype(np.float32) * _FADE
        sound = np.zeros(len(pieces) * HOP_SAMPLES, np.float32)
        for number, piece in enumerate(pieces):
            sound[number * HOP_SAMPLES : (number + 1) * HOP_SAMPLES] = self._overlap + piece[:HOP_SAMPLES]
            self._overlap = piece[HOP_SAMPLES:]
        return sound
