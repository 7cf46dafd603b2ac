"""How psychics bet on one another with clairvoyancy tokens, and move on the track."""

import pytest

from seance.rules import (
    Bet,
    CallTime,
    Edition,
    Manifest,
    Phase,
    PlaceIntuition,
    Psychic,
    State,
    WithdrawBet,
    apply,
    room_view,
)
from seance.rules.events import ClairvoyancyMoved, TokensReturned
from seance.rules.refusals import (
    BetOnOneself,
    NoSuchBet,
    NothingToBetOn,
    NotNow,
    NoTokens,
    NoTokensLeft,
    NotPlaying,
    NotServedYet,
)
from seance.rules.terms import Token
from tests.nights import (
    BLACK,
    BLUE,
    NOBODY,
    RED,
    WEEKS,
    WHITE,
    YELLOW,
    after,
    answered,
    at_hour,
    begun,
    chosen,
    hour_played,
    interpreted,
    missed,
    served,
    sought,
    told,
)


def test_L17_a_token_agrees_or_disagrees_with_another_intuition(all_chosen: State) -> None:
    state = after(all_chosen, Bet(by=RED, on=BLUE, agrees=True), Bet(by=RED, on=WHITE, agrees=False))
    assert room_view(state).bets == (Token(RED, BLUE, agrees=True), Token(RED, WHITE, agrees=False))


def test_L17_each_token_can_say_either(all_chosen: State) -> None:
    for agrees in (True, False):
        state = after(all_chosen, *(Bet(by=RED, on=on, agrees=agrees) for on in (BLUE, WHITE, YELLOW)))
        assert [token.agrees for token in state.tokens] == [agrees] * 3


def test_L17_a_psychic_may_not_bet_on_their_own_intuition(all_chosen: State) -> None:
    with pytest.raises(BetOnOneself, match="red"):
        apply(all_chosen, Bet(by=RED, on=RED, agrees=True))


def test_L17_a_token_lies_on_an_intuition(interpreting: State) -> None:
    with pytest.raises(NothingToBetOn, match="blue has not chosen a card in hour 1"):
        apply(interpreting, Bet(by=RED, on=BLUE, agrees=True))


def test_L17_a_psychic_bets_on_all_others_in_one_turn(all_chosen: State) -> None:
    state = after(all_chosen, *(Bet(by=RED, on=on, agrees=True) for on in (BLUE, WHITE, YELLOW)))
    assert state.search(RED).tokens_left == 1


def test_L17_a_token_costs_one_of_those_that_are_left(all_chosen: State) -> None:
    assert after(all_chosen, Bet(by=RED, on=BLUE, agrees=True)).search(RED).tokens_left == 3


def test_L17_a_second_bet_on_the_same_psychic_turns_the_token(all_chosen: State) -> None:
    state = after(all_chosen, Bet(by=RED, on=BLUE, agrees=True), Bet(by=RED, on=BLUE, agrees=False))
    assert (state.tokens, state.search(RED).tokens_left) == ((Token(RED, BLUE, agrees=False),), 3)


def test_L17_a_token_may_be_taken_back(all_chosen: State) -> None:
    state = after(all_chosen, Bet(by=RED, on=BLUE, agrees=True), WithdrawBet(by=RED, on=BLUE))
    assert (state.tokens, state.search(RED).tokens_left) == ((), 4)


def test_L17_a_token_may_be_moved(all_chosen: State) -> None:
    bet, off, again = (
        Bet(by=RED, on=BLUE, agrees=True),
        WithdrawBet(by=RED, on=BLUE),
        Bet(by=RED, on=WHITE, agrees=True),
    )
    state = after(all_chosen, bet, off, again)
    assert (state.tokens, state.search(RED).tokens_left) == ((Token(RED, WHITE, agrees=True),), 3)


def test_L17_only_a_token_that_lies_there_is_taken_back(all_chosen: State) -> None:
    state = after(all_chosen, Bet(by=BLUE, on=RED, agrees=True), Bet(by=RED, on=WHITE, agrees=True))
    with pytest.raises(NoSuchBet, match="no token of red lies on blue's intuition"):
        apply(state, WithdrawBet(by=RED, on=BLUE))


def test_L17_tokens_lie_until_the_timer_runs_out(manifestation: State) -> None:
    for command in (Bet(by=RED, on=BLUE, agrees=True), WithdrawBet(by=RED, on=BLUE)):
        with pytest.raises(NotNow, match="manifestation"):
            apply(manifestation, command)


