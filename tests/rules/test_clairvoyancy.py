"""How clairvoyancy tokens are spent and come back, and markers move on the track."""

import pytest

from seance.rules import (
    IGAMES,
    LIBELLUD,
    MANUAL,
    PORTAL,
    Bet,
    CallTime,
    Edition,
    Manifest,
    PlaceIntuition,
    State,
    apply,
)
from seance.rules.events import ClairvoyancyMoved, TokensReturned
from seance.rules.refusals import (
    NothingToBetOn,
    NoTokensLeft,
)
from seance.rules.terms import Token
from tests.nights import (
    ALL,
    BLUE,
    NOBODY,
    RED,
    WHITE,
    YELLOW,
    after,
    answered,
    at_hour,
    begun,
    chosen,
    events_of,
    hour_played,
    right_card,
    served,
    wrong_card,
)


def bets_on_all(state: State) -> State:
    """Return the state after red has bet, wrongly, on all others."""
    return after(state, *(Bet(by=RED, on=on, agrees=True) for on in (BLUE, WHITE, YELLOW)))


def test_L18_tokens_that_were_played_are_spent_right_or_wrong(first_hour: State) -> None:
    for agrees in (True, False):
        state = after(chosen(first_hour, NOBODY), Bet(by=RED, on=BLUE, agrees=agrees), CallTime())
        second_hour = answered(state)
        assert (second_hour.hour, second_hour.tokens, second_hour.search(RED).tokens_left) == (2, (), 3)


def test_L18_who_has_spent_all_tokens_bets_no_more(first_hour: State) -> None:
    second_hour = answered(after(bets_on_all(chosen(first_hour, NOBODY)), CallTime()))
    state = after(chosen(second_hour, NOBODY), Bet(by=RED, on=BLUE, agrees=True))
    with pytest.raises(NoTokensLeft, match="red has no clairvoyancy token left in hour 2"):
        apply(state, Bet(by=RED, on=WHITE, agrees=True))


def test_L18_the_last_token_may_still_be_turned(first_hour: State) -> None:
    second_hour = answered(after(bets_on_all(chosen(first_hour, NOBODY)), CallTime()))
    state = after(chosen(second_hour, NOBODY), Bet(by=RED, on=BLUE, agrees=True), Bet(by=RED, on=BLUE, agrees=False))
    assert (state.tokens, state.search(RED).tokens_left) == ((Token(RED, BLUE, agrees=False),), 0)


def test_L18_spent_tokens_come_back_at_hour_four_and_only_then(first_hour: State) -> None:
    state, left = first_hour, {}
    for hour in range(1, 8):
        left[hour] = state.search(RED).tokens_left
        state = chosen(state, NOBODY)
        state = bets_on_all(state) if left[hour] == 4 else state
        state = answered(after(state, CallTime()))
    assert left == {1: 4, 2: 1, 3: 1, 4: 4, 5: 1, 6: 1, 7: 1}


def test_L18_that_tokens_come_back_is_told(first_hour: State) -> None:
    third_hour = after(chosen(at_hour(first_hour, 3), NOBODY), CallTime())
    *rest, last = (Manifest(psychic=search.psychic) for search in third_hour.searching())
    assert events_of(TokensReturned, third_hour, *rest) == []
    assert events_of(TokensReturned, after(third_hour, *rest), last) == [TokensReturned()]


@pytest.mark.parametrize(("edition", "players"), [(LIBELLUD, 2), (LIBELLUD, 3), (IGAMES, 5), (PORTAL, 5), (MANUAL, 5)])
def test_L18_L27_no_tokens_come_back_where_there_are_none(edition: Edition, players: int) -> None:
    for right in (NOBODY, ALL):
        state = begun(edition, players)
        for _ in range(3):
            state = after(chosen(state, right), CallTime())
            answers = [Manifest(psychic=search.psychic) for search in state.searching()]
            assert events_of(TokensReturned, state, *answers) == []
            state = after(state, *answers)


