"""How a vote is talked about where an edition holds it otherwise than the printed ones."""

from dataclasses import replace
from typing import Any

from seance.dialogue.conversation import Defaults
from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import Ask, AskBack, Lacking, Missing, VoteIsSilent
from seance.rules import EDITIONS, IGAMES, BallotKind, ChooseCulprit, ClosePoll, LaySharedVision, Vote, Voter
from tests.guests import Guests
from tests.nights import BLUE, RED, WHITE, YELLOW, after, begun, lined_up


def at_the_ballot(players: int = 5, **fields: Any) -> Guests:
    """Return guests before the shared vision, in igames with other *fields*; group 1 is the culprit's."""
    edition = replace(IGAMES, **fields)
    state = after(lined_up(begun(edition, players)), ChooseCulprit(group=1), LaySharedVision())
    return Guests(state, defaults=Defaults(editions={**EDITIONS, "igames": edition}))


def test_a_secret_vote_of_all_is_asked_back_and_kept():
    guests = at_the_ballot(ballot=BallotKind.SECRET_BY_ALL)
    assert guests.say("red votes for group two") == (VoteIsSilent(),)
    guests.say("we have voted")
    assert guests.say("red votes for group two") == (AskBack(doubt=Doubt.VOTE, psychic=RED, group=2),)
    assert guests.say("yes") == (Vote(by=RED, group=2),)
    assert guests.say("who is missing") == (Missing(Lacking.READING, (BLUE, WHITE, YELLOW)),)


def test_a_secret_vote_of_all_is_closed_when_all_have_voted_on_paper():
    guests = at_the_ballot(ballot=BallotKind.SECRET_BY_ALL, shared_vision_cards=2)
    assert "turn_shared_vision" in guests.say("what can we do now")[0].intents
    assert guests.expected("we have voted") is not None
    assert guests.say("we have voted") == (ClosePoll(),)


def test_in_a_secret_vote_nobody_accuses():
    guests = at_the_ballot(ballot=BallotKind.SECRET_BY_ALL)
    assert guests.expected("we accuse group two") is None


def test_both_psychics_of_one_player_vote_where_psychics_do():
    guests = at_the_ballot(2, ballot=BallotKind.SECRET_BY_ALL)
    guests.say("we have voted")
    assert guests.say("I vote for group two") == (Ask(question=Question.WHO_SPEAKS, choices=(BLUE, WHITE)),)
    guests.say("white")
    guests.say("yes")
    assert guests.say("who is missing") == (Missing(Lacking.READING, (BLUE,)),)


def test_one_player_s_vote_is_whose_psychic_ever_where_players_vote():
    guests = at_the_ballot(2, ballot=BallotKind.SECRET_BY_ALL, voter=Voter.PLAYER)
    guests.say("we have voted")
    assert guests.say("I vote for group two") == (AskBack(doubt=Doubt.VOTE, psychic=BLUE, group=2),)


def test_in_an_open_vote_of_many_all_may_name_a_group_together():
    guests = at_the_ballot(ballot=BallotKind.OPEN)
    assert guests.say("blue votes for group two") == (Vote(by=BLUE, group=2),)
    assert guests.say("we accuse group two") == (AskBack(doubt=Doubt.ACCUSE, group=2),)
    assert guests.say("yes") == tuple(Vote(by=by, group=2) for by in (WHITE, RED, YELLOW))


def test_balls_are_counted_by_players_where_players_vote():
    guests = at_the_ballot(3, psychics_each={3: 2}, voter=Voter.PLAYER)
    guests.say("blue points at group two")
    assert guests.say("who is missing") == (Missing(Lacking.BALL, (RED, YELLOW)),)
    guests.say("red points at group two")
    assert "accuse" in guests.say("what can we do now")[0].intents
