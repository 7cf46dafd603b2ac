"""How the rules differ for two and three players."""

import pytest

from seance.rules import (
    IGAMES,
    LIBELLUD,
    MANUAL,
    PORTAL,
    Accuse,
    Bet,
    Category,
    ChooseCulprit,
    Deal,
    Edition,
    LaySharedVision,
    NumberGroups,
    Outcome,
    Phase,
    PointAt,
    Psychic,
    Reason,
    State,
    Table,
    TurnSharedVision,
    Vote,
    WithdrawBet,
    apply,
    room_view,
)
from seance.rules.events import Accused, ClairvoyancyMoved, SharedVisionTurned, VoteCast
from seance.rules.refusals import NoCardToTurn, NoMajority, NoSuchGroup, NoTokens, NotPlaying
from tests.nights import (
    BLUE,
    RED,
    WEEKS,
    WHITE,
    YELLOW,
    after,
    answer,
    begun,
    chosen,
    events_of,
    hour_played,
    laid,
    lined_up,
    manifesting,
    marked,
    pointed,
)

SMALL = pytest.mark.parametrize("players", [2, 3])


@SMALL
def test_L34_there_is_no_track_and_no_token(players: int) -> None:
    psychics = room_view(begun(players=players)).psychics
    assert {(psychic.clairvoyancy, psychic.tokens_left) for psychic in psychics} == {(None, None)}


@SMALL
def test_L34_nobody_bets(players: int) -> None:
    state = chosen(begun(players=players))
    for command in (Bet(by=BLUE, on=WHITE, agrees=True), WithdrawBet(by=BLUE, on=WHITE)):
        with pytest.raises(NoTokens, match=f"libellud with {players} players"):
            apply(state, command)


@SMALL
def test_L34_the_third_card_moves_no_marker(players: int) -> None:
    state = manifesting(hour_played(hour_played(begun(players=players))))
    answers = [answer(state, psychic, right=True) for psychic in state.setup.psychics]
    assert events_of(ClairvoyancyMoved, state, *answers) == []


@pytest.mark.parametrize(("players", "psychics"), [(2, (BLUE, WHITE)), (3, (BLUE, WHITE, RED, YELLOW))])
def test_L35_each_player_plays_two_psychics(players: int, psychics: tuple[Psychic, ...]) -> None:
    setup = begun(players=players).setup
    assert setup.psychics == psychics
    assert [setup.player_of(psychic) for psychic in psychics] == [0, 0, 1, 1][: len(psychics)]


@WEEKS
def test_I12_M7_two_players_are_one_with_two_psychics_and_three_are_two_with_one_each(edition: Edition) -> None:
    assert begun(edition, 2).setup.psychics == (BLUE, WHITE)
    assert begun(edition, 3).setup.psychics == (BLUE, WHITE)


@SMALL
def test_L36_all_three_shared_cards_are_turned_at_once(players: int) -> None:
    state = marked(begun(players=players))
    assert [event.shown for event in events_of(SharedVisionTurned, state, LaySharedVision())] == [1, 2, 3]


@SMALL
def test_L36_no_card_is_left_to_turn(players: int) -> None:
    with pytest.raises(NoCardToTurn, match="3 are shown"):
        apply(laid(begun(players=players)), TurnSharedVision())


@pytest.mark.parametrize("deal", Deal)
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_L37_two_players_make_two_more_groups_from_the_cards_left_on_the_table(level: str, deal: Deal) -> None:
    before = hour_played(hour_played(begun(players=2, level=level, deal=deal)))
    state = manifesting(before)
    for psychic in (BLUE, WHITE):
        before, state = state, after(state, answer(state, psychic, right=True))
    left = {kind: set(before.table.of(kind)) for kind in Category}
    groups = state.ending.groups
    assert [(group.group, group.psychic) for group in groups] == [(1, BLUE), (2, WHITE), (3, None), (4, None)]
    for at, kind in enumerate(Category):
        extra = [group.cards[at] for group in groups[2:]]
        assert set(extra) <= left[kind] - {groups[0].cards[at], groups[1].cards[at]}
        assert len(set(extra)) == 2


def test_L37_the_two_more_groups_are_made_at_random() -> None:
    groups = [lined_up(begun(players=2, level="hard", seed=seed)) for seed in range(10)]
    places = {
        sorted(begun(players=2, level="hard", seed=seed).table.character).index(state.ending.groups[2].cards[0])
        for seed, state in enumerate(groups)
    }
    assert len(places) > 3


def test_L37_no_other_card_stays_on_the_table() -> None:
    assert lined_up(begun(players=2)).table == Table()


def test_L37_three_players_have_the_groups_of_the_four_psychics() -> None:
    groups = lined_up(begun(players=3)).ending.groups
    assert [group.psychic for group in groups] == [BLUE, WHITE, RED, YELLOW]


def test_L37_the_ghost_may_choose_a_group_made_at_random() -> None:
    for group in (3, 4):
        assert after(lined_up(begun(players=2)), ChooseCulprit(group=group)).ending.culprit == group


