"""Silence at the ends of speech and inside it."""

import numpy as np
import pytest

from seance.audio.waves import Wave
from seance.speech.pauses import MAX_PAUSE_S, fade_ends, shorten_pauses, trim_silence
from tests.audio.tones import tone

RATE = 48_000


def silence(seconds):
    return np.zeros(round(seconds * RATE), np.float32)


def around(middle):
    return Wave(np.concatenate([tone(0.5).samples, middle, tone(0.5).samples]), RATE)


def test_silence_before_and_after_speech_is_taken_away():
    wave = Wave(np.concatenate([silence(0.5), tone(0.5).samples, silence(0.5)]), RATE)
    assert trim_silence(wave).seconds == pytest.approx(0.545, abs=0.002)


def test_the_soft_end_of_a_word_is_kept():
    dying = tone(0.5).samples * np.exp(-np.arange(RATE // 2) / (0.05 * RATE)).astype(np.float32)
    wave = trim_silence(Wave(np.concatenate([dying, silence(0.5)]), RATE))
    assert wave.seconds > 0.05 * np.log(200)  # until it is 46 dB softer


def test_a_long_pause_is_shortened_and_a_short_one_kept():
    assert shorten_pauses(around(silence(1.0))).seconds == pytest.approx(1.0 + MAX_PAUSE_S, abs=0.02)
    assert shorten_pauses(around(silence(0.2))).seconds == pytest.approx(1.2, abs=0.001)


def test_no_click_is_heard_where_a_pause_was_shortened():
    hum = np.full(RATE, 0.004, np.float32)
    hum[RATE // 2 :] *= -1  # the halves that are left do not meet
    shortened = shorten_pauses(around(hum)).samples
    quiet = shortened[RATE // 2 + 2000 : -RATE // 2 - 2000]
    assert np.abs(np.diff(quiet)).max() < 0.0001


def test_silence_alone_is_left_as_it_is():
    wave = Wave(silence(1.0), RATE)
    assert trim_silence(wave) is wave
    assert shorten_pauses(wave) is wave


def test_a_fade_begins_and_ends_at_nothing():
    faded = fade_ends(np.ones(RATE, np.float32), RATE)
    assert faded[0] == faded[-1] == 0.0
    assert faded[RATE // 2] == 1.0
