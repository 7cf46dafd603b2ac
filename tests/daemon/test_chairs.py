"""Who sits where around a microphone array: a guest who has moved is asked once, and the host may move chairs."""

from dataclasses import replace

import pytest

from seance.daemon.chair_signals import ChairChange, ChairMove, ChairsKnown, GhostOverheard
from seance.daemon.room_devices import RoomDevices
from seance.daemon.signals import Heard
from seance.dialogue.grammar.sentences import Intent
from seance.narration.cues import Enrol, ForgetVoice, MoveChair
from seance.permissions import Source
from seance.rules import IGAMES, LIBELLUD, Psychic
from tests.daemon.evenings import Table, again, begun, keys, of, table
from tests.nights import BLUE, RED, WHITE

YES, NO = Heard("yes", Intent("yes")), Heard("no", Intent("no"))
ASKED = "ask_back.chair"


@pytest.fixture
def house(tmp_path) -> Table:
    return begun(table(tmp_path), RED, BLUE, WHITE)


def move(house: Table, psychic: Psychic = RED, direction_deg: float = 120.0) -> list[str]:
    """Let *psychic* be heard from another place, and say nothing for a second."""
    return [*keys(house.give(ChairChange(psychic, direction_deg))), *keys(house.wait(1))]


def test_a_guest_who_has_moved_is_asked_and_sits_there_after_a_yes(house):
    assert move(house) == [ASKED]
    cues = house.give(YES)
    assert of(cues, MoveChair) == [MoveChair(RED, 120, takes_over=True)]
    assert keys(cues) == ["reply.chair_changed"]


def test_after_a_no_the_chair_stays_where_it_is(house):
    move(house)
    cues = house.give(NO)
    assert of(cues, MoveChair) == []
    assert keys(cues) == ["reply.dropped"]


def test_a_guest_who_does_not_answer_is_not_asked_again(house):
    assert move(house) == [ASKED]
    assert ASKED not in keys(house.wait(60))


def test_another_question_is_answered_first(house):
    house.say("end the séance")
    assert ASKED not in move(house)
    house.give(NO)
    assert ASKED in keys(house.wait(1))


def test_a_guest_may_go_on_playing_instead_of_answering(house):
    move(house)
    house.say("red chooses card seven")
    assert of(house.give(YES), MoveChair) == []


def test_the_question_outlives_a_restart(house):
    move(house)
    assert of(again(house).give(YES), MoveChair) == [MoveChair(RED, 120, takes_over=True)]


def test_the_host_moves_a_chair(house):
    assert of(house.give(ChairMove(BLUE, 300.0, Source.HOST_PHONE)), MoveChair) == [MoveChair(BLUE, 300.0)]


def test_a_guests_phone_moves_no_chair(house):
    assert of(house.give(ChairMove(BLUE, 300.0, Source.OTHER_PHONE)), MoveChair) == []


def test_whoever_introduces_themselves_is_enrolled_and_whoever_leaves_is_forgotten(house):
    assert of(house.say("I am Madam Wang"), Enrol)
    assert of(house.say("red has to leave"), ForgetVoice) == [ForgetVoice(RED)]


def test_the_house_knows_the_chairs_that_its_ear_knows(house):
    house.give(ChairsKnown({RED: 30.0}))
    assert house.evening.chairs_deg == {RED: 30.0}


def overheard(folder, edition, *, remarks=True) -> Table:
    house = table(folder, devices=RoomDevices(hearing=True, array=True, ghost_deg=180.0))
    context = replace(house.evening._context, remarks_on_ghost=remarks)
    house.evening._context = context
    return begun(house, RED, BLUE, WHITE, edition=edition)


def test_a_ghost_who_is_heard_where_silence_is_the_law_is_remarked_on_and_not_at_once_again(tmp_path):
    house = overheard(tmp_path, IGAMES)
    assert keys(house.give(GhostOverheard())) == ["reply.ghost_heard"]
    assert house.state.outcome is None
    assert keys(house.give(GhostOverheard())) == []


def test_nothing_is_remarked_unless_the_owner_wants_it(tmp_path):
    assert keys(overheard(tmp_path, IGAMES, remarks=False).give(GhostOverheard())) == []


def test_nothing_is_remarked_where_silence_is_not_the_law(tmp_path):
    assert keys(overheard(tmp_path, LIBELLUD).give(GhostOverheard())) == []
