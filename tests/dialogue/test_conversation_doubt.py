"""What the house asks back: what was hardly heard, a wrong number, what cannot be undone."""

from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import Ask, AskBack, Dropped, FirstTurn, Lacking, LeftAlone, NotNeeded, NotUnderstood
from seance.rules import (
    IGAMES,
    LIBELLUD,
    Abandon,
    BreakSilence,
    CallTime,
    PlaceIntuition,
    PointAt,
    TakeBack,
    refusals,
)
from tests.guests import Guests
from tests.nights import BLUE, RED, WHITE, YELLOW, begun, laid, right_card

FOUR = (BLUE, WHITE, RED, YELLOW)
WHO = Ask(question=Question.WHO_SPEAKS, choices=FOUR)


# What was hardly heard, or not at all


def test_what_was_hardly_heard_is_asked_back(guests, card):
    text = f"red chooses card {card}"
    asked = AskBack(doubt=Doubt.MISHEARD, psychic=RED, card=card, said=text)
    assert guests.say(text, sure=False) == (asked,)
    assert guests.say("yes") == (PlaceIntuition(psychic=RED, card=card),)


def test_what_was_misheard_does_not_happen(guests, card):
    guests.say(f"red chooses card {card}", sure=False)
    assert guests.say("no") == (Dropped(),)
    assert guests.commands == []


def test_a_yes_that_was_hardly_heard_is_none(guests, card):
    guests.say(f"red chooses card {card}", sure=False)
    assert guests.say("yes", sure=False)[0].again
    assert guests.say("yes", sure=False) == (LeftAlone(),)
    assert guests.commands == []


def test_a_colour_that_was_hardly_heard_is_asked_back(guests, card):
    guests.say(f"I choose card {card}")
    assert guests.say("red", sure=False)[0].psychic is RED
    assert guests.say("yes") == (PlaceIntuition(psychic=RED, card=card),)


def test_a_card_that_was_hardly_heard_is_asked_back_when_it_is_known_who_spoke(guests, card):
    text = f"I choose card {card}"
    assert guests.say(text, sure=False) == (WHO,)
    assert guests.say("red") == (AskBack(doubt=Doubt.MISHEARD, psychic=RED, card=card, said=text),)
    assert guests.say("yes") == (PlaceIntuition(psychic=RED, card=card),)


def test_what_is_said_again_and_heard_well_needs_no_question_back(guests, card):
    guests.say(f"I choose card {card}", sure=False)
    guests.say(f"I choose card {card}")
    assert guests.say("red") == (PlaceIntuition(psychic=RED, card=card),)


def test_an_undo_that_was_hardly_heard_is_asked_back(betting):
    assert betting.say("undo that", sure=False) == (AskBack(doubt=Doubt.MISHEARD, said="undo that"),)
    assert betting.say("yes") == (TakeBack(psychic=YELLOW),)


def test_a_question_need_not_be_heard_well(guests):
    assert guests.say("who has not chosen", sure=False)[0].lacking is Lacking.CHOICE


def test_what_means_nothing_is_said_to_mean_nothing_twice_and_then_left(guests):
    assert [guests.mumble() for _ in range(4)] == [(NotUnderstood(),), (NotUnderstood(),), (LeftAlone(),), ()]
    guests.say("what hour is it")
    assert guests.mumble() == (NotUnderstood(),)


# What the rules refuse for a number only


def test_a_card_that_does_not_lie_there_is_asked_for_again(guests, card):
    guests.say("red chooses card 54")
    assert guests.conversation.pending.ask == Ask(question=Question.WHICH_CARD, psychic=RED)
    assert guests.say(str(card)) == (PlaceIntuition(psychic=RED, card=card),)


def test_wrong_cards_are_asked_for_twice_and_left(guests):
    assert guests.say("red chooses card 54")[1:] == (Ask(question=Question.WHICH_CARD, psychic=RED),)
    assert guests.say("53")[1:] == (Ask(question=Question.WHICH_CARD, psychic=RED, again=True),)
    assert guests.say("52")[1:] == (LeftAlone(),)
    assert guests.conversation.pending is None


def test_a_group_that_does_not_stand_there_is_asked_for_again():
    guests = Guests(laid(begun(IGAMES)))
    assert guests.say("red points at group six")[1:] == (Ask(question=Question.WHICH_GROUP, psychic=RED),)
    assert guests.say("two") == (PointAt(by=RED, group=2),)


# What cannot be undone


def test_a_broken_silence_is_asked_back():
    guests = Guests(begun(IGAMES))
    assert guests.say("the ghost has spoken") == (AskBack(doubt=Doubt.BREAK_SILENCE),)
    assert guests.say("no") == (Dropped(),)
    guests.say("the ghost has spoken")
    assert guests.say("yes") == (BreakSilence(),)


def test_where_silence_is_not_fatal_the_rules_say_so_at_once():
    guests = Guests(begun(LIBELLUD))
    guests.say("the ghost has spoken")
    assert isinstance(guests.refused[0], refusals.SilenceNotFatal)


def test_the_end_is_asked_back_twice_and_then_left(guests):
    assert guests.say("end the séance") == (AskBack(doubt=Doubt.END),)
    assert guests.mumble() == (AskBack(doubt=Doubt.END, again=True),)
    assert guests.mumble() == (LeftAlone(),)
    assert guests.say("yes") == (NotNeeded(),)
    assert guests.state.outcome is None


def test_the_night_is_abandoned_with_a_yes(guests):
    guests.say("we give up")
    assert guests.say("yes") == (Abandon(),)


def test_the_end_is_still_asked_about_when_the_sand_has_run_out(guests):
    guests.say("end the séance")
    guests.do(CallTime())
    assert guests.say("yes") == (Abandon(),)


def test_a_night_that_has_ended_is_not_asked_about_any_more(guests):
    guests.say("end the séance")
    guests.do(Abandon())
    assert guests.say("yes") == (NotNeeded(),)


# Laying the table


def test_who_has_laid_the_table_begins_the_first_turn():
    guests = Guests()
    guests.say("we are five, medium, the usual rules, all but black and purple, skip the story")
    guests.say("yes")
    assert guests.say("we are ready") == (FirstTurn(),)


def test_right_choices_are_said_like_wrong_ones(guests):
    right = right_card(guests.state, RED)
    assert guests.say(f"red chooses card {right}") == (PlaceIntuition(psychic=RED, card=right),)
