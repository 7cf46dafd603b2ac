"""A ghost at a page: the room confirms who sits there, and the house waits for taps, but not for ever."""

import pytest

from seance.daemon.ghost_seat import ATTEMPT_NOTICE_INTERVAL_S, AWAY_TIMEOUT_S
from seance.daemon.signals import ButtonPress, GhostCommand, GhostPageOpen, PauseRequest, SeatRequest, TypedOnPage
from seance.narration.cues import ShowTable
from seance.permissions import Source
from seance.rules import Manifest, Phase, Psychic
from tests.daemon.conftest import choice
from tests.daemon.evenings import Table, again, keys, of, whispers
from tests.nights import BLUE, RED, WHITE

PHONE = "phone"
OTHER = "another phone"


def seated(table: Table) -> Table:
    """Let the ghost sit down at its phone, and its page be open."""
    table.give(SeatRequest(PHONE))
    table.say("yes")
    table.give(GhostPageOpen(PHONE, True))
    assert table.evening.seat.state.holder == PHONE
    return table


def answers_due(table: Table) -> Table:
    """Let all choose, and time be called."""
    for psychic in (RED, BLUE, WHITE):
        table.say(f"{psychic} chooses card {choice(table, psychic).card}")
    table.say("we are ready")
    return table


# Who sits there


def test_the_room_is_asked_whether_the_ghost_has_sat_down(visions):
    assert keys(visions.give(SeatRequest(PHONE))) == ["ask_back.seat"]
    assert visions.would_hear("yes")
    assert keys(visions.say("yes")) == ["reply.seat_taken"]


def test_a_no_and_no_answer_leave_the_seat_free(visions):
    visions.give(SeatRequest(PHONE))
    assert keys(visions.say("no")) == ["reply.seat_refused"]
    visions.give(SeatRequest(PHONE))
    told = keys(visions.wait(60))
    assert [key for key in told if "seat" in key] == ["ask_back.seat", "reply.seat_unanswered"]
    assert visions.evening.seat.state.status == "free"


def test_the_question_does_not_take_the_place_of_another(opened):
    opened.say("begin the séance")
    opened.give(SeatRequest(PHONE))
    assert keys(opened.say("yes")) == ["reply.seat_taken", "ask.players"]
    assert keys(opened.say("five"))[-1] != "reply.not_understood"


def test_a_question_that_comes_later_is_answered_first(visions):
    visions.give(SeatRequest(PHONE))
    assert keys(visions.say("end the séance")) == ["ask_back.end"]
    assert keys(visions.say("no")) == ["reply.dropped", "ask_back.seat"]
    assert visions.evening.seat.state.status == "asked"
    assert visions.state.outcome is None
    assert keys(visions.say("yes")) == ["reply.seat_taken"]


def test_in_a_pause_the_ghost_may_sit_down(visions):
    visions.say("pause")
    visions.give(SeatRequest(PHONE))
    assert visions.would_hear("yes")
    assert keys(visions.say("yes")) == ["reply.seat_taken"]


def test_while_the_house_sleeps_nobody_sits_down(visions):
    visions.say("stop listening")
    visions.give(SeatRequest(PHONE))
    assert visions.evening.seat.state.status == "free"


def test_a_yes_from_a_page_elsewhere_must_be_said_aloud(visions):
    visions.give(SeatRequest(PHONE))
    assert keys(visions.give(TypedOnPage("yes"))) == ["reply.say_aloud"]
    assert visions.evening.seat.state.status == "asked"
    assert keys(visions.give(TypedOnPage("yes", Source.KEYBOARD))) == ["reply.seat_taken"]


def test_a_no_counts_from_everywhere(visions):
    visions.give(SeatRequest(PHONE))
    visions.give(TypedOnPage("no"))
    assert visions.evening.seat.state.status == "free"


def test_the_words_of_a_page_are_never_the_ghosts(visions):
    cues = visions.give(TypedOnPage("ghost vision red"))
    assert not visions.state.search(RED).served
    assert keys(cues) == ["reply.not_understood"]


@pytest.mark.parametrize(("button", "standing"), [("yes", "taken"), ("no", "free")])
def test_a_button_answers_who_sits_there(visions, button, standing):
    visions.give(SeatRequest(PHONE))
    visions.give(ButtonPress(button))
    assert visions.evening.seat.state.status == standing


def test_that_somebody_tried_is_told_now_and_then(visions):
    seated(visions)
    assert keys(visions.give(SeatRequest(None))) == ["reply.seat_tried"]
    assert keys(visions.give(SeatRequest(OTHER))) == []
    visions.now += ATTEMPT_NOTICE_INTERVAL_S
    assert keys(visions.give(SeatRequest(OTHER))) == ["reply.seat_tried"]
    assert visions.evening.seat.state.holder == PHONE


