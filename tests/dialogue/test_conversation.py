"""A night as it is talked through: who is "I", what is asked back, what is undone, what is refused."""

from seance.dialogue.conversation import EnrolVoice
from seance.dialogue.next_in_phase import next_in_phase
from seance.dialogue.questions import Question
from seance.dialogue.replies import Ask, Dropped, LeftAlone, NothingToUndo, NotNeeded, Reminder, WhatNext
from seance.rules import (
    IGAMES,
    Bet,
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
from tests.nights import BLUE, RED, WHITE, YELLOW, after, begun, laid, served

FOUR = (BLUE, WHITE, RED, YELLOW)
WHO = Ask(question=Question.WHO_SPEAKS, choices=FOUR)


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
    assert guests.wait(120) == (Reminder(next_in_phase(guests.room, IGAMES), 1),)
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


def test_who_asks_for_something_at_the_wrong_time_hears_what_is_next():
    guests = Guests(laid(begun(IGAMES)))
    command, told = guests.say("red chooses card seven")
    assert isinstance(command, PlaceIntuition)
    assert isinstance(guests.refused[0], refusals.NotNow)
    assert told == WhatNext(next_in_phase(guests.room, IGAMES))
