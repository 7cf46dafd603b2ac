"""A button to talk: how long the house listens, and what it shows of it."""

import pytest

from seance.daemon.signals import Heard, HearingChange, PsychicSeatLeft, PsychicSeatRequest, SeatTalk, Talk, Tick
from seance.daemon.talk import STUCK_AFTER_S, TAP_S, TAP_TIMEOUT_S, TalkState
from seance.dialogue.grammar.sentences import Intent
from seance.narration.cues import Earcon, Listen, Sound
from seance.permissions import Source
from seance.rules import LIBELLUD, Begin, Psychic
from tests.daemon.evenings import lines, of, set_up, table

OPEN = Listen(is_open=True)
SHUT = Listen(is_open=False)
LONGER_S = TAP_S + 0.1


@pytest.fixture
def evening(tmp_path):
    evening = table(tmp_path, seed=1)
    evening.give(HearingChange(True))
    return evening


def _pressed(evening, **more):
    return evening.give(Talk(is_held=True, **more))


def _released(evening, **more):
    return evening.give(Talk(is_held=False, **more))


def test_a_press_opens_the_ear_and_hushes_the_others(evening):
    cues = _pressed(evening)
    assert of(cues, Listen) == [OPEN]
    assert of(cues, Earcon) == [Earcon(Sound.LISTENING)]


def test_letting_go_shuts_it(evening):
    _pressed(evening)
    evening.now += LONGER_S
    assert of(_released(evening), Listen) == [SHUT]


def test_after_a_tap_it_stays_open_for_one_command(evening):
    _pressed(evening)
    assert of(_released(evening), Listen) == [Listen(is_open=True, one_command=True)]
    assert of(evening.give(Heard("mumble", None, by_talk=True)), Listen) == []
    assert of(evening.give(Heard("help", Intent("help"), by_talk=True)), Listen) == [SHUT]


def test_after_a_tap_without_a_command_it_shuts_in_time(evening):
    _pressed(evening)
    _released(evening)
    evening.give(Tick())
    evening.now += TAP_TIMEOUT_S - 2
    assert of(evening.give(Tick()), Listen) == []
    evening.now += 4
    assert of(evening.give(Tick()), Listen) == [SHUT]


def test_a_tap_waits_while_the_house_itself_speaks(evening):
    _pressed(evening)
    _released(evening)
    evening.now += 10 * TAP_TIMEOUT_S
    assert of(evening.give(Tick(silent=False)), Listen) == []


def test_a_stuck_button_is_let_go_of_and_told_once(evening):
    for is_first in (True, False):
        _pressed(evening)
        evening.now += STUCK_AFTER_S
        cues = evening.give(Tick())
        assert of(cues, Listen) == [SHUT]
        assert any("button to talk" in line for line in lines(cues)) == is_first
        assert of(_released(evening), Listen) == []


def test_without_a_microphone_the_button_is_refused(evening):
    evening.give(HearingChange(False))
    cues = _pressed(evening)
    assert of(cues, Listen) == []
    assert of(cues, Earcon) == [Earcon(Sound.REFUSED)]


def test_the_ear_shuts_when_the_microphone_is_lost(evening):
    _pressed(evening)
    assert of(evening.give(HearingChange(False)), Listen) == [SHUT]


def test_nobody_is_reminded_of_anything_while_somebody_talks(evening):
    _pressed(evening)
    for _ in range(4):
        evening.now += STUCK_AFTER_S / 5 - 1
        assert lines(evening.give(Tick())) == []


def test_the_ear_stays_open_until_the_last_lets_go():
    talk = TalkState().press("blue's", Psychic.BLUE, 0.0).press("red's", Psychic.RED, 1.0)
    assert talk.listen == OPEN  # two at once: nobody knows whose words they are
    assert talk.release("blue's", 2.0).listen == Listen(is_open=True, speaker=Psychic.RED)
    assert talk.release("blue's", 2.0).release("red's", 2.0).listen == SHUT


def test_another_phone_cannot_open_the_ear(evening):
    assert _pressed(evening, source=Source.OTHER_PHONE) == []


@pytest.fixture
def seats(evening):
    """A night of three, in which one phone plays for blue and red, and another for white and yellow."""
    four = (Psychic.RED, Psychic.BLUE, Psychic.WHITE, Psychic.YELLOW)
    set_up(evening, Begin(edition=LIBELLUD, players=3, level="easy", psychics=four))
    evening.give(PsychicSeatRequest(Psychic.BLUE, "phone", "guest"))
    return evening


def test_from_a_seat_the_house_knows_who_speaks(seats):
    for psychic in (Psychic.BLUE, Psychic.RED):
        assert of(seats.give(SeatTalk("phone", True, psychic)), Listen) == [Listen(is_open=True, speaker=psychic)]
        seats.now += LONGER_S
        assert of(seats.give(SeatTalk("phone", False, psychic)), Listen) == [SHUT]


def test_a_tap_at_a_seat_is_for_one_command_of_its_psychic(seats):
    seats.give(SeatTalk("phone", True, Psychic.RED))
    cues = seats.give(SeatTalk("phone", False, Psychic.RED))
    assert of(cues, Listen) == [Listen(is_open=True, speaker=Psychic.RED, one_command=True)]


@pytest.mark.parametrize(("device", "psychic"), [("phone", Psychic.WHITE), ("stranger", Psychic.RED)])
def test_nobody_speaks_for_a_seat_that_is_not_theirs(seats, device, psychic):
    assert of(seats.give(SeatTalk(device, True, psychic)), Listen) == []


def test_a_seat_that_is_given_back_lets_go_of_its_button(seats):
    seats.give(SeatTalk("phone", True, Psychic.RED))
    seats.now += LONGER_S
    assert of(seats.give(PsychicSeatLeft("phone")), Listen) == [SHUT]
