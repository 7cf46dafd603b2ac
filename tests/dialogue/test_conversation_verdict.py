"""How the culprit is hunted in words: the line-up, votes and the eldest, balls and accusations."""

from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import Ask, AskBack, Lacking, Missing, VoteIsSilent
from seance.rules import (
    IGAMES,
    MANUAL,
    Accuse,
    ClosePoll,
    NameEldest,
    NumberGroups,
    Phase,
    PointAt,
    TurnSharedVision,
    Vote,
    refusals,
)
from tests.guests import Guests
from tests.nights import BLUE, RED, WHITE, YELLOW, begun, laid, lined_up, on_track, pointed

FOUR = (BLUE, WHITE, RED, YELLOW)
WHO = Ask(question=Question.WHO_SPEAKS, choices=FOUR)


def voting(players: int = 5, *spaces: int) -> Guests:
    """Return a table at which the shared vision lies."""
    state = laid(begun(players=players))
    return Guests(on_track(state, *spaces) if spaces else state)


def reading() -> Guests:
    """Return a table at which all have voted on paper, and the votes are to be read."""
    guests = voting()
    while not guests.room.readers:
        guests.say("we have voted")
    return guests


# The line-up


def test_the_groups_are_numbered_in_the_order_in_which_they_are_named():
    guests = Guests(lined_up(begun()))
    assert guests.say("number the groups red, white, yellow and blue") == (
        NumberGroups(order=(RED, WHITE, YELLOW, BLUE)),
    )
    assert [group.psychic for group in guests.state.ending.groups][:4] == [RED, WHITE, YELLOW, BLUE]


def test_an_order_that_leaves_somebody_out_is_refused():
    guests = Guests(lined_up(begun()))
    guests.say("the order is red and white")
    assert isinstance(guests.refused[0], refusals.WrongOrder)


# Votes


def test_we_have_voted_turns_the_next_shared_card():
    guests = voting(5, 0, 0, 5, 7)
    guests.state = guests.state._replace(ending=guests.state.ending._replace(shown=1))
    assert guests.say("we have voted") == (TurnSharedVision(),)
    assert guests.state.ending.shown == 2


def test_L31_we_have_voted_after_the_last_level_closes_the_poll():
    guests = voting(5, 0, 0, 5, 5)
    guests.state = guests.state._replace(ending=guests.state.ending._replace(shown=1))
    assert guests.say("we have voted") == (TurnSharedVision(),)
    assert guests.say("we have voted") == (ClosePoll(),)
    assert guests.room.readers == (RED, YELLOW)


def test_votes_are_read_one_by_one_and_each_is_asked_back_for_nobody_can_change_it():
    guests = reading()
    for psychic in guests.state.setup.psychics:
        asked = AskBack(doubt=Doubt.VOTE, psychic=psychic, group=1)
        assert guests.say(f"{psychic} votes for group one") == (asked,)
        assert guests.say("yes") == (Vote(by=psychic, group=1),)
    assert guests.state.outcome.won


def test_a_vote_that_was_misheard_is_said_again():
    guests = reading()
    guests.say("red votes for group one")
    guests.say("red votes for group two")
    assert guests.say("yes") == (Vote(by=RED, group=2),)


def test_L30_a_vote_said_aloud_before_the_reading_is_neither_repeated_nor_counted():
    guests = voting()
    for words in ("red votes for group one", "group three", "I vote for group two"):
        assert guests.say(words) == (VoteIsSilent(),)
    assert guests.conversation.pending is None
    assert guests.room.voted == ()


def test_group_three_alone_is_a_vote_of_whoever_speaks():
    guests = reading()
    assert guests.say("group three") == (WHO,)
    assert guests.say("red") == (AskBack(doubt=Doubt.VOTE, psychic=RED, group=3),)


def test_the_eldest_is_asked_for_by_name_and_asked_back():
    guests = tied()
    assert guests.say("red") == (AskBack(doubt=Doubt.ELDEST, psychic=RED),)
    assert guests.say("yes") == (NameEldest(psychic=RED),)
    assert guests.state.phase is Phase.OVER


def test_i_am_the_eldest_is_whoever_speaks():
    guests = tied()
    assert guests.say("I am the eldest", speaker=BLUE) == (AskBack(doubt=Doubt.ELDEST, psychic=BLUE),)
    guests.say("no")
    assert guests.say("I am the eldest") == (WHO,)


def test_who_is_not_among_the_eldest_is_asked_again():
    guests = tied((1, 1, 2, 2), (0, 3, 3, 0))
    assert guests.say("the eldest is blue")[1:] == (Ask(question=Question.WHO_IS_ELDEST),)


def tied(votes=(1, 1, 2, 2), spaces=(0, 0, 0, 0)) -> Guests:
    """Return a table where the votes have tied."""
    guests = voting(5, *spaces)
    guests.do(*(Vote(by=psychic, group=group) for psychic, group in zip(FOUR, votes, strict=True)))
    assert guests.state.phase is Phase.ELDEST
    return guests


