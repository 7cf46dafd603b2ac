"""The body of a voice and the room it stands in."""

import numpy as np
import pytest

from seance.audio.waves import Wave
from seance.speech.effects import Reverb, add_reverb, duration_factor, normalise_loudness, shift_pitch, trim_silence
from tests.audio.tones import tone


def pitch_of(wave):
    spectrum = np.abs(np.fft.rfft(wave.samples))
    return np.argmax(spectrum) / wave.seconds


def test_a_lower_pitch_is_lower_and_longer():
    wave = shift_pitch(tone(1.0, 1000.0), -12)
    assert pitch_of(wave) == pytest.approx(500.0, rel=0.01)
    assert wave.seconds == pytest.approx(2.0, rel=0.01)
    assert duration_factor(-12) == 2.0


def test_a_room_goes_on_after_the_voice():
    wave = add_reverb(tone(0.5), Reverb(wet_level=0.3, rt60_seconds=0.6))
    after = wave.samples[len(tone(0.5).samples) :]
    assert wave.seconds == pytest.approx(1.1, abs=0.01)
    assert np.abs(after[: len(after) // 4]).max() > 10 * np.abs(after[-len(after) // 8 :]).max()


def test_a_room_is_the_same_each_time():
    first, second = (add_reverb(tone(0.5), Reverb(wet_level=0.3)) for _ in range(2))
    np.testing.assert_array_equal(first.samples, second.samples)


def test_without_reverb_nothing_is_changed():
    assert add_reverb(tone(0.5), Reverb()).samples is not None
    np.testing.assert_array_equal(add_reverb(tone(0.5), Reverb()).samples, tone(0.5).samples)


@pytest.mark.parametrize("level", [0.01, 0.9])
def test_every_voice_is_brought_to_one_loudness(level):
    assert normalise_loudness(tone(1.0, level=level)).rms == pytest.approx(0.11, rel=0.05)


def test_silence_stays_silence():
    assert not normalise_loudness(Wave(np.zeros(1000, np.float32), 22_050)).samples.any()


def test_it_begins_and_ends_without_a_click():
    wave = normalise_loudness(Wave(np.full(22_050, 0.5, np.float32), 22_050))
    assert wave.samples[0] == 0.0
    assert wave.samples[-1] == 0.0


def test_silence_before_and_after_speech_is_taken_away():
    still = np.zeros(24_000, np.float32)
    wave = Wave(np.concatenate([still, tone(0.5).samples, still]), 48_000)
    assert trim_silence(wave).seconds == pytest.approx(0.515, abs=0.002)
