"""Spectral noise reduction: learns the steady noise of a room and filters it out, frame by frame."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seance.audio.formats import SPEECH_RATE_HZ, Samples

WINDOW_SAMPLES = 512
HOP_SAMPLES = 128
FRAME_S = HOP_SAMPLES / SPEECH_RATE_HZ
"""Seconds from one frame to the next."""
NOISE_MEMORY_S = 1.5
"""Time constant of the noise spectrum."""
NOISE_FLOOR_PERCENTILE = 10
"""The share of a recording's frames, in per cent, that are no louder than its noise floor."""

SPEECH_LOW_HZ = 150
SPEECH_HIGH_HZ = 5000
LEVEL_SMOOTHING_FRAMES = 8
"""Frames over which a level is averaged."""
MIN_NOISE_LEARNED_S = 0.15
"""Seconds of noise from which on levels are weighted by its spectrum."""
WEIGHTS_UPDATE_FRAMES = 8
"""Frames of noise after which the weights are calculated again."""
SILENT_LEVEL_DB = -90.0

_SPECTRUM_SIZE = WINDOW_SAMPLES // 2 + 1
_FADE = np.sqrt(np.hanning(WINDOW_SAMPLES + 1)[:WINDOW_SAMPLES]).astype(np.float32)
_OVERLAP_GAIN = float(np.sum(_FADE**2) / HOP_SAMPLES)
_SPEECH_BAND = slice(
    round(SPEECH_LOW_HZ * WINDOW_SAMPLES / SPEECH_RATE_HZ), round(SPEECH_HIGH_HZ * WINDOW_SAMPLES / SPEECH_RATE_HZ)
)
"""The bins from which the level of a frame is taken."""
_BIN_HZ = np.arange(_SPEECH_BAND.start, _SPEECH_BAND.stop) * SPEECH_RATE_HZ / WINDOW_SAMPLES
_SPEECH_SPECTRUM = 1 / (1 + (_BIN_HZ / 500) ** 2.5)
"""Roughly the long-term average power spectrum of speech."""
_QUIET_ROOM_POWER = 2e-5
"""The power in each bin of a room that is all but silent."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One hop of sound, denoised, with its level before noise reduction."""

    denoised: Samples
    level_db: float
    """Smoothed level in dBFS, weighted towards the frequencies in which speech exceeds the noise of this room."""
    loudness_db: float
    """Smoothed level in dBFS, with all frequencies of speech weighted alike."""
    power_spectrum: NDArray[np.float64]
    """Before noise reduction."""
    raw: Samples
    """The samples before noise reduction."""


SILENT_FRAME = Frame(
    denoised=np.zeros(HOP_SAMPLES, np.float32),
    level_db=SILENT_LEVEL_DB,
    loudness_db=SILENT_LEVEL_DB,
    power_spectrum=np.zeros(_SPECTRUM_SIZE),
    raw=np.zeros(HOP_SAMPLES, np.float32),
)


class NoiseReducer:
    """Removes steady noise from a stream with a Wiener filter whose a-priori SNR is decision-directed."""

    gain_floor: float = 10 ** (-18 / 20)
    """The least gain of a bin: speech with holes is worse than noise."""
    over_subtraction: float = 1.5
    """The factor by which the noise is overestimated: babble comes and goes, and is often above its average."""
    snr_smoothing: float = 0.92
    """The weight of the previous frame in the a-priori SNR."""

    def __init__(self) -> None:
        self._unframed = np.zeros(0, np.float32)
        self._overlap = np.zeros(WINDOW_SAMPLES, np.float32)
        self._previous_snr = np.ones(_SPECTRUM_SIZE)
        self._noise_spectrum = np.zeros(_SPECTRUM_SIZE)
        self._noise_frames = 0
        self._level_weights = np.ones((2, _BIN_HZ.size))
        """The weight of each bin in a frame's level, and in its loudness."""
        self._powers: deque[NDArray[np.float64]] = deque(maxlen=LEVEL_SMOOTHING_FRAMES)

    def feed(self, sound: Samples) -> list[Frame]:
        """Return the frames that *sound* completes."""
        sound = np.concatenate([self._unframed, sound])
        count = max(0, (sound.size - WINDOW_SAMPLES) // HOP_SAMPLES + 1)
        self._unframed = sound[count * HOP_SAMPLES :]
        return [self._denoise(sound[n * HOP_SAMPLES : n * HOP_SAMPLES + WINDOW_SAMPLES]) for n in range(count)]

    def learn_noise(self, frame: Frame) -> None:
        """Update the noise spectrum with *frame*, which contains no speech."""
        self._noise_frames += 1
        rate = max(1 / self._noise_frames, FRAME_S / NOISE_MEMORY_S)
        self._noise_spectrum += rate * (frame.power_spectrum - self._noise_spectrum)
        if self._noise_frames % WEIGHTS_UPDATE_FRAMES == 0 and self._noise_frames * FRAME_S > MIN_NOISE_LEARNED_S:
            self._level_weights[0] = _speech_weights(self._noise_spectrum[_SPEECH_BAND])

    def _denoise(self, window: Samples) -> Frame:
        spectrum = np.fft.rfft(window * _FADE)
        power = np.abs(spectrum) ** 2
        posterior_snr = power / (self.over_subtraction * self._noise_spectrum + 1e-9)
        prior_snr = self.snr_smoothing * self._previous_snr + (1 - self.snr_smoothing) * np.maximum(
            posterior_snr - 1, 0
        )
        gain = np.maximum(prior_snr / (1 + prior_snr), self.gain_floor)
        self._previous_snr = gain * gain * posterior_snr
        self._overlap += (np.fft.irfft(spectrum * gain) * _FADE / _OVERLAP_GAIN).astype(np.float32)
        denoised = self._overlap[:HOP_SAMPLES].copy()
        self._overlap = np.concatenate([self._overlap[HOP_SAMPLES:], np.zeros(HOP_SAMPLES, np.float32)])
        self._powers.append(self._level_weights @ power[_SPEECH_BAND])
        mean_power = sum(self._powers) / len(self._powers) / (WINDOW_SAMPLES * WINDOW_SAMPLES / 8)
        level_db, loudness_db = 10 * np.log10(mean_power + 1e-12)
        return Frame(denoised, float(level_db), float(loudness_db), power, window[:HOP_SAMPLES])


def noise_floor_db(sound: Samples) -> float:
    """Return the noise floor of a whole recording in dBFS, on the scale of Frame.level_db."""
    levels = [frame.level_db for frame in NoiseReducer().feed(sound)]
    return float(np.percentile(levels, NOISE_FLOOR_PERCENTILE)) if levels else SILENT_LEVEL_DB


def _speech_weights(noise: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights of the bins that favour speech over *noise*, and leave the level of the noise as it is.

    Only the slope of the noise counts and not each bin: the voices of a babbling room come and go.
    """
    noise = noise + _QUIET_ROOM_POWER * _SPEECH_SPECTRUM / _SPEECH_SPECTRUM.mean()
    weights = _SPEECH_SPECTRUM ** min(max(1 - _slope(noise) / _slope(_SPEECH_SPECTRUM), 0.0), 1.0)
    return np.asarray(weights * noise.sum() / (weights @ noise))


def _slope(power: NDArray[np.float64]) -> float:
    """Return the log ratio of the mean power below 1 kHz to that above."""
    low = _BIN_HZ < 1000
    return float(np.log(power[low].mean() / power[~low].mean()))
