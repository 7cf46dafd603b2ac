"""How the psychics vote in secret at the level they reached, and who breaks a tie."""

from itertools import permutations

import pytest

from seance.rules import (
    Command,
    LaySharedVision,
    NameEldest,
    Outcome,
    Phase,
    Psychic,
    Reason,
    State,
    TurnSharedVision,
    Vote,
    apply,
    room_view,
)
from seance.rules.clairvoyancy import cards_seen
from seance.rules.events import (
    Accused,
    CulpritRevealed,
    EldestNamed,
    EldestNeeded,
    NightEnded,
    ReaderNamed,
    SharedVisionTurned,
    VoteCast,
    VotesRead,
)
from seance.rules.refusals import (
    AlreadyVoted,
    NoCardToTurn,
    NoSuchGroup,
    NotACandidate,
    NotNow,
    NotPlaying,
    VotesLater,
)
from seance.rules.terms import Ballot
from tests.nights import BLACK, BLUE, PURPLE, RED, WHITE, YELLOW, after, begun, events_of, marked, on_track


def at_the_vote(*spaces: int, players: int = 5) -> State:
    """Return the state at the first vote, with the markers on *spaces*; group 1 is the culprit's."""
    return after(on_track(marked(begun(players=players)), *spaces), LaySharedVision())


def votes(*groups: int) -> list[Command]:
    """Return the votes of blue, white, red… for *groups*."""
    return [Vote(by=by, group=group) for by, group in zip(Psychic, groups, strict=False)]


@pytest.mark.parametrize(("players", "low", "intermediate"), [(4, 5, 2), (5, 5, 2), (6, 7, 3), (7, 7, 3)])
def test_L29_how_many_shared_cards_a_psychic_sees_on_each_space_of_the_track(
    players: int, low: int, intermediate: int
) -> None:
    night = begun(players=players)
    seen = [cards_seen(night, night.searches[0]._replace(clairvoyancy=spaces)) for spaces in range(40)]
    assert seen == [1] * low + [2] * intermediate + [3] * (40 - low - intermediate)


def test_L30_the_first_card_is_turned_when_the_shared_vision_is_laid(shared_vision: State) -> None:
    state = on_track(shared_vision, 3, 4, 5, 7)
    assert events_of(SharedVisionTurned, state, LaySharedVision()) == [SharedVisionTurned(1)]
    assert after(state, LaySharedVision()).phase is Phase.VOTE


def test_L30_the_first_card_is_for_the_low_the_second_for_the_intermediate(voting: State) -> None:
    for later, sees in ((RED, 2), (YELLOW, 3)):
        with pytest.raises(VotesLater, match=f"{later} votes when {sees} shared cards are shown, and now 1 are"):
            apply(voting, Vote(by=later, group=1))


def test_L30_the_next_card_turns_when_all_of_a_level_have_voted(voting: State) -> None:
    blue, white, red, yellow = votes(1, 1, 1, 1)
    assert events_of(SharedVisionTurned, voting, blue) == []
    assert events_of(SharedVisionTurned, after(voting, blue), white) == [SharedVisionTurned(2)]
    assert events_of(SharedVisionTurned, after(voting, blue, white), red) == [SharedVisionTurned(3)]
    assert after(voting, blue, white, red, yellow).phase is Phase.OVER


def test_L30_the_third_card_is_for_the_high(voting: State) -> None:
    with pytest.raises(VotesLater, match="yellow votes when 3"):
        apply(after(voting, *votes(1, 1)), Vote(by=YELLOW, group=1))


@pytest.mark.parametrize(
    ("spaces", "stages"),
    [
        ((0, 0, 0, 0), [1]),
        ((5, 5, 5, 5), [2]),
        ((7, 7, 7, 7), [3]),
        ((0, 0, 5, 5), [1, 2]),
        ((0, 0, 7, 7), [1, 3]),
        ((5, 5, 7, 7), [2, 3]),
        ((0, 5, 6, 7), [1, 2, 3]),
    ],
)
def test_L30_levels_without_voters_are_skipped(spaces: tuple[int, ...], stages: list[int]) -> None:
    state = at_the_vote(*spaces)
    shown = [state.ending.shown]
    while state.ending.shown < stages[-1]:
        state = after(state, TurnSharedVision())
        shown.append(state.ending.shown)
    assert shown == stages
    with pytest.raises(NoCardToTurn, match=f"{stages[-1]} are shown"):
        apply(state, TurnSharedVision())


