"""What an edition may say of itself, and what each choice of it means at the table."""

from dataclasses import replace
from typing import Any

import pytest

from seance.rules import (
    IGAMES,
    LIBELLUD,
    BallotKind,
    Begin,
    Bet,
    CallTime,
    ChooseCulprit,
    Edition,
    LaySharedVision,
    Phase,
    PointAt,
    Reason,
    State,
    Visions,
    Vote,
    Voter,
    apply,
    room_view,
)
from seance.rules.events import SharedVisionTurned, VotesRead
from seance.rules.refusals import AlreadyVoted, ThreeCards, WrongNumberOfPlayers
from tests.nights import BLUE, NOBODY, RED, WHITE, YELLOW, after, answered, begun, chosen, hour_played, lined_up

SIX_CARDS = dict.fromkeys(range(2, 5), 6)
CONTRADICTIONS: dict[str, tuple[Edition, dict[str, Any], str]] = {
    "no players": (IGAMES, {"least_players": 5, "most_players": 4}, "least_players 5 and most_players 4"),
    "more players than psychics": (IGAMES, {"most_players": 8}, "most_players 8 are no range within 2 to 7"),
    "a ghost alone": (IGAMES, {"least_players": 1}, "least_players 1"),
    "more psychics than colours": (IGAMES, {"psychics_each": {5: 2}}, "with 5 players .* 8 psychics: at most 6"),
    "no time": (IGAMES, {"turns": 0}, "turns is 0: at least 1"),
    "a search without a place": (IGAMES, {"order": IGAMES.order[:1] * 3}, "order is character, character, character"),
    "no level": (IGAMES, {"levels": {}}, "levels is empty"),
    "a level for fewer players": (
        IGAMES,
        {"levels": {"easy": replace(IGAMES.levels["easy"], laid_out={2: 4})}},
        "level 'easy' does not say how many cards are laid_out with 3 players",
    ),
    "fewer cards than psychics": (
        IGAMES,
        {"levels": {"easy": replace(IGAMES.levels["easy"], laid_out=dict.fromkeys(range(2, 8), 5))}},
        "level 'easy' has 5 cards laid_out with 7 players: 6 to 18",
    ),
    "a shared vision larger than the hand": (IGAMES, {"hand": 2}, "shared_vision_cards is 3: 1 up to the hand of 2"),
    "levels of a track that is not there": (LIBELLUD, {"tracks": {}, "tokens": {}}, "secret_by_level, .* no track"),
    "tokens for a track that is not there": (IGAMES, {"tokens": {4: 4}}, "with 4 players there are tokens, but no"),
    "a level without a card": (LIBELLUD, {"shared_vision_cards": 2}, "shared_vision_cards is 3, one for each level"),
    "one vote of two levels": (
        replace(LIBELLUD, most_players=4, levels={"easy": replace(LIBELLUD.levels["easy"], laid_out=SIX_CARDS)}),
        {"psychics_each": {4: 2}},
        "a player of 2 psychics has no one level",
    ),
    "a vote that names cards": (
        IGAMES,
        {"names_all_three": True, "ballot": BallotKind.OPEN},
        "names_all_three is for accusations, and with 2 players the ballot is open",
    ),
}