def test_the_seat_and_its_key_last_as_long_as_the_night(visions):
    before = seated(visions).evening.seat.state
    visions.say("end the séance")
    visions.say("yes")
    after = visions.evening.seat.state
    assert after.status == "free"
    assert after.key != before.key


def test_a_house_that_comes_back_knows_its_ghost(visions):
    before = seated(visions).evening.seat.state
    assert again(visions).evening.seat.state == before


def test_a_question_that_was_cut_off_is_not_asked_by_a_house_that_comes_back(visions):
    visions.give(SeatRequest(PHONE))
    back = again(visions)
    assert back.evening.seat.state.status == "free"
    assert back.evening.conversation.sitting is None


# What it does


def test_the_house_waits_for_the_ghost_to_answer_in_its_own_order(interpreting):
    answers_due(seated(interpreting))
    assert interpreting.state.phase is Phase.MANIFESTATION
    for psychic in (WHITE, RED, BLUE):
        interpreting.give(GhostCommand(Manifest(psychic=psychic), device=PHONE))
    assert interpreting.state.hour == 2


def test_a_tap_of_another_device_is_nothing(interpreting):
    answers_due(seated(interpreting))
    assert interpreting.give(GhostCommand(Manifest(psychic=RED), device=OTHER)) == []
    assert not interpreting.give(PauseRequest(OTHER, pause=True))
    assert not interpreting.state.search(RED).answered


def test_the_ghost_is_waited_for_and_the_room_reminded(interpreting):
    answers_due(seated(interpreting))
    told = keys(interpreting.wait(130))
    assert [key for key in told if key.startswith("next.")] == ["next.answer_psychics"]
    assert interpreting.state.phase is Phase.MANIFESTATION


def test_for_a_ghost_whose_page_is_gone_the_house_answers_after_a_while(interpreting):
    answers_due(seated(interpreting))
    interpreting.give(GhostPageOpen(PHONE, False))
    assert keys(interpreting.wait(AWAY_TIMEOUT_S - 10)).count("reply.ghost_away") == 0
    assert keys(interpreting.wait(20)).count("reply.ghost_away") == 1
    assert interpreting.state.hour == 2
    assert interpreting.evening.seat.state.holder == PHONE


def test_a_phone_that_slept_for_a_moment_is_waited_for(interpreting):
    answers_due(seated(interpreting))
    interpreting.give(GhostPageOpen(PHONE, False))
    interpreting.wait(AWAY_TIMEOUT_S - 10)
    interpreting.give(GhostPageOpen(PHONE, True))
    interpreting.wait(60)
    assert interpreting.state.phase is Phase.MANIFESTATION


def test_of_two_open_pages_one_may_go(interpreting):
    answers_due(seated(interpreting))
    interpreting.give(GhostPageOpen(PHONE, True))
    interpreting.give(GhostPageOpen(PHONE, False))
    interpreting.wait(AWAY_TIMEOUT_S + 10)
    assert interpreting.state.phase is Phase.MANIFESTATION


def test_a_night_that_comes_back_without_the_ghosts_page_goes_on(interpreting):
    back = again(answers_due(seated(interpreting)))
    assert back.state.phase is Phase.MANIFESTATION
    back.wait(AWAY_TIMEOUT_S + 10)
    assert back.state.hour == 2


def test_when_the_seat_is_freed_the_house_answers(interpreting):
    answers_due(seated(interpreting))
    interpreting.say("the ghost must change seats")
    interpreting.wait(2)
    assert interpreting.state.hour == 2


def test_in_a_pause_the_house_answers_nothing_for_the_ghost(interpreting):
    answers_due(seated(interpreting))
    interpreting.give(GhostPageOpen(PHONE, False))
    interpreting.say("pause")
    interpreting.wait(AWAY_TIMEOUT_S + 60)
    assert interpreting.state.phase is Phase.MANIFESTATION


def test_a_refusal_is_whispered(visions):
    seated(visions)
    assert whispers(visions.give(GhostCommand(Manifest(psychic=Psychic.RED), device=PHONE)))


def test_an_answer_is_on_the_table_when_it_is_knocked(interpreting):
    answers_due(seated(interpreting))
    cues = interpreting.give(GhostCommand(Manifest(psychic=RED), device=PHONE))
    kinds = [type(cue).__name__ for cue in cues]
    assert kinds.index("ShowTable") == kinds.index("Knock") + 1
    assert of(cues, ShowTable)[0].room.phase is Phase.MANIFESTATION
