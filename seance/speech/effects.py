"""Effects on speech: pitch shift, reverb, a small loudspeaker, loudness; and pieces of a line joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import soxr

from seance.audio.formats import Samples
from seance.audio.loudness import SILENCE_LUFS, integrated_loudness, limit_peaks
from seance.audio.waves import Wave
from seance.speech.pauses import fade_ends

TARGET_LUFS = -21.0
"""The integrated loudness (EBU R128) of everything that is said, before reverb."""
MAX_TRUE_PEAK = 0.8
"""Of full scale, -2 dBTP: room for the ambience under the voice."""
_LIMITER_PASSES = 3
"""A limited sound is softer, so it is turned up and limited again."""
_SMALL_LOUDSPEAKER_BAND_HZ = (400.0, 3000.0)
_OVERDRIVE_GAIN = 2.5
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


def small_loudspeaker(wave: Wave) -> Wave:
    """Return *wave* as from a wireless set: no bass, no treble, and a little overdriven."""
    if not len(wave.samples):
        return wave
    spectrum = np.fft.rfft(wave.samples)
    hertz = np.fft.rfftfreq(len(wave.samples), 1 / wave.rate)
    # Second-order slopes at both ends of the band; an abrupt edge would ring.
    low, high = _SMALL_LOUDSPEAKER_BAND_HZ
    gain = 1 / np.sqrt(1 + (low / np.maximum(hertz, 1.0)) ** 4) / np.sqrt(1 + (hertz / high) ** 4)
    band = np.fft.irfft(spectrum * gain, len(wave.samples))
    peak = float(np.abs(band).max(initial=0.0)) or 1.0
    return replace(wave, samples=np.tanh(_OVERDRIVE_GAIN * band / peak).astype(np.float32))


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
    """Return *wave* at TARGET_LUFS with no peak above MAX_TRUE_PEAK, faded in and out so that it does not click."""
    wave = replace(wave, samples=fade_ends(wave.samples, wave.rate))
    for _ in range(_LIMITER_PASSES):
        if (loudness := integrated_loudness(wave)) == SILENCE_LUFS:
            return wave
        gain = np.float32(10 ** ((TARGET_LUFS - loudness) / 20))
        wave = limit_peaks(replace(wave, samples=wave.samples * gain), MAX_TRUE_PEAK)
    return wave


def join_waves(waves: Sequence[Wave], *, gaps_s: Sequence[float], tail_s: float) -> Wave:
    """Return *waves* one after another; the last *tail_s* of each, its reverb, rings into the next.

    *gaps_s* has the silence after each of them.
    """
    if len(waves) == 1:
        return waves[0]
    rate = max(wave.rate for wave in waves)
    joined, at = np.zeros(0, np.float32), 0
    for wave, gap_s in zip(waves, gaps_s, strict=True):
        if not len(wave.samples):
            continue
        if wave.rate != rate:
            raise ValueError("sounds of one line have different sample rates")
        end = at + len(wave.samples)
        joined = np.pad(joined, (0, max(0, end - len(joined))))
        joined[at:end] += wave.samples
        at += max(0, len(wave.samples) - round(tail_s * rate)) + round(gap_s * rate)
    return Wave(joined, rate)


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