def test_L30_every_card_that_is_turned_on_the_way_is_told(shared_vision: State) -> None:
    state = on_track(shared_vision, 7, 7, 7, 7)
    assert [event.shown for event in events_of(SharedVisionTurned, state, LaySharedVision())] == [1, 2, 3]


def test_L30_votes_on_paper_are_all_given_at_the_reading(voting: State) -> None:
    state = after(voting, TurnSharedVision(), TurnSharedVision())
    assert state.ending.shown == 3
    assert after(state, *votes(1, 2, 1, 1)).outcome == Outcome(won=True, reason=Reason.CULPRIT_FOUND)


def test_L30_votes_are_secret_until_the_last_is_in(voting: State) -> None:
    state = after(voting, *votes(1, 2, 3))
    assert (room_view(state).votes, room_view(state).voted) == (None, (BLUE, WHITE, RED))
    assert room_view(after(voting, *votes(2, 1, 4))) == room_view(state)
    assert room_view(after(state, Vote(by=YELLOW, group=1))).votes == {BLUE: 1, WHITE: 2, RED: 3, YELLOW: 1}


def test_L30_that_somebody_voted_is_told_and_not_for_whom(voting: State) -> None:
    assert events_of(VoteCast, voting, *votes(1)) == [VoteCast(BLUE)]


def test_L30_a_vote_cannot_be_changed(voting: State) -> None:
    with pytest.raises(AlreadyVoted, match="blue has voted already"):
        apply(after(voting, Vote(by=BLUE, group=1)), Vote(by=BLUE, group=2))


@pytest.mark.parametrize("group", [0, 5])
def test_L30_a_vote_is_for_a_group_on_the_table(voting: State, group: int) -> None:
    with pytest.raises(NoSuchGroup):
        apply(voting, Vote(by=BLUE, group=group))


def test_L30_a_colour_that_does_not_play_has_no_vote(voting: State) -> None:
    with pytest.raises(NotPlaying, match="black"):
        apply(voting, Vote(by=BLACK, group=1))


def test_L30_nobody_votes_before_the_shared_vision(shared_vision: State) -> None:
    with pytest.raises(NotNow, match="vote is not possible in the shared_vision phase"):
        apply(shared_vision, Vote(by=BLUE, group=1))


@pytest.mark.parametrize(
    ("spaces", "readers"),
    [((0, 1, 2, 3), (YELLOW,)), ((4, 1, 4, 3), (BLUE, RED)), ((0, 0, 0, 0), (BLUE, WHITE, RED, YELLOW))],
)
def test_L31_the_furthest_on_the_track_reads_and_on_a_tie_the_eldest_of_them(
    spaces: tuple[int, ...], readers: tuple[Psychic, ...]
) -> None:
    assert events_of(ReaderNamed, at_the_vote(*spaces), *votes(1, 1, 1, 1)) == [ReaderNamed(readers)]


def test_L31_the_votes_are_read_when_all_have_voted() -> None:
    state = at_the_vote(0, 0, 0, 0)
    *rest, last = votes(1, 2, 1, 1)
    assert events_of(VotesRead, state, *rest) == []
    ballots = (Ballot(BLUE, 1), Ballot(WHITE, 2), Ballot(RED, 1), Ballot(YELLOW, 1))
    assert events_of(VotesRead, after(state, *rest), last) == [VotesRead(ballots)]


@pytest.mark.parametrize(("groups", "accused"), [((2, 2, 2, 2), 2), ((1, 3, 3, 4), 3), ((4, 1, 4, 4), 4)])
def test_L32_the_group_with_most_votes_is_accused(groups: tuple[int, ...], accused: int) -> None:
    assert events_of(Accused, at_the_vote(4, 3, 2, 1), *votes(*groups)) == [Accused(accused)]