@pytest.mark.parametrize(("edition", "fields", "complaint"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_an_edition_that_contradicts_itself_is_an_error_that_names_it(edition, fields, complaint):
    with pytest.raises(ValueError, match=rf"^edition '{edition.name}': .*{complaint}"):
        replace(edition, **fields)


# Players and turns


@pytest.mark.parametrize("players", [2, 6, 7])
def test_an_edition_is_not_for_more_or_fewer_players_than_it_says(players):
    edition = replace(IGAMES, least_players=3, most_players=5)
    with pytest.raises(WrongNumberOfPlayers, match=f"^{players} players cannot hold a night: three to five, the ghost"):
        apply(None, Begin(edition=edition, players=players, level="easy", seed=1))


def test_time_is_over_after_the_last_turn_of_the_edition():
    state = begun(replace(IGAMES, turns=5))
    for _ in range(5):
        state = hour_played(state, NOBODY)
    assert (state.hour, state.outcome.reason) == (5, Reason.TIME_OVER)


def test_early_psychics_move_by_the_turns_that_the_edition_has_left():
    state = begun(replace(LIBELLUD, turns=5))
    for _ in range(2):
        state = hour_played(state)
    moved = [search.clairvoyancy for search in hour_played(state).searches]
    assert moved == [2, 2, 2, 2]


@pytest.mark.parametrize(("turn", "tokens_left"), [(2, [4, 4, 4]), (3, [3, 4, 4]), (None, [3, 3, 3])])
def test_a_spent_token_comes_back_at_the_turn_that_the_edition_says(turn, tokens_left):
    state = after(chosen(begun(replace(LIBELLUD, tokens_return_at=turn)), NOBODY), Bet(by=BLUE, on=RED, agrees=True))
    state, left = answered(after(state, CallTime()), NOBODY), []
    for _ in range(3):
        left.append(state.search(BLUE).tokens_left)
        state = hour_played(state, NOBODY)
    assert left == tokens_left


# The shared vision and the ballot


def at_the_ballot(players: int = 5, **fields: Any) -> State:
    """Return the state when the shared vision lies, in igames with other *fields*; group 1 is the culprit's."""
    return after(lined_up(begun(replace(IGAMES, **fields), players)), ChooseCulprit(group=1), LaySharedVision())


def test_a_shared_vision_has_as_many_cards_as_the_edition_says():
    edition = replace(IGAMES, shared_vision_cards=2)
    state = after(lined_up(begun(edition, visions=Visions.DEALT)), ChooseCulprit(group=1))
    with pytest.raises(ThreeCards, match=r"^a shared vision is two different cards, not: "):
        apply(state, LaySharedVision(cards=state.deck.hand[:3]))
    _, events = apply(state, LaySharedVision(cards=state.deck.hand[:2]))
    assert [event.shown for event in events if isinstance(event, SharedVisionTurned)] == [1, 2]


def test_in_a_secret_vote_of_all_every_card_is_shown_and_no_vote_until_the_last():
    state = at_the_ballot(ballot=BallotKind.SECRET_BY_ALL)
    assert (state.phase, state.ending.shown) == (Phase.VOTE, 3)
    state = after(state, *(Vote(by=by, group=1) for by in (YELLOW, BLUE, WHITE)))
    room = room_view(state)
    assert (room.votes, room.voted, room.phase) == (None, (BLUE, WHITE, YELLOW), Phase.VOTE)
    with pytest.raises(AlreadyVoted):
        apply(state, Vote(by=BLUE, group=2))
    _, events = apply(state, Vote(by=RED, group=2))
    assert any(isinstance(event, VotesRead) for event in events)
    assert after(state, Vote(by=RED, group=2)).outcome.reason is Reason.CULPRIT_FOUND


def test_a_tie_without_a_track_is_the_eldest_voter_s():
    state = at_the_ballot(ballot=BallotKind.SECRET_BY_ALL)
    votes = [Vote(by=by, group=group) for by, group in ((BLUE, 1), (WHITE, 1), (RED, 2), (YELLOW, 2))]
    assert after(state, *votes).ending.eldest_of == (BLUE, WHITE, RED, YELLOW)


def test_both_psychics_of_a_player_have_a_vote_where_psychics_vote():
    state = at_the_ballot(2, ballot=BallotKind.SECRET_BY_ALL, voter=Voter.PSYCHIC)
    state = after(state, Vote(by=BLUE, group=1))
    assert state.outcome is None
    assert [ballot.by for ballot in after(state, Vote(by=WHITE, group=1)).ending.ballots] == [BLUE, WHITE]


def test_one_of_two_psychics_of_a_player_has_the_vote_where_players_vote():
    state = at_the_ballot(2, ballot=BallotKind.SECRET_BY_ALL, voter=Voter.PLAYER)
    assert after(state, Vote(by=WHITE, group=1)).outcome.won


def test_a_second_secret_vote_of_the_same_player_is_refused():
    state = at_the_ballot(3, psychics_each={3: 2}, ballot=BallotKind.SECRET_BY_ALL, voter=Voter.PLAYER)
    with pytest.raises(AlreadyVoted):
        apply(after(state, Vote(by=BLUE, group=1)), Vote(by=WHITE, group=1))


def test_an_open_vote_of_many_lasts_until_all_name_the_same_group():
    state = at_the_ballot(ballot=BallotKind.OPEN)
    state = after(state, *(Vote(by=by, group=1) for by in (BLUE, WHITE, RED)), Vote(by=YELLOW, group=2))
    assert (room_view(state).votes, state.outcome) == ({BLUE: 1, WHITE: 1, RED: 1, YELLOW: 2}, None)
    assert after(state, Vote(by=YELLOW, group=1)).outcome.won


def test_a_ball_is_kept_by_whoever_votes():
    state = at_the_ballot(3, psychics_each={3: 2}, voter=Voter.PLAYER)
    state = after(state, PointAt(by=BLUE, group=1), PointAt(by=WHITE, group=2))
    assert room_view(state).pointing == {WHITE: 2}


def test_a_table_may_vote_otherwise_than_the_others():
    ballots = {3: BallotKind.OPEN}
    assert at_the_ballot(3, ballots=ballots).phase is Phase.VOTE
    assert at_the_ballot(4, ballots=ballots).phase is Phase.ACCUSATION