def test_L19_psychics_who_have_finished_go_on_betting() -> None:
    state = begun()
    for _ in range(3):
        state = hour_played(state, [RED])
    state = after(chosen(state, [BLUE]), Bet(by=RED, on=BLUE, agrees=True), CallTime())
    moved = events_of(ClairvoyancyMoved, state, Manifest(psychic=BLUE))
    assert moved == [ClairvoyancyMoved(RED, 1)]


def test_L19_psychics_who_have_finished_bet_before_the_sand_is_turned_too() -> None:
    state = begun()
    for _ in range(3):
        state = hour_played(state, [RED])
    state = served(state, BLUE)
    state = after(state, PlaceIntuition(psychic=BLUE, card=right_card(state, BLUE)), Bet(by=RED, on=BLUE, agrees=True))
    assert state.tokens == (Token(RED, BLUE, agrees=True),)


def test_L19_nobody_bets_on_a_psychic_who_has_finished() -> None:
    state = begun()
    for _ in range(3):
        state = hour_played(state, [RED])
    with pytest.raises(NothingToBetOn, match="red"):
        apply(chosen(state), Bet(by=BLUE, on=RED, agrees=True))


def test_L21_everyone_who_agreed_with_a_right_answer_moves_one_space(first_hour: State) -> None:
    state = bet_by_three(chosen(first_hour))
    moved = events_of(ClairvoyancyMoved, after(state, CallTime()), Manifest(psychic=BLUE))
    assert moved == [ClairvoyancyMoved(WHITE, 1), ClairvoyancyMoved(YELLOW, 1)]


def test_L22_everyone_who_disagreed_with_a_wrong_answer_moves_one_space(first_hour: State) -> None:
    state = bet_by_three(chosen(first_hour, NOBODY))
    moved = events_of(ClairvoyancyMoved, after(state, CallTime()), Manifest(psychic=BLUE))
    assert moved == [ClairvoyancyMoved(RED, 1)]


def bet_by_three(state: State) -> State:
    """Return the state after white and yellow agreed with blue, and red did not; nobody bet on others."""
    return after(
        state,
        Bet(by=WHITE, on=BLUE, agrees=True),
        Bet(by=RED, on=BLUE, agrees=False),
        Bet(by=YELLOW, on=BLUE, agrees=True),
    )


def test_L21_a_marker_moves_for_every_bet_that_was_right(first_hour: State) -> None:
    state = chosen(first_hour, [BLUE, WHITE])
    state = after(
        state,
        Bet(by=RED, on=BLUE, agrees=True),
        Bet(by=RED, on=WHITE, agrees=False),
        Bet(by=RED, on=YELLOW, agrees=False),
        CallTime(),
    )
    assert answered(state).search(RED).clairvoyancy == 2


def test_L23_no_token_can_lie_on_a_choice_that_was_not_made(interpreting: State) -> None:
    state = after(interpreting, PlaceIntuition(psychic=BLUE, card=wrong_card(interpreting, BLUE)))
    state = after(state, Bet(by=RED, on=BLUE, agrees=False), CallTime())
    assert events_of(ClairvoyancyMoved, state, Manifest(psychic=WHITE)) == []


@pytest.mark.parametrize(("hour", "spaces"), [(3, 4), (4, 3), (5, 2), (6, 1), (7, 0)])
def test_L24_the_third_card_moves_a_psychic_one_space_for_each_hour_left(hour: int, spaces: int) -> None:
    state = at_hour(begun(), hour - 2)
    for _ in range(3):
        state = hour_played(state, [RED])
    assert [search.clairvoyancy for search in state.searches] == [0, 0, spaces, 0]


def test_L24_at_hour_seven_no_marker_moves(seventh_hour: State) -> None:
    state = after(chosen(seventh_hour), CallTime())
    answers = [Manifest(psychic=search.psychic) for search in state.searching()]
    assert events_of(ClairvoyancyMoved, state, *answers) == []


def test_L24_the_first_two_cards_move_nobody(first_hour: State) -> None:
    state = hour_played(hour_played(first_hour))
    assert {search.clairvoyancy for search in state.searches} == {0}
