"""Effects on speech: pitch shift, reverb, loudness normalisation and trimming of silence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import soxr

from seance.audio.formats import Samples
from seance.audio.waves import Wave

_MAX_PEAK = 0.8
_TARGET_RMS = 0.11
"""The root mean square of speech without its pauses, the same for every engine."""
_PAUSE_RATIO = 0.02
"""Samples below this share of the peak count as a pause."""
_FADE_SECONDS = 0.005
_ONSET_SECONDS = 0.015
"""Kept before the first loud sample: the soft beginning of an h or an s."""
_EARLY_REFLECTIONS = ((0.011, 0.5), (0.017, -0.4), (0.029, 0.35), (0.041, -0.25))
"""Delay (seconds) and gain of the echoes from the nearest walls."""


@dataclass(frozen=True, slots=True)
class Reverb:
    """A room around the voice."""

    wet_level: float = 0.0
    """The gain of the reverberation: 0 is none, 1 is as loud as the voice."""
    rt60_seconds: float = 0.8
    """The time until the reverberation is 60 dB quieter."""

    @property
    def active(self) -> bool:
        """Whether it changes the sound."""
        return self.wet_level > 0 and self.rt60_seconds > 0


def add_reverb(wave: Wave, reverb: Reverb) -> Wave:
    """Return *wave* with *reverb*, longer by its reverberation time."""
    if not reverb.active or not len(wave.samples):
        return wave
    impulse = _impulse_response(wave.rate, reverb.rt60_seconds)
    size = len(wave.samples) + len(impulse) - 1
    fft_size = 1 << (size - 1).bit_length()
    wet = np.fft.irfft(np.fft.rfft(wave.samples, fft_size) * np.fft.rfft(impulse, fft_size), fft_size)[:size]
    mixed = np.asarray(wet * reverb.wet_level, np.float32)
    mixed[: len(wave.samples)] += wave.samples
    return replace(wave, samples=mixed)


def shift_pitch(wave: Wave, semitones: float) -> Wave:
    """Return *wave* higher or lower by *semitones*, and shorter or longer by `duration_factor`."""
    if not semitones:
        return wave
    samples = soxr.resample(wave.samples, wave.rate, wave.rate * duration_factor(semitones))
    return replace(wave, samples=samples.astype(np.float32, copy=False))


def duration_factor(semitones: float) -> float:
    """Return how many times as long a sound becomes when `shift_pitch` shifts it by *semitones*."""
    return float(2 ** (-semitones / 12))


def normalise_loudness(wave: Wave) -> Wave:
    """Return *wave* at the common loudness of speech, faded in and out so that it does not click."""
    peak = float(np.abs(wave.samples).max(initial=0.0))
    if peak == 0.0:
        return wave
    loud = wave.samples[np.abs(wave.samples) > _PAUSE_RATIO * peak]
    gain = min(_TARGET_RMS / float(np.sqrt(np.mean(np.square(loud, dtype=np.float64)))), _MAX_PEAK / peak)
    samples = wave.samples * np.float32(gain)
    fade = min(len(samples) // 2, round(wave.rate * _FADE_SECONDS))
    ramp = np.linspace(0, 1, fade, dtype=np.float32)
    samples[:fade] *= ramp
    samples[len(samples) - fade :] *= ramp[::-1]
    return replace(wave, samples=samples)


def trim_silence(wave: Wave) -> Wave:
    """Return *wave* without the silence at its ends."""
    level = np.abs(wave.samples)
    loud = np.flatnonzero(level > _PAUSE_RATIO * level.max(initial=0.0))
    # Speech ends more softly than it begins.
    audible = np.flatnonzero(level > _PAUSE_RATIO / 4 * level.max(initial=0.0))
    if not len(loud):
        return wave
    first = max(0, int(loud[0]) - round(_ONSET_SECONDS * wave.rate))
    return replace(wave, samples=wave.samples[first : int(audible[-1]) + 1])


@lru_cache(maxsize=4)
def _impulse_response(rate: int, seconds: float) -> Samples:
    """Return a synthetic room impulse response: early reflections, then dense decaying noise that grows darker."""
    at = np.arange(round(rate * seconds)) / rate
    noise = np.random.default_rng(1924).standard_normal(len(at))
    dark = np.convolve(noise, np.hanning(max(3, rate // 2500)), mode="same")
    share = np.exp(-at / (0.15 * seconds))
    dense = (noise * share + dark * (1 - share)) * 10 ** (-3 * at / seconds)
    dense[: round(0.02 * rate)] = 0.0
    tail = dense / np.sqrt(np.sum(dense**2) or 1.0)
    for delay, gain in _EARLY_REFLECTIONS:
        if (index := round(delay * rate)) < len(tail):
            tail[index] += gain
    return np.asarray(tail, np.float32)