def test_L26_L37_groups_made_at_random_keep_their_numbers() -> None:
    state = lined_up(begun(players=2))
    groups = after(state, NumberGroups(order=(WHITE, BLUE))).ending.groups
    assert [(group.group, group.psychic) for group in groups] == [(1, WHITE), (2, BLUE), (3, None), (4, None)]
    assert groups[2:] == state.ending.groups[2:]


@WEEKS
@pytest.mark.parametrize("players", [2, 3])
def test_I12_M7_there_are_two_sets_and_no_more(edition: Edition, players: int) -> None:
    assert [group.psychic for group in lined_up(begun(edition, players)).ending.groups] == [BLUE, WHITE]


@pytest.mark.parametrize("by", [BLUE, WHITE])
@pytest.mark.parametrize(("group", "won"), [(1, True), (2, False), (3, False), (4, False)])
def test_L38_of_two_players_the_one_names_a_group_with_one_token(by: Psychic, group: int, won: bool) -> None:
    outcome = after(laid(begun(players=2)), Vote(by=by, group=group)).outcome
    assert outcome == Outcome(won, Reason.CULPRIT_FOUND if won else Reason.WRONG_CULPRIT)


@pytest.fixture
def three_players_voting() -> State:
    """Blue and white are one player, red and yellow the other; group 1 is the culprit's."""
    return laid(begun(players=3))


def test_L38_of_three_players_both_must_name_the_same_group(three_players_voting: State) -> None:
    state = after(three_players_voting, Vote(by=BLUE, group=1), Vote(by=RED, group=2))
    assert state.phase is Phase.VOTE
    assert events_of(Accused, state, Vote(by=RED, group=1)) == [Accused(1)]


@pytest.mark.parametrize(("group", "won"), [(1, True), (2, False)])
def test_L38_of_three_players_the_group_that_both_name_decides(
    three_players_voting: State, group: int, won: bool
) -> None:
    outcome = after(three_players_voting, Vote(by=WHITE, group=group), Vote(by=YELLOW, group=group)).outcome
    assert outcome == Outcome(won, Reason.CULPRIT_FOUND if won else Reason.WRONG_CULPRIT)


def test_L38_the_vote_of_three_players_is_open(three_players_voting: State) -> None:
    state = after(three_players_voting, Vote(by=BLUE, group=1), Vote(by=RED, group=2))
    assert room_view(state).votes == {BLUE: 1, RED: 2}


def test_L38_the_votes_stay_open_when_the_night_is_over(three_players_voting: State) -> None:
    state = after(three_players_voting, Vote(by=BLUE, group=1), Vote(by=RED, group=1))
    assert (state.phase, room_view(state).votes) == (Phase.OVER, {BLUE: 1, RED: 1})


def test_L38_two_votes_of_one_player_are_one_that_was_changed(three_players_voting: State) -> None:
    state = after(three_players_voting, Vote(by=BLUE, group=1), Vote(by=WHITE, group=1))
    assert (state.phase, room_view(state).votes) == (Phase.VOTE, {WHITE: 1})


def test_L38_every_vote_is_told(three_players_voting: State) -> None:
    cast = events_of(VoteCast, three_players_voting, Vote(by=BLUE, group=1), Vote(by=BLUE, group=2))
    assert cast == [VoteCast(BLUE), VoteCast(BLUE)]


def test_L38_only_a_group_on_the_table_and_a_psychic_who_plays(three_players_voting: State) -> None:
    with pytest.raises(NoSuchGroup):
        apply(three_players_voting, Vote(by=BLUE, group=5))
    with pytest.raises(NotPlaying):
        apply(three_players_voting, Vote(by=Psychic.BLACK, group=1))


@WEEKS
def test_I12_M7_both_balls_must_lie_on_the_same_set(edition: Edition) -> None:
    state = after(laid(begun(edition, 2)), PointAt(by=BLUE, group=1))
    with pytest.raises(NoMajority, match="1 of the 2"):
        apply(state, Accuse())
    assert events_of(Accused, after(state, PointAt(by=WHITE, group=1)), Accuse()) == [Accused(1)]


@pytest.mark.parametrize("edition", [IGAMES, PORTAL], ids=["igames", "portal"])
def test_I12_of_two_sets_one_is_left_after_a_wrong_accusation(edition: Edition) -> None:
    state = after(pointed(laid(begun(edition, 2)), 2), Accuse())
    assert [group.group for group in state.ending.groups] == [1]
    assert after(pointed(state, 1), Accuse()).outcome == Outcome(won=True, reason=Reason.CULPRIT_FOUND)


@pytest.mark.parametrize("edition", [LIBELLUD, IGAMES, PORTAL, MANUAL])
def test_I12_L35_a_whole_night_of_two_can_be_won(edition: Edition) -> None:
    state = laid(begun(edition, 2))
    culprit = state.ending.culprit
    assert culprit is not None
    if state.phase is Phase.VOTE:
        state = after(state, Vote(by=BLUE, group=culprit))
    else:
        state = after(pointed(state, culprit), Accuse())
    assert state.outcome == Outcome(won=True, reason=Reason.CULPRIT_FOUND)
