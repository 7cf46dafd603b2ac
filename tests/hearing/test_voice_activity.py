"""A voice stands out from its room, and its sentence ends when it does not any more."""

import pytest

from seance.hearing.noise_reduction import FRAME_S
from seance.hearing.voice_activity import VoiceActivity


def frames(seconds):
    return range(round(seconds / FRAME_S))


@pytest.fixture
def quiet_room():
    activity = VoiceActivity()
    for number in frames(1.5):
        activity.update(-60.0 + number % 3)
    return activity


def test_a_steady_room_is_nobody(quiet_room):
    assert not quiet_room.is_speech


def test_a_voice_that_stands_out_is_near(quiet_room):
    for _ in frames(0.1):
        quiet_room.update(-30.0)
    assert quiet_room.is_speech


def test_a_click_is_nobody(quiet_room):
    for _ in frames(0.03):
        quiet_room.update(-20.0)
    assert not quiet_room.is_speech


def test_quiet_is_counted_from_the_last_sound(quiet_room):
    for _ in frames(0.5):
        quiet_room.update(-30.0)
    for _ in frames(0.2):
        quiet_room.update(-60.0)
    assert quiet_room.trailing_silence_s == pytest.approx(0.2, abs=2 * FRAME_S)


def test_a_louder_room_is_the_room_after_a_while(quiet_room):
    for number in frames(4):
        quiet_room.update(-40.0 + number % 3)
        if quiet_room.trailing_silence_s > 0.4:
            quiet_room.end_speech()
    assert quiet_room.noise_floor_db == pytest.approx(-38, abs=3)


def test_in_hindsight_a_sentence_began_before_it_was_noticed(quiet_room):
    levels = [-60.0] * 50 + [-30.0] * 12
    for level in levels:
        quiet_room.update(level)
    assert quiet_room.find_onset(levels) == 50


def test_a_much_nearer_voice_drowns_the_one_before(quiet_room):
    for _ in frames(0.5):
        quiet_room.update(-45.0)
    assert not quiet_room.is_new_voice
    assert True in [quiet_room.update(-25.0) and quiet_room.is_new_voice for _ in frames(0.1)]


def test_a_room_that_is_loud_from_the_first_sound_on_is_the_room():
    activity = VoiceActivity()
    for number in frames(0.8):
        activity.update(-30.0 + number % 7)
    assert activity.noise_floor_db == pytest.approx(-27, abs=3)


def test_somebody_who_speaks_with_the_first_sound_is_not_the_room():
    activity = VoiceActivity()
    for number in frames(0.8):
        activity.update(-30.0 if number % 20 < 14 else -50.0)
    assert activity.snr_db > 15


def test_somebody_who_speaks_evenly_with_the_first_sound_is_not_the_room_where_that_is_known_to_be_quieter():
    activity = VoiceActivity(known_noise_floor_db=-40.0)
    for number in frames(0.8):
        activity.update(-30.0 if number % 20 < 14 else -34.0)
    assert activity.snr_db > 5


def test_somebody_who_speaks_soon_in_a_loud_room_stands_out_of_it():
    activity = VoiceActivity()
    for number in frames(0.1):
        activity.update(-32.0 + number % 3)
    for number in frames(0.65):
        activity.update(-22.0 if number % 25 < 22 else -31.0)
    assert activity.snr_db > 5


def test_one_who_speaks_for_long_is_not_taken_for_the_room(quiet_room):
    for number in frames(7):
        quiet_room.update(-30.0 if number % 25 < 22 else -45.0)
    assert quiet_room.is_speech
    assert quiet_room.snr_db > 20
