"""How the ghost discards vision cards."""

import pytest

from seance.rules import (
    IGAMES,
    LIBELLUD,
    MANUAL,
    PORTAL,
    Edition,
    State,
    UseCrow,
    Visions,
    apply,
)
from seance.rules.events import CrowUsed
from seance.rules.refusals import (
    CountOrCards,
    NoCrowsLeft,
    NotInHand,
    WholeHandOnly,
    WrongCount,
)
from tests.nights import (
    EACH_EDITION,
    WEEKS,
    after,
    at_hour,
    begun,
    events_of,
    hour_played,
    interpreted,
    laid,
    lined_up,
    manifesting,
    marked,
)


@pytest.mark.parametrize("count", range(1, 8))
def test_L13_a_crow_takes_any_or_all_of_the_hand(first_hour_dealt: State, count: int) -> None:
    thrown = first_hour_dealt.deck.hand[:count]
    deck = after(first_hour_dealt, UseCrow(cards=thrown)).deck
    assert deck.discard == thrown
    assert deck.hand == first_hour_dealt.deck.hand[count:] + first_hour_dealt.deck.pile[:count]


@pytest.mark.parametrize("thrown", [(), (0,)])
def test_L13_a_crow_takes_only_cards_of_the_hand(first_hour_dealt: State, thrown: tuple[int, ...]) -> None:
    cards = tuple(first_hour_dealt.deck.pile[place] for place in thrown)
    with pytest.raises(NotInHand):
        apply(first_hour_dealt, UseCrow(cards=cards))


@pytest.mark.parametrize("count", [0, 8])
def test_L13_no_crow_takes_nothing_or_more_than_the_hand(first_hour: State, count: int) -> None:
    with pytest.raises(WrongCount):
        apply(first_hour, UseCrow(count=count))


def test_L13_dealt_the_ghost_says_which_cards_go(first_hour_dealt: State) -> None:
    for command in (UseCrow(), UseCrow(count=2)):
        with pytest.raises(CountOrCards, match="numbers"):
            apply(first_hour_dealt, command)


MOMENTS = {
    "visions": begun,
    "interpretation": lambda *given, **choices: interpreted(begun(*given, **choices)),
    "manifestation": lambda *given, **choices: manifesting(begun(*given, **choices)),
    "lineup": lambda *given, **choices: lined_up(begun(*given, **choices)),
    "shared_vision": lambda *given, **choices: marked(begun(*given, **choices)),
    "vote or accusation": lambda *given, **choices: laid(begun(*given, **choices)),
}


@pytest.mark.parametrize("visions", Visions)
@EACH_EDITION
@pytest.mark.parametrize("moment", MOMENTS)
def test_L13_I3_a_crow_may_be_used_at_any_time(moment: str, edition: Edition, visions: Visions) -> None:
    state = MOMENTS[moment](edition, visions=visions)
    after_crow = after(state, UseCrow(cards=state.deck.hand or None))
    assert after_crow.crows_left == state.crows_left - 1 == 0


def test_L13_on_easy_the_crow_is_used_once_a_turn_and_comes_back(first_hour: State) -> None:
    used = after(first_hour, UseCrow())
    with pytest.raises(NoCrowsLeft, match="no crow is left in hour 1 at level easy"):
        apply(used, UseCrow())
    assert hour_played(used, []).crows_left == 1


def test_L13_on_easy_the_crow_comes_back_for_the_last_phase() -> None:
    third_hour = at_hour(begun(), 1)
    for _ in range(2):
        third_hour = hour_played(third_hour)
    assert hour_played(after(third_hour, UseCrow())).crows_left == 1


@pytest.mark.parametrize(
    ("edition", "level", "crows"),
    [
        (LIBELLUD, "medium", 3),
        (LIBELLUD, "hard", 1),
        (IGAMES, "normal", 3),
        (IGAMES, "difficult", 1),
        (PORTAL, "normal", 3),
        (PORTAL, "difficult", 1),
        (MANUAL, "normal", 3),
        (MANUAL, "difficult", 1),
        (IGAMES, "very_difficult", 0),
        (PORTAL, "very_difficult", 0),
        (MANUAL, "very_difficult", 0),
    ],
)
def test_L13_I3_other_crows_are_for_the_whole_game(edition: Edition, level: str, crows: int) -> None:
    state = begun(edition, level=level)
    for used in range(crows):
        assert state.crows_left == crows - used
        state = hour_played(after(state, UseCrow()), [])
    with pytest.raises(NoCrowsLeft):
        apply(state, UseCrow())


def test_L13_how_many_crows_are_left_is_told() -> None:
    assert events_of(CrowUsed, begun(level="medium"), UseCrow(count=3)) == [CrowUsed(count=3, crows_left=2)]


@WEEKS
def test_I3_a_discard_is_of_the_whole_hand(edition: Edition) -> None:
    state = begun(edition, visions=Visions.DEALT)
    hand, drawn = state.deck.hand, state.deck.pile[: edition.hand]
    for command in (UseCrow(), UseCrow(cards=tuple(reversed(hand)))):
        deck = after(state, command).deck
        assert (deck.hand, set(deck.discard)) == (drawn, set(hand))


@WEEKS
def test_I3_a_part_of_the_hand_is_not_discarded(edition: Edition) -> None:
    dealt = begun(edition, visions=Visions.DEALT)
    with pytest.raises(WholeHandOnly, match=edition.name):
        apply(dealt, UseCrow(cards=dealt.deck.hand[1:]))
    with pytest.raises(WholeHandOnly, match=edition.name):
        apply(begun(edition), UseCrow(count=edition.hand - 1))


def test_I3_the_whole_hand_may_be_counted(monday: State) -> None:
    assert after(monday, UseCrow(count=7)).crows_left == 0


def test_I3_an_empty_hand_is_not_discarded() -> None:
    monday = begun(IGAMES, visions=Visions.DEALT)
    empty = monday._replace(deck=monday.deck._replace(hand=()))
    with pytest.raises(NotInHand):
        apply(empty, UseCrow())