def test_L17_a_psychic_without_a_vision_this_hour_does_not_bet_yet(first_hour: State) -> None:
    state = served(first_hour, BLUE)
    state = after(state, PlaceIntuition(psychic=BLUE, card=sought(state, BLUE)))
    with pytest.raises(NotServedYet, match="red"):
        apply(state, Bet(by=RED, on=BLUE, agrees=True))


def test_L17_a_psychic_with_a_vision_bets_before_the_sand_is_turned(first_hour: State) -> None:
    state = served(first_hour, BLUE, RED)
    state = after(state, PlaceIntuition(psychic=BLUE, card=sought(state, BLUE)), Bet(by=RED, on=BLUE, agrees=True))
    assert state.phase is Phase.VISIONS
    assert state.tokens == (Token(RED, BLUE, agrees=True),)


@pytest.mark.parametrize(("by", "on"), [(BLACK, BLUE), (BLUE, BLACK)])
def test_L17_a_colour_that_does_not_play_has_no_tokens(all_chosen: State, by: Psychic, on: Psychic) -> None:
    for command in (Bet(by=by, on=on, agrees=True), WithdrawBet(by=by, on=on)):
        with pytest.raises(NotPlaying, match="black"):
            apply(all_chosen, command)


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
    assert told(TokensReturned, third_hour, *rest) == []
    assert told(TokensReturned, after(third_hour, *rest), last) == [TokensReturned()]


def test_L19_psychics_who_have_finished_go_on_betting() -> None:
    state = begun()
    for _ in range(3):
        state = hour_played(state, [RED])
    state = after(chosen(state, [BLUE]), Bet(by=RED, on=BLUE, agrees=True), CallTime())
    moved = told(ClairvoyancyMoved, state, Manifest(psychic=BLUE))
    assert moved == [ClairvoyancyMoved(RED, 1)]


def test_L19_nobody_bets_on_a_psychic_who_has_finished() -> None:
    state = begun()
    for _ in range(3):
        state = hour_played(state, [RED])
    with pytest.raises(NothingToBetOn, match="red"):
        apply(chosen(state), Bet(by=BLUE, on=RED, agrees=True))


def test_L21_everyone_who_agreed_with_a_right_answer_moves_one_space(first_hour: State) -> None:
    state = bet_by_three(chosen(first_hour))
    moved = told(ClairvoyancyMoved, after(state, CallTime()), Manifest(psychic=BLUE))
    assert moved == [ClairvoyancyMoved(WHITE, 1), ClairvoyancyMoved(YELLOW, 1)]


def test_L22_everyone_who_disagreed_with_a_wrong_answer_moves_one_space(first_hour: State) -> None:
    state = bet_by_three(chosen(first_hour, NOBODY))
    moved = told(ClairvoyancyMoved, after(state, CallTime()), Manifest(psychic=BLUE))
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
    state = after(interpreting, PlaceIntuition(psychic=BLUE, card=missed(interpreting, BLUE)))
    state = after(state, Bet(by=RED, on=BLUE, agrees=False), CallTime())
    assert told(ClairvoyancyMoved, state, Manifest(psychic=WHITE)) == []


@pytest.mark.parametrize(("hour", "spaces"), [(3, 4), (4, 3), (5, 2), (6, 1), (7, 0)])
def test_L24_the_third_card_moves_a_psychic_one_space_for_each_hour_left(hour: int, spaces: int) -> None:
    state = at_hour(begun(), hour - 2)
    for _ in range(3):
        state = hour_played(state, [RED])
    assert [search.clairvoyancy for search in state.searches] == [0, 0, spaces, 0]


def test_L24_the_first_two_cards_move_nobody(first_hour: State) -> None:
    state = hour_played(hour_played(first_hour))
    assert {search.clairvoyancy for search in state.searches} == {0}


@WEEKS
def test_L17_other_editions_have_nothing_to_bet(edition: Edition) -> None:
    state = chosen(interpreted(begun(edition)))
    for command in (Bet(by=RED, on=BLUE, agrees=True), WithdrawBet(by=RED, on=BLUE)):
        with pytest.raises(NoTokens, match=f"{edition.name} with 5 players"):
            apply(state, command)
