"""Corrections of a choice, a vote or a wish, and several things in one sentence."""

import pytest

from seance.dialogue.replies import AskBack, Summary
from seance.rules import IGAMES, GiveVision, Manifest, PlaceIntuition, PointAt, Vote
from tests.guests import Guests
from tests.nights import BLUE, RED, WHITE, YELLOW, begun, laid


@pytest.fixture
def cards(guests: Guests) -> tuple[int, ...]:
    """The characters on the table."""
    return guests.state.table.character


def test_i_meant_corrects_the_last_choice(guests, cards):
    guests.do(PlaceIntuition(psychic=BLUE, card=cards[0]), PlaceIntuition(psychic=RED, card=cards[0]))
    assert guests.say(f"sorry, I meant {cards[1]}") == (PlaceIntuition(psychic=RED, card=cards[1]),)


def test_i_meant_corrects_the_choice_of_the_voice_that_says_it(guests, cards):
    guests.do(PlaceIntuition(psychic=BLUE, card=cards[0]), PlaceIntuition(psychic=RED, card=cards[0]))
    assert guests.say(f"no, card {cards[1]}", speaker=BLUE) == (PlaceIntuition(psychic=BLUE, card=cards[1]),)


def test_i_meant_corrects_a_choice_by_its_place(guests, cards):
    guests.do(PlaceIntuition(psychic=RED, card=cards[0]))
    assert guests.say("sorry, I meant the third character") == (PlaceIntuition(psychic=RED, card=cards[2]),)


def test_i_meant_answers_the_question_whether_it_was_misheard(guests, cards):
    assert isinstance(guests.say(f"white chooses card {cards[0]}", sure=False)[0], AskBack)
    assert guests.say(f"no, card {cards[1]}") == (PlaceIntuition(psychic=WHITE, card=cards[1]),)
    assert guests.conversation.pending is None


def test_i_meant_corrects_a_vote_that_is_open():
    guests = Guests(laid(begun(players=3)))
    guests.say("red votes for group two")
    guests.say("sorry, I meant group three")
    assert guests.say("yes") == (Vote(by=RED, group=3),)


def test_i_meant_moves_a_ball_that_was_placed():
    guests = Guests(laid(begun(IGAMES)))
    guests.say("red points at group two")
    assert guests.say("sorry, I meant group three") == (PointAt(by=RED, group=3),)


def test_nothing_is_corrected_before_anybody_has_chosen(guests, cards):
    assert guests.expected(f"sorry, I meant {cards[1]}") is None
    guests.do(PlaceIntuition(psychic=RED, card=cards[0]))
    assert guests.expected(f"sorry, I meant {cards[1]}") is not None


def test_a_choice_of_the_last_hour_is_not_corrected(guests, cards):
    for psychic in (BLUE, WHITE, RED, YELLOW):
        guests.say(f"{psychic} chooses card {cards[0]}")
    guests.say("we are finished")
    guests.do(*(Manifest(psychic=psychic) for psychic in (BLUE, WHITE, RED, YELLOW)))
    assert guests.expected(f"sorry, I meant {cards[1]}") is None


def test_two_psychics_get_visions_in_one_sentence():
    said = Guests(begun()).say("yellow and white have visions")
    assert said == (GiveVision(psychic=YELLOW, count=1), GiveVision(psychic=WHITE, count=1))


def test_one_who_is_named_twice_gets_one_vision():
    assert Guests(begun()).say("red and red have visions") == (GiveVision(psychic=RED, count=1),)


def test_the_answers_of_a_set_up_fit_into_one_sentence():
    guests = Guests()
    (summary,) = guests.say("begin the séance, we are seven, easy, with the usual rules, without the story")
    assert isinstance(summary, Summary)
    assert (summary.players, summary.level, summary.edition) == (7, "easy", "libellud")


def test_a_wish_is_corrected_after_the_summary():
    guests = Guests()
    guests.say("begin the séance, we are seven, easy, with the usual rules, without the story")
    (summary,) = guests.say("no, we play hard")
    assert isinstance(summary, Summary)
    assert (summary.players, summary.level) == (7, "hard")
