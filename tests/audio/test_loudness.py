"""Loudness is what EBU R128 says: the compliance signals of EBU Tech 3341, in one channel."""

import numpy as np
import pytest

from seance.audio.loudness import integrated_loudness, limit_peaks, true_peak
from seance.audio.waves import Wave


def sine(seconds, dbfs, hertz=997.0, rate=48_000):
    at = np.arange(round(seconds * rate)) / rate
    return (10 ** (dbfs / 20) * np.sin(2 * np.pi * hertz * at)).astype(np.float32)


def loudness(*parts, rate=48_000):
    return integrated_loudness(Wave(np.concatenate(parts), rate))


@pytest.mark.parametrize("rate", [16_000, 22_050, 24_000, 48_000])
def test_a_sine_of_full_scale_has_minus_3_lufs_at_every_rate(rate):
    assert loudness(sine(5, 0.0, rate=rate), rate=rate) == pytest.approx(-3.01, abs=0.1)


# Signals 1 to 4 of EBU Tech 3341 are in two channels, which are 3.01 LU louder than one.


@pytest.mark.parametrize("level", [-23.0, -33.0])
def test_a_level_is_measured(level):
    assert loudness(sine(20, level, 1000.0)) == pytest.approx(level - 3.01, abs=0.1)


def test_what_is_far_softer_than_the_rest_is_gated():
    parts = [sine(10, -36.0, 1000.0), sine(60, -23.0, 1000.0), sine(10, -36.0, 1000.0)]
    assert loudness(*parts) == pytest.approx(-26.01, abs=0.1)
    silent = [sine(10, -72.0, 1000.0), *parts, sine(10, -72.0, 1000.0)]
    assert loudness(*silent) == pytest.approx(-26.01, abs=0.1)


@pytest.mark.parametrize(
    ("hertz", "gain_lu"), [(25.0, -10.4), (100.0, -1.1), (500.0, 0.0), (2000.0, 3.0), (10_000.0, 4.0)]
)
def test_the_ear_weighs_bass_less_and_treble_more(hertz, gain_lu):
    # The curve of ITU-R BS.1770-4, figures 2 and 4, with its offset of 0.691 at 997 Hz.
    assert loudness(sine(5, 0.0, hertz)) == pytest.approx(-3.01 - 0.69 + gain_lu, abs=0.6)


def test_silence_has_the_least_loudness():
    assert loudness(np.zeros(48_000, np.float32)) == -120.0
    assert loudness(np.zeros(0, np.float32)) == -120.0


def test_a_word_shorter_than_a_block_is_as_loud_as_it_is():
    assert loudness(sine(0.2, -20.0)) == pytest.approx(-23.0, abs=0.3)


def test_a_peak_between_two_samples_is_found():
    # A sine at a quarter of the rate, sampled 45 degrees beside its peaks: signal 19 of EBU Tech 3341.
    at = np.arange(4800)
    wave = Wave(np.sin(np.pi * at / 2 + np.pi / 4).astype(np.float32), 48_000)
    assert np.abs(wave.samples).max() == pytest.approx(0.707, abs=0.001)
    assert true_peak(wave) == pytest.approx(1.0, abs=0.1)


def test_a_limiter_turns_down_what_is_too_loud_and_leaves_the_rest():
    wave = Wave(np.concatenate([sine(1, -20.0), sine(0.1, 0.0), sine(1, -20.0)]), 48_000)
    limited = limit_peaks(wave, 0.5)
    assert true_peak(limited) <= 0.51
    np.testing.assert_array_equal(limited.samples[:40_000], wave.samples[:40_000])
    assert np.abs(limited.samples[50_000:51_000]).max() == pytest.approx(0.5, abs=0.01)


def test_a_limiter_leaves_a_soft_sound_alone():
    wave = Wave(sine(1, -20.0), 48_000)
    assert limit_peaks(wave, 0.5) is wave
