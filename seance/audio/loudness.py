"""Loudness by EBU R128: K-weighted and gated (ITU-R BS.1770-4), in LUFS, and the true peak."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import soxr
from numpy.typing import NDArray

from seance.audio.formats import Samples
from seance.audio.waves import Wave

SILENCE_LUFS = -120.0
"""The loudness given to digital silence."""
_BLOCK_SECONDS = 0.4
_STEP_SECONDS = 0.1
_ABSOLUTE_GATE_LUFS = -70.0
_RELATIVE_GATE_LU = -10.0
_OFFSET_LU = -0.691
"""So that a sine of 997 Hz at full scale has -3.01 LUFS."""
_FILTER_TAIL_SECONDS = 0.25
"""The high-pass filter has died away after so long."""
_OVERSAMPLING = 4
_LOOKAHEAD_SECONDS = 0.005
"""The limiter turns the sound down so long before a peak, and up again as long after it."""


class _Biquad(NamedTuple):
    """A second-order filter of BS.1770 by its analogue values, from which its coefficients at any rate follow."""

    hertz: float
    q: float
    high_gain: float
    """Above *hertz*."""
    middle_gain: float
    """At *hertz*, times *q*."""
    low_gain: float
    """Below *hertz*."""

    def response(self, hertz: NDArray[np.float64], rate: int) -> NDArray[np.complex128]:
        """Return its gain at each of *hertz*, at a sample rate."""
        k = np.tan(np.pi * self.hertz / rate)
        z = np.exp(-2j * np.pi * hertz / rate)
        high, middle, low = self.high_gain, self.middle_gain * k / self.q, self.low_gain * k * k
        upper = high + middle + low + 2 * (low - high) * z + (high - middle + low) * z**2
        lower = 1 + k / self.q + k * k + 2 * (k * k - 1) * z + (1 - k / self.q + k * k) * z**2
        return np.asarray(upper / lower, np.complex128)


_SHELF_GAIN = 10 ** (3.999843853973347 / 20)
_HEAD_SHELF = _Biquad(1681.974450955533, 0.7071752369554196, _SHELF_GAIN, _SHELF_GAIN**0.4996667741545416, 1.0)
_HIGH_PASS = _Biquad(38.13547087602444, 0.5003270373238773, 1.0, 0.0, 0.0)


def integrated_loudness(wave: Wave) -> float:
    """Return the loudness of *wave* in LUFS; what is shorter than a block of 0.4 s is measured as one block."""
    weighted = _k_weighted(wave)
    block, step = round(_BLOCK_SECONDS * wave.rate), round(_STEP_SECONDS * wave.rate)
    energy = np.concatenate(([0.0], np.cumsum(np.square(weighted))))
    starts = np.arange(0, max(1, len(weighted) - block + 1), step)
    ends = np.minimum(starts + block, len(weighted))
    powers = (energy[ends] - energy[starts]) / np.maximum(1, ends - starts)
    loud = powers[_lufs(powers) > _ABSOLUTE_GATE_LUFS]
    if not len(loud):
        return SILENCE_LUFS
    gate = float(_lufs(loud.mean())) + _RELATIVE_GATE_LU
    return float(_lufs(loud[_lufs(loud) > gate].mean()))


def true_peak(wave: Wave) -> float:
    """Return the largest absolute value that *wave* reaches between its samples, too; 1 is full scale."""
    return float(_envelope(wave).max(initial=0.0))


def limit_peaks(wave: Wave, max_peak: float) -> Wave:
    """Return *wave* turned down smoothly around each peak above *max_peak*."""
    envelope = _envelope(wave)
    if envelope.max(initial=0.0) <= max_peak:
        return wave
    gain = np.minimum(1.0, max_peak / np.maximum(envelope, max_peak))
    reach = round(_LOOKAHEAD_SECONDS * wave.rate)
    padded = np.pad(gain, 2 * reach, constant_values=1.0)
    lowest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).min(axis=1)
    window = np.hanning(2 * reach + 3)[1:-1]
    smooth = np.convolve(lowest, window / window.sum(), mode="valid")
    return replace(wave, samples=(wave.samples * smooth).astype(np.float32))


def _k_weighted(wave: Wave) -> NDArray[np.float64]:
    """Return the samples as the ear weights them: the head's shelf, and no rumble."""
    size = len(wave.samples) + round(_FILTER_TAIL_SECONDS * wave.rate)
    size = 1 << (size - 1).bit_length()
    hertz = np.fft.rfftfreq(size, 1 / wave.rate).astype(np.float64)
    response = np.multiply(_HEAD_SHELF.response(hertz, wave.rate), _HIGH_PASS.response(hertz, wave.rate))
    weighted = np.fft.irfft(np.fft.rfft(wave.samples, size) * response, size)
    return np.asarray(weighted[: len(wave.samples)], np.float64)


def _envelope(wave: Wave) -> Samples:
    """Return for each sample the largest absolute value from it to the next, by oversampling."""
    if not len(wave.samples):
        return wave.samples
    fine = soxr.resample(wave.samples, 1, _OVERSAMPLING)
    count = len(wave.samples)
    padded = np.pad(np.abs(fine), (0, max(0, count * _OVERSAMPLING - len(fine))))
    envelope = padded[: count * _OVERSAMPLING].reshape(count, _OVERSAMPLING).max(axis=1)
    return np.asarray(np.maximum(envelope, np.abs(wave.samples)), np.float32)


def _lufs(power: NDArray[np.float64] | np.float64) -> NDArray[np.float64]:
    return np.asarray(_OFFSET_LU + 10 * np.log10(np.maximum(power, 1e-12)))
