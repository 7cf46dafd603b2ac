"""A voice stands out from its room, and its sentence ends when it does not any more."""

import pytest

from seance.hearing.noise_reduction import FRAME
from seance.hearing.voice_activity import Attention


def frames(seconds):
    return range(round(seconds / FRAME))


@pytest.fixture
def quiet_room():
    attention = Attention()
    for number in frames(1.5):
        attention.notice(-60.0 + number % 3)
    return attention


def test_a_steady_room_is_nobody(quiet_room):
    assert not quiet_room.near


def test_a_voice_that_stands_out_is_near(quiet_room):
    for _ in frames(0.1):
        quiet_room.notice(-30.0)
    assert quiet_room.near


def test_a_click_is_nobody(quiet_room):
    for _ in frames(0.03):
        quiet_room.notice(-20.0)
    assert not quiet_room.near


def test_quiet_is_counted_from_the_last_sound(quiet_room):
    for _ in frames(0.5):
        quiet_room.notice(-30.0)
    for _ in frames(0.2):
        quiet_room.notice(-60.0)
    assert quiet_room.quiet == pytest.approx(0.2, abs=2 * FRAME)


def test_a_louder_room_is_the_room_after_a_while(quiet_room):
    for number in frames(4):
        quiet_room.notice(-40.0 + number % 3)
        if quiet_room.quiet > 0.4:
            quiet_room.rest()
    assert quiet_room.room == pytest.approx(-38, abs=3)


def test_in_hindsight_a_sentence_began_before_it_was_noticed(quiet_room):
    levels = [-60.0] * 50 + [-30.0] * 12
    for level in levels:
        quiet_room.notice(level)
    assert quiet_room.beginning(levels) == 50


def test_a_much_nearer_voice_drowns_the_one_before(quiet_room):
    for _ in frames(0.5):
        quiet_room.notice(-45.0)
    assert not quiet_room.drowned
    assert True in [quiet_room.notice(-25.0) and quiet_room.drowned for _ in frames(0.1)]


def test_a_room_that_is_loud_from_the_first_sound_on_is_the_room():
    attention = Attention()
    for number in frames(0.8):
        attention.notice(-30.0 + number % 7)
    assert attention.room == pytest.approx(-27, abs=3)


def test_somebody_who_speaks_with_the_first_sound_is_not_the_room():
    attention = Attention()
    for number in frames(0.8):
        attention.notice(-30.0 if number % 20 < 14 else -50.0)
    assert attention.voice - attention.room > 15


def test_somebody_who_speaks_evenly_with_the_first_sound_is_not_the_room_where_that_is_known_to_be_quieter():
    attention = Attention(quietest=-40.0)
    for number in frames(0.8):
        attention.notice(-30.0 if number % 20 < 14 else -34.0)
    assert attention.voice - attention.room > 5


def test_somebody_who_speaks_soon_in_a_loud_room_stands_out_of_it():
    attention = Attention()
    for number in frames(0.1):
        attention.notice(-32.0 + number % 3)
    for number in frames(0.65):
        attention.notice(-22.0 if number % 25 < 22 else -31.0)
    assert attention.voice - attention.room > 5


def test_one_who_speaks_for_long_is_not_taken_for_the_room(quiet_room):
    for number in frames(7):
        quiet_room.notice(-30.0 if number % 25 < 22 else -45.0)
    assert quiet_room.near
    assert quiet_room.voice - quiet_room.room > 20
