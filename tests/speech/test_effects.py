"""The body of a voice and the room it stands in."""

import numpy as np
import pytest

from seance.audio.loudness import integrated_loudness, true_peak
from seance.audio.waves import Wave
from seance.speech.effects import (
    MAX_TRUE_PEAK,
    TARGET_LUFS,
    Reverb,
    add_reverb,
    duration_factor,
    join_waves,
    normalise_loudness,
    shift_pitch,
    small_loudspeaker,
)
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
    assert integrated_loudness(normalise_loudness(tone(1.0, level=level))) == pytest.approx(TARGET_LUFS, abs=0.1)


def test_a_word_is_as_loud_as_a_line():
    assert integrated_loudness(normalise_loudness(tone(0.25))) == pytest.approx(TARGET_LUFS, abs=0.1)


def test_a_voice_with_sharp_peaks_is_limited_and_not_softer():
    wave = tone(4.0, level=0.1)
    wave.samples[::4800] = 1.0
    even = normalise_loudness(wave)
    assert true_peak(even) <= 1.02 * MAX_TRUE_PEAK
    assert integrated_loudness(even) == pytest.approx(TARGET_LUFS, abs=0.5)


def test_silence_stays_silence():
    assert not normalise_loudness(Wave(np.zeros(1000, np.float32), 22_050)).samples.any()


def test_it_begins_and_ends_without_a_click():
    wave = normalise_loudness(Wave(np.full(22_050, 0.5, np.float32), 22_050))
    assert wave.samples[0] == 0.0
    assert wave.samples[-1] == 0.0


def test_sentences_are_joined_with_a_gap_into_which_the_room_rings():
    dry = np.ones(1000, np.float32)
    ringing = Wave(np.concatenate([dry, np.full(500, 0.5, np.float32)]), 1000)
    joined = join_waves([ringing, ringing], gaps_s=[0.3, 0.3], tail_s=0.5)
    assert joined.seconds == pytest.approx(1.0 + 0.3 + 1.5)
    assert joined.samples[1100] == 0.5  # the room after the first
    assert joined.samples[1400] == 1.5  # and below the second


def test_one_sentence_is_joined_to_nothing():
    wave = Wave(np.ones(100, np.float32), 1000)
    assert join_waves([wave], gaps_s=[0.3], tail_s=0.5) is wave


def test_a_small_loudspeaker_has_no_bass_and_no_treble():
    def loss_db(hertz):
        wave = tone(0.5, hertz)
        both = Wave(wave.samples + tone(0.5, 1200.0).samples, wave.rate)
        spectrum = np.abs(np.fft.rfft(small_loudspeaker(both).samples))
        at = [round(each * both.seconds) for each in (hertz, 1200.0)]
        return 20 * np.log10(spectrum[at[1]] / spectrum[at[0]])

    assert loss_db(100.0) > 15
    assert loss_db(9000.0) > 12
