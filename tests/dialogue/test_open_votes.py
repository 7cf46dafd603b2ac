"""A vote that is being asked back is dropped by nothing that is said in between."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seance.dialogue.expected_intents import expected_intents
from seance.dialogue.phrasing import phrase_command, phrase_word
from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import Ask, AskBack, Dropped
from seance.rules import ChooseCulprit, ClosePoll, LaySharedVision, Vote
from tests.guests import Guests, sentences
from tests.languages import LANGUAGES
from tests.nights import BLUE, RED, WHITE, YELLOW, after, begun, lined_up, on_track

RED_FOR_ONE = AskBack(doubt=Doubt.VOTE, psychic=RED, group=1)
BLUE_FOR_TWO = AskBack(doubt=Doubt.VOTE, psychic=BLUE, group=2)
PHRASES = {
    language: {name: sentences(language).phrases([name]) for name in sentences(language).intents}
    for language in LANGUAGES
}


def reading(language: str = "en") -> Guests:
    """Return a table at which the votes are to be read."""
    laid = after(lined_up(begun(players=5)), ChooseCulprit(group=1), LaySharedVision())
    return Guests(after(on_track(laid, 0, 0, 0, 0), ClosePoll()), language=language)


def test_two_votes_that_are_read_at_once_are_both_kept():
    guests = reading()
    guests.say("red votes for group one")
    assert guests.say("blue votes for group two") == (BLUE_FOR_TWO,)
    assert guests.say("yes") == (Vote(by=BLUE, group=2), RED_FOR_ONE)
    assert guests.say("yes") == (Vote(by=RED, group=1),)
    assert guests.conversation.pending is None


def test_a_vote_outlasts_the_question_whether_to_end_the_night():
    guests = reading()
    guests.say("red votes for group one")
    guests.say("end the night")
    assert guests.say("no") == (Dropped(), RED_FOR_ONE)
    assert guests.say("yes") == (Vote(by=RED, group=1),)


def test_a_night_that_is_ended_asks_for_no_vote():
    guests = reading()
    guests.say("red votes for group one")
    guests.say("end the night")
    assert not any(isinstance(answer, AskBack) for answer in guests.say("yes"))
    assert guests.conversation.set_aside == ()


def test_a_vote_without_a_voter_outlasts_another_vote():
    guests = reading()
    guests.say("group three")
    guests.say("blue votes for group two")
    assert guests.say("yes")[1:] == (Ask(question=Question.WHO_SPEAKS, choices=(BLUE, WHITE, RED, *rest(guests))),)
    guests.say("white")
    assert guests.say("yes") == (Vote(by=WHITE, group=3),)


def rest(guests: Guests) -> tuple[object, ...]:
    """Return the psychics that play besides blue, white and red."""
    return guests.state.setup.psychics[3:]


def test_a_vote_given_anew_is_asked_for_once():
    guests = reading()
    guests.say("red votes for group one")
    guests.say("blue votes for group two")
    guests.say("red votes for group three")
    assert guests.say("yes") == (Vote(by=RED, group=3), BLUE_FOR_TWO)
    assert guests.say("yes") == (Vote(by=BLUE, group=2),)
    assert guests.conversation.set_aside == ()


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(min_value=1, max_value=2**32))
def test_no_sentence_drops_an_open_vote(language, seed):
    chance, guests = Random(seed), reading(language)
    guests.say(phrase_command(Vote(by=RED, group=1), language, room=guests.room))
    for _ in range(8):
        if chance.random() < 0.2:
            guests.mumble()
        else:
            guests.say(interlude(guests, chance), sure=chance.random() < 0.8)
    for intent in ("wake", "resume"):
        guests.say(PHRASES[language][intent][0])
    for _ in range(20):
        if asks_for_red(guests):
            break
        assert guests.conversation.pending is not None, "the vote is lost"
        guests.say(phrase_word("no", language))
    assert guests.say(phrase_word("yes", language)) == (Vote(by=RED, group=1),)


def asks_for_red(guests: Guests) -> bool:
    """Tell whether the open question is red's vote."""
    pending = guests.conversation.pending
    return pending is not None and pending.ask_back in (RED_FOR_ONE, replace(RED_FOR_ONE, again=True))


def interlude(guests: Guests, chance: Random) -> str:
    """Return what may be said now without answering the question for red's vote or giving that vote anew."""
    now = expected_intents(guests.conversation, guests.room)
    closing = {"yes", "no", "take_back", "correct_choice"} if asks_for_red(guests) else {"yes"}
    intents = sorted(now.intents - closing)
    votes = [phrase_command(Vote(by=by, group=chance.randint(1, 4)), guests.language) for by in (BLUE, WHITE, YELLOW)]
    phrases = {**PHRASES[guests.language], "vote": votes}
    return chance.choice(phrases[chance.choice(intents)])
