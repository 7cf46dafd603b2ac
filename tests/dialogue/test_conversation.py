"""A night as it is talked through: who is "I", what is asked back, what is undone, what is refused."""

import pytest

from seance.dialogue.conversation import EnrolVoice
from seance.dialogue.replies import (
    Ask,
    AskBack,
    Doubt,
    Dropped,
    Lacking,
    LeftAlone,
    Missing,
    NothingToUndo,
    NotNeeded,
    NotUnderstood,
    Question,
    Reminder,
)
from seance.rules import (
    IGAMES,
    LIBELLUD,
    Abandon,
    Bet,
    BreakSilence,
    CallTime,
    GiveVision,
    Phase,
    PlaceIntuition,
    PointAt,
    TakeBack,
    TurnSand,
    WithdrawBet,
    refusals,
)
from tests.guests import Guests
from tests.nights import BLUE, RED, WHITE, YELLOW, after, begun, laid, served, sought

FOUR = (BLUE, WHITE, RED, YELLOW)
WHO = Ask(question=Question.WHO_SPEAKS, choices=FOUR)


@pytest.fixture
def guests() -> Guests:
    """Five players in the first hour, all visions given and the sand turned."""
    return Guests(after(served(begun()), TurnSand()))


@pytest.fixture
def card(guests: Guests) -> int:
    """A card that anybody may choose."""
    return guests.state.table.character[0]


# Visions, sand, choices


def test_a_vision_is_told_from_the_table():
    guests = Guests(begun())
    assert guests.say("red has a vision") == (GiveVision(psychic=RED, count=1),)
    assert guests.say("two visions for blue") == (GiveVision(psychic=BLUE, count=2),)
    assert [search.visions for search in guests.state.searches] == [2, 0, 1, 0]


def test_the_sand_is_turned_by_word():
    guests = Guests(served(begun()))
    assert guests.say("turn the sand") == (TurnSand(),)
    assert guests.state.phase is Phase.INTERPRETATION


def test_anybody_speaks_for_anybody(guests, card):
    assert guests.say(f"red chooses card {card}", speaker=BLUE) == (PlaceIntuition(psychic=RED, card=card),)
    assert guests.say(f"card {card} for white") == (PlaceIntuition(psychic=WHITE, card=card),)


def test_a_choice_is_changed(guests):
    first, second = guests.state.table.character[:2]
    guests.say(f"red chooses card {first}")
    assert guests.say(f"red switches to card {second}") == (PlaceIntuition(psychic=RED, card=second),)
    assert guests.state.search(RED).intuition == second


def test_the_room_closes_early(guests, card):
    for psychic in guests.state.setup.psychics:
        guests.do(PlaceIntuition(psychic=psychic, card=card))
    assert guests.say("we are all ready") == (CallTime(early=True),)
    assert guests.state.phase is Phase.MANIFESTATION


def test_what_the_rules_forbid_is_asked_and_refused(guests):
    assert guests.say("we are ready") == (CallTime(early=True),)
    assert isinstance(guests.refused[0], refusals.ChoicesMissing)


# Who is "I"


def test_i_is_whose_voice_is_known(guests, card):
    assert guests.say(f"I choose card {card}", speaker=RED) == (PlaceIntuition(psychic=RED, card=card),)


def test_who_speaks_is_asked_of_a_voice_that_is_not_known(guests, card):
    assert guests.say(f"I choose card {card}") == (WHO,)
    assert guests.commands == []
    assert guests.say("red") == (PlaceIntuition(psychic=RED, card=card),)


def test_french_guests_are_asked_too(guests, card):
    guests.language = "fr"
    assert guests.say(f"je prends la carte {card}") == (WHO,)
    assert guests.say("rouge") == (PlaceIntuition(psychic=RED, card=card),)


def test_who_speaks_is_answered_by_a_voice_that_is_new(guests, card):
    guests.say(f"card {card}")
    assert guests.say("I am Madam Wang") == (EnrolVoice(RED), PlaceIntuition(psychic=RED, card=card))


def test_a_voice_of_somebody_who_does_not_play_is_asked(guests, card):
    assert guests.say(f"I choose card {card}", speaker="black") == (WHO,)


def test_the_last_one_missing_is_not_guessed(guests, card):
    for psychic in (BLUE, WHITE, RED):
        guests.do(PlaceIntuition(psychic=psychic, card=card))
    assert guests.say(f"I choose card {card}") == (WHO,)


def test_i_is_the_psychic_who_was_just_asked(guests, card):
    last = guests.state.table.character[-1]
    guests.say("red chooses card 54")
    assert guests.say(f"I choose card {card}", speaker=BLUE) == (PlaceIntuition(psychic=RED, card=card),)
    assert guests.say(f"I choose card {last}", speaker=BLUE) == (PlaceIntuition(psychic=BLUE, card=last),)


def test_i_is_the_only_psychic_of_whom_the_room_was_just_reminded():
    guests = Guests(pointed_but_yellow())
    assert guests.wait(120) == (Reminder(Phase.ACCUSATION, 1, (YELLOW,)),)
    assert guests.say("I point at group two") == (PointAt(by=YELLOW, group=2),)


def pointed_but_yellow():
    state = laid(begun(IGAMES))
    return after(state, *(PointAt(by=psychic, group=1) for psychic in (BLUE, WHITE, RED)))


def test_a_colour_that_does_not_play_is_no_answer(guests, card):
    guests.say(f"I choose card {card}")
    assert guests.say("black")[0].again
    assert guests.say("black") == (LeftAlone(),)
    assert guests.say("red") == (NotNeeded(),)


