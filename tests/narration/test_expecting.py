"""What may be said now."""

from dataclasses import replace

import pytest

from seance.dialogue import replies as r
from seance.dialogue.replies import Doubt, Question
from seance.dialogue.sentences import Sentences
from seance.narration.expecting import CONTROL, PHASES, QUESTIONS, expecting
from seance.rules import IGAMES, MANUAL, Phase, room_view
from tests.narration.conftest import LANGUAGES
from tests.nights import BLUE, RED, WHITE, YELLOW, begun, hour_played, interpreted, laid, manifesting

FIRST_HOUR = room_view(interpreted(begun()))
SUMMARY = r.Summary(edition="libellud", players=5, level="easy", psychics=(RED,), story=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_expected_is_an_intent_of_the_ear(language: str):
    expected = CONTROL | QUESTIONS | {"answer", "yes", "no"} | frozenset[str]().union(*PHASES.values())
    assert expected == Sentences.load(language).intents


@pytest.mark.parametrize("phase", PHASES)
def test_control_and_questions_are_always_expected(phase: Phase | None):
    room = None if phase is None else replace(FIRST_HOUR, phase=phase)
    assert expecting(room).intents >= CONTROL | QUESTIONS


@pytest.mark.parametrize("bare", ["answer", "yes", "no", "setup"])
def test_bare_answers_are_not_expected_while_nothing_is_asked(bare: str):
    assert bare not in expecting(FIRST_HOUR).intents


def test_the_set_up_is_expected_before_the_night():
    assert "setup" in expecting(None).intents


@pytest.mark.parametrize("asked", [r.AskBack(doubt=Doubt.END), SUMMARY, r.Ask(question=Question.STORY)])
def test_yes_and_no_are_expected_when_they_answer_something(asked: r.Reply):
    assert {"yes", "no"} <= expecting(FIRST_HOUR, asked).intents


def test_a_number_answers_which_card():
    asked = r.Ask(question=Question.WHICH_CARD)
    assert expecting(FIRST_HOUR, asked).numbers == frozenset(FIRST_HOUR.table.character)


def test_a_number_of_players_answers_how_many():
    assert expecting(None, r.Ask(question=Question.PLAYERS)).numbers == frozenset(range(2, 8))


def test_no_bare_number_is_expected_while_nothing_is_asked():
    assert expecting(FIRST_HOUR).numbers == frozenset()


def test_only_cards_of_kinds_that_somebody_searches_are_expected():
    assert expecting(FIRST_HOUR).cards == frozenset(FIRST_HOUR.table.character)
    both = room_view(hour_played(begun(), [RED]))
    assert expecting(both).cards == frozenset(both.table.character + both.table.location)


def test_only_those_who_play_are_expected():
    assert expecting(FIRST_HOUR).psychics == frozenset([BLUE, WHITE, RED, YELLOW])


def test_nobody_chooses_while_the_ghost_answers():
    assert "place_intuition" not in expecting(room_view(manifesting(begun()))).intents


def test_groups_on_the_table_are_expected_in_an_accusation():
    expect = expecting(room_view(laid(begun(IGAMES))))
    assert {"point_at", "accuse"} <= expect.intents
    assert expect.groups == frozenset([1, 2, 3, 4])


def test_a_full_investigation_names_cards_of_the_groups():
    room = room_view(laid(begun(MANUAL, variant="full_investigation")))
    assert expecting(room).cards == frozenset(card for group in room.groups for card in group.cards)


def test_asleep_the_house_hears_only_wake():
    expect = expecting(FIRST_HOUR, asleep=True)
    assert (expect.intents, expect.asleep) == (frozenset(["wake"]), True)