TIES = [
    ((4, 1, 2, 3), (1, 2, 1, 2), 1),  # two against two: blue is furthest
    ((1, 4, 2, 3), (1, 2, 1, 2), 2),  # two against two: white is furthest
    ((1, 2, 3, 4), (1, 2, 3, 4), 4),  # each for another: yellow is furthest
    ((1, 2, 4, 3), (1, 2, 3, 4), 3),
    ((4, 4, 1, 0), (3, 3, 2, 2), 3),  # the furthest are two, and for the same group
    ((0, 4, 4, 3), (1, 2, 2, 1), 2),
]


@pytest.mark.parametrize(("spaces", "groups", "accused"), TIES)
def test_L32_a_tie_goes_to_the_group_of_the_furthest_of_its_voters(
    spaces: tuple[int, ...], groups: tuple[int, ...], accused: int
) -> None:
    assert events_of(Accused, at_the_vote(*spaces), *votes(*groups)) == [Accused(accused)]


def test_L32_who_voted_for_no_tied_group_breaks_no_tie() -> None:
    # 2, 2 and 1 votes: purple is furthest of all, and alone with group 3
    state = at_the_vote(1, 0, 2, 0, 6, players=6)
    assert events_of(Accused, state, *votes(1, 1, 2, 2, 3)) == [Accused(2)]


def test_L32_the_order_in_which_the_votes_came_breaks_no_tie() -> None:
    for order in permutations(votes(1, 2, 1, 2)):
        assert events_of(Accused, at_the_vote(1, 4, 2, 3), *order) == [Accused(2)]


def test_L32_among_those_equally_far_the_eldest_is_asked_for() -> None:
    state = at_the_vote(4, 4, 1, 0)
    assert events_of(EldestNeeded, state, *votes(1, 2, 1, 2)) == [EldestNeeded((BLUE, WHITE))]
    asked = after(state, *votes(1, 2, 1, 2))
    assert (asked.phase, room_view(asked).eldest_of) == (Phase.ELDEST, (BLUE, WHITE))


@pytest.mark.parametrize(("eldest", "group"), [(BLUE, 1), (WHITE, 2)])
def test_L32_the_eldest_decides(eldest: Psychic, group: int) -> None:
    asked = after(at_the_vote(4, 4, 1, 0), *votes(1, 2, 1, 2))
    assert events_of(EldestNamed, asked, NameEldest(psychic=eldest)) == [EldestNamed(eldest)]
    assert events_of(Accused, asked, NameEldest(psychic=eldest)) == [Accused(group)]


def test_L32_only_one_of_those_who_tied_can_be_the_eldest() -> None:
    asked = after(at_the_vote(4, 4, 1, 0), *votes(1, 2, 1, 2))
    with pytest.raises(NotACandidate, match="red is not one of those who tied: blue, white"):
        apply(asked, NameEldest(psychic=RED))
    with pytest.raises(NotPlaying, match="purple"):
        apply(asked, NameEldest(psychic=PURPLE))


def test_L32_the_eldest_is_asked_for_only_on_a_tie(voting: State) -> None:
    with pytest.raises(NotNow, match="name_eldest"):
        apply(voting, NameEldest(psychic=BLUE))


def test_L33_the_right_group_wins() -> None:
    state = at_the_vote(0, 0, 0, 0)
    assert events_of(CulpritRevealed, state, *votes(1, 1, 2, 3)) == [CulpritRevealed(1)]
    ended = events_of(NightEnded, state, *votes(1, 1, 2, 3))
    assert ended == [NightEnded(won=True, reason=Reason.CULPRIT_FOUND)]


def test_L33_a_wrong_group_loses() -> None:
    state = at_the_vote(0, 0, 0, 0)
    assert events_of(CulpritRevealed, state, *votes(2, 2, 2, 1)) == [CulpritRevealed(1)]
    ended = events_of(NightEnded, state, *votes(2, 2, 2, 1))
    assert ended == [NightEnded(won=False, reason=Reason.WRONG_CULPRIT)]
