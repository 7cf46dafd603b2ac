"""The body of the voice and the room it stands in, by arithmetic on samples; knows no engine and no device."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import soxr

from seance.audio.formats import Samples
from seance.audio.waves import Wave

_PEAK = 0.8
_LOUDNESS = 0.11
"""Root mean square of speech, pauses not counted: every engine is brought to the same."""
_STILL = 0.02
"""Of the peak: what is below is a pause."""
_FADE_SECONDS = 0.005
_BREATH_SECONDS = 0.015
"""Before the first loud sample: the soft beginning of an h or an s."""
_FIRST_ECHOES = ((0.011, 0.5), (0.017, -0.4), (0.029, 0.35), (0.041, -0.25))
"""From the walls nearby: seconds after the voice, and how strong."""


@dataclass(frozen=True, slots=True)
class Effects:
    """A room around the voice."""

    reverb: float = 0.0
    """How loud the room is beside the voice, 0 (none) to 1 (as loud)."""
    room: float = 0.8
    """How long the room goes on after the voice (seconds, until it is 60 dB quieter)."""

    @property
    def any(self) -> bool:
        """Whether there is anything to do."""
        return self.reverb > 0 and self.room > 0


def in_room(wave: Wave, effects: Effects) -> Wave:
    """Return *wave* as it sounds in a room, longer by the time the room goes on."""
    if not effects.any or not len(wave.samples):
        return wave
    echo = _room(wave.rate, effects.room)
    size = len(wave.samples) + len(echo) - 1
    spare = 1 << (size - 1).bit_length()
    wet = np.fft.irfft(np.fft.rfft(wave.samples, spare) * np.fft.rfft(echo, spare), spare)[:size]
    mixed = np.asarray(wet * effects.reverb, np.float32)
    mixed[: len(wave.samples)] += wave.samples
    return replace(wave, samples=mixed)


def pitched(wave: Wave, semitones: float) -> Wave:
    """Return *wave* as from a larger body (below 0) or a smaller one: it is slower or faster by `stretch`."""
    if not semitones:
        return wave
    samples = soxr.resample(wave.samples, wave.rate, wave.rate * stretch(semitones))
    return replace(wave, samples=samples.astype(np.float32, copy=False))


def stretch(semitones: float) -> float:
    """Return how many times as long a sound becomes when it is pitched."""
    return float(2 ** (-semitones / 12))


def levelled(wave: Wave) -> Wave:
    """Return *wave* at the loudness of all speech, without a click at either end."""
    peak = float(np.abs(wave.samples).max(initial=0.0))
    if peak == 0.0:
        return wave
    loud = wave.samples[np.abs(wave.samples) > _STILL * peak]
    gain = min(_LOUDNESS / float(np.sqrt(np.mean(np.square(loud, dtype=np.float64)))), _PEAK / peak)
    samples = wave.samples * np.float32(gain)
    fade = min(len(samples) // 2, round(wave.rate * _FADE_SECONDS))
    ramp = np.linspace(0, 1, fade, dtype=np.float32)
    samples[:fade] *= ramp
    samples[len(samples) - fade :] *= ramp[::-1]
    return replace(wave, samples=samples)


def trimmed(wave: Wave) -> Wave:
    """Return *wave* without the silence at its ends: speech begins when it is cued."""
    level = np.abs(wave.samples)
    began = np.flatnonzero(level > _STILL * level.max(initial=0.0))
    ended = np.flatnonzero(level > _STILL / 4 * level.max(initial=0.0))
    if not len(began):
        return wave
    first = max(0, int(began[0]) - round(_BREATH_SECONDS * wave.rate))
    return replace(wave, samples=wave.samples[first : int(ended[-1]) + 1])


@lru_cache(maxsize=4)
def _room(rate: int, seconds: float) -> Samples:
    """Return what a clap leaves in the room: walls nearby, then a dense fading noise that grows darker."""
    at = np.arange(round(rate * seconds)) / rate
    noise = np.random.default_rng(1924).standard_normal(len(at))
    dark = np.convolve(noise, np.hanning(max(3, rate // 2500)), mode="same")
    share = np.exp(-at / (0.15 * seconds))
    dense = (noise * share + dark * (1 - share)) * 10 ** (-3 * at / seconds)
    dense[: round(0.02 * rate)] = 0.0
    tail = dense / np.sqrt(np.sum(dense**2) or 1.0)
    for delay, strength in _FIRST_ECHOES:
        if (index := round(delay * rate)) < len(tail):
            tail[index] += strength
    return np.asarray(tail, np.float32)