def test_two_players_accuse_with_one_vote_that_is_asked_back():
    guests = voting(2)
    assert guests.say("I vote for group three") == (AskBack(doubt=Doubt.ACCUSE, group=3),)
    assert guests.say("yes") == (Vote(by=BLUE, group=3),)
    assert guests.state.outcome is not None


def test_three_players_are_asked_back_when_they_agree():
    guests = voting(3)
    assert guests.say("blue votes for group two") == (Vote(by=BLUE, group=2),)
    assert guests.say("red votes for group one") == (Vote(by=RED, group=1),)
    assert guests.say("yellow votes for group two") == (AskBack(doubt=Doubt.ACCUSE, group=2),)
    assert guests.say("yes") == (Vote(by=YELLOW, group=2),)
    assert guests.state.outcome is not None


def test_L38_a_second_vote_of_one_player_is_asked_back():
    guests = voting(3)
    guests.say("blue votes for group two")
    asked = AskBack(doubt=Doubt.CHANGE_VOTE, psychic=WHITE, group=3, instead_of=2)
    assert guests.say("white votes for group three") == (asked,)
    guests.say("no")
    assert guests.room.votes == {BLUE: 2}
    guests.say("white votes for group three")
    assert guests.say("yes") == (Vote(by=WHITE, group=3),)
    assert guests.room.votes == {WHITE: 3}


def test_L38_a_vote_said_twice_is_no_change():
    guests = voting(3)
    guests.say("blue votes for group two")
    assert guests.say("white votes for group two") == (Vote(by=WHITE, group=2),)


def test_L30_those_whose_turn_it_is_have_not_voted_yet():
    guests = voting(5, 0, 6, 0, 9)
    assert guests.say("who has not voted yet") == (Missing(Lacking.SLEEVE, (BLUE, RED)),)
    guests.say("we have voted")
    assert guests.say("who has not voted yet") == (Missing(Lacking.SLEEVE, (WHITE,)),)


def test_L31_at_the_reading_those_are_missing_whose_vote_is_not_read():
    guests = reading()
    guests.say("red votes for group one")
    guests.say("yes")
    assert guests.say("who has not voted yet") == (Missing(Lacking.READING, (BLUE, WHITE, YELLOW)),)


def test_a_small_table_accuses_together():
    guests = voting(3)
    guests.say("we accuse group one")
    assert guests.say("yes") == (Vote(by=BLUE, group=1), Vote(by=RED, group=1))
    assert guests.state.outcome.won


def test_who_has_voted_so_already_does_not_vote_again():
    guests = voting(3)
    guests.say("white votes for group one")
    guests.say("we accuse group one")
    assert guests.say("yes") == (Vote(by=RED, group=1),)


# Accusations


def test_an_accusation_by_majority_is_asked_back():
    guests = Guests(laid(begun(IGAMES)))
    for psychic in (BLUE, WHITE, RED):
        guests.say(f"{psychic} points at group one")
    assert guests.say("we accuse group one") == (AskBack(doubt=Doubt.ACCUSE, group=1),)
    assert guests.say("yes") == (Accuse(),)
    assert guests.state.outcome.won


def test_group_two_alone_is_a_ball_where_there_are_balls():
    guests = Guests(laid(begun(IGAMES)))
    assert guests.say("group two", speaker=RED) == (PointAt(by=RED, group=2),)


def test_an_accusation_without_a_majority_is_refused():
    guests = Guests(laid(begun(IGAMES)))
    guests.say("we accuse group one")
    assert isinstance(guests.refused[0], refusals.NoMajority)


def test_the_house_asks_about_the_group_that_has_the_majority_and_no_other():
    guests = Guests(pointed(laid(begun(IGAMES)), 2))
    assert guests.say("we accuse group one") == (AskBack(doubt=Doubt.ACCUSE, group=2),)


def test_balls_that_move_while_the_house_asks_are_asked_about_anew():
    guests = Guests(pointed(laid(begun(IGAMES)), 2))
    guests.say("we accuse group two")
    pending = guests.conversation.pending
    guests.do(*(PointAt(by=psychic, group=3) for psychic in guests.state.setup.psychics))
    assert guests.conversation.pending == pending
    assert guests.say("yes") == (AskBack(doubt=Doubt.ACCUSE, group=3),)


def test_a_full_investigation_names_three_cards():
    guests = Guests(pointed(laid(begun(MANUAL, variant="full_investigation")), 1))
    one, two, three = guests.state.ending.groups[0].cards
    guests.say("we accuse group one")
    assert isinstance(guests.refused[0], refusals.NameAllThree)
    assert guests.say(f"we accuse card {one}, card {two} and card {three}")[0].doubt is Doubt.ACCUSE
    assert guests.say("yes") == (Accuse(character=one, location=two, object=three),)