def test_a_question_is_asked_twice_and_left(guests, card):
    guests.say(f"I choose card {card}")
    assert guests.mumble()[0].again
    assert guests.mumble() == (LeftAlone(),)
    assert guests.commands == []


def test_a_question_that_nobody_answers_is_asked_twice_and_left(guests, card):
    guests.say(f"I choose card {card}")
    assert guests.wait(14) == ()
    assert guests.wait(1)[0].again
    assert guests.wait(15) == (LeftAlone(),)
    assert guests.wait(15) == ()


def test_the_same_words_again_and_again_are_asked_back_twice_and_left(guests, card):
    assert guests.say(f"I choose card {card}") == (WHO,)
    assert guests.say(f"I choose card {card}")[0].again
    assert guests.say(f"I choose card {card}") == (LeftAlone(),)


def test_a_whole_sentence_takes_the_place_of_a_question(guests, card):
    guests.say(f"I choose card {card}")
    assert guests.say(f"blue chooses card {card}") == (PlaceIntuition(psychic=BLUE, card=card),)
    assert guests.say("red") == (NotNeeded(),)


def test_a_question_in_between_leaves_a_question_open(guests, card):
    guests.say(f"I choose card {card}")
    guests.say("how much time is left")
    assert guests.say("red") == (PlaceIntuition(psychic=RED, card=card),)


def test_a_question_dies_with_its_phase(guests, card):
    guests.say(f"I choose card {card}")
    guests.do(CallTime())
    assert guests.say("red") == (NotNeeded(),)


# Tokens


@pytest.fixture
def betting(guests, card) -> Guests:
    """The table when three have chosen."""
    for psychic in (BLUE, WHITE, YELLOW):
        guests.do(PlaceIntuition(psychic=psychic, card=card))
    return guests


def test_a_bet_is_laid_and_turned(betting):
    assert betting.say("red agrees with blue") == (Bet(by=RED, on=BLUE, agrees=True),)
    assert betting.say("I disagree with blue", speaker=RED) == (Bet(by=RED, on=BLUE, agrees=False),)


def test_who_bets_is_asked(betting):
    assert betting.say("I agree with blue") == (WHO,)
    assert betting.say("red") == (Bet(by=RED, on=BLUE, agrees=True),)


def test_the_only_bet_is_withdrawn_without_a_name(betting):
    betting.say("red agrees with blue")
    assert betting.say("red withdraws") == (WithdrawBet(by=RED, on=BLUE),)


def test_of_several_bets_the_house_asks_which(betting):
    betting.say("red agrees with blue")
    betting.say("red agrees with white")
    ask = Ask(question=Question.ON_WHOM, psychic=RED, choices=(BLUE, WHITE))
    assert betting.say("I withdraw", speaker=RED) == (ask,)
    assert betting.say("white") == (WithdrawBet(by=RED, on=WHITE),)


def test_who_and_which_are_asked_one_after_the_other(betting):
    betting.say("red agrees with blue")
    betting.say("red agrees with white")
    assert betting.say("I withdraw") == (WHO,)
    assert betting.say("red")[0].question is Question.ON_WHOM
    assert betting.say("blue") == (WithdrawBet(by=RED, on=BLUE),)


def test_without_a_bet_there_is_nothing_to_withdraw(betting):
    assert betting.say("red withdraws") == (NothingToUndo(),)


# Undoing


def test_undo_takes_back_the_last_thing_done(betting, card):
    betting.say("red agrees with blue")
    betting.say(f"red chooses card {card}")
    assert betting.say("undo that") == (TakeBack(psychic=RED),)
    assert betting.say("undo that") == (TakeBack(psychic=RED),)
    assert betting.state.tokens == ()
    assert betting.say("undo that") == (TakeBack(psychic=YELLOW),)


def test_a_choice_said_twice_is_one_step(guests, card):
    guests.say(f"blue chooses card {card}")
    guests.say(f"red chooses card {card}")
    guests.say(f"red chooses card {card}")
    guests.say("undo that")
    assert guests.say("undo that") == (TakeBack(psychic=BLUE),)
    assert guests.state.search(RED).served


def test_tokens_that_went_home_are_not_taken_back_twice(guests, card):
    guests.say(f"blue chooses card {card}")
    guests.say("red agrees with blue")
    guests.do(TakeBack(psychic=BLUE))
    assert guests.state.search(RED).tokens_left == 4
    assert guests.say("undo that") == (NothingToUndo(),)


def test_a_vision_counted_by_mistake_is_taken_back():
    guests = Guests(begun())
    guests.say("red has a vision")
    assert guests.say("take that back") == (TakeBack(psychic=RED),)
    assert guests.state.search(RED).visions == 0


def test_when_time_is_called_nothing_can_be_undone(betting):
    betting.do(CallTime())
    assert betting.say("undo that") == (NothingToUndo(),)


def test_an_open_question_is_what_is_undone(guests, card):
    guests.say(f"I choose card {card}")
    assert guests.say("undo that") == (Dropped(),)
    assert guests.say("red") == (NotNeeded(),)


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


def test_who_has_laid_the_table_hears_what_is_awaited():
    guests = Guests()
    guests.say("we are five, medium, the usual rules, all but black and purple, skip the story")
    guests.say("yes")
    assert guests.say("we are ready") == (Missing(Lacking.VISION, (BLUE, WHITE, RED, YELLOW)),)


def test_right_choices_are_said_like_wrong_ones(guests):
    right = sought(guests.state, RED)
    assert guests.say(f"red chooses card {right}") == (PlaceIntuition(psychic=RED, card=right),)
