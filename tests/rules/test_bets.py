"""How psychics bet on one another with clairvoyancy tokens (L17)."""

from dataclasses import replace

import pytest

from seance.rules import (
    LIBELLUD,
    Bet,
    CallTime,
    Edition,
    Phase,
    PlaceIntuition,
    Psychic,
    Refusal,
    State,
    WithdrawBet,
    apply,
    room_view,
)
from seance.rules.editions import TokenFaces
from seance.rules.refusals import (
    BetOnOneself,
    NoAgreeTokenLeft,
    NoDisagreeTokenLeft,
    NoSuchBet,
    NothingToBetOn,
    NotNow,
    NoTokens,
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
    interpreted,
    right_card,
    served,
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
    others = [
        Bet(by=BLUE, on=RED, agrees=True),
        Bet(by=RED, on=WHITE, agrees=True),
        Bet(by=WHITE, on=BLUE, agrees=True),
    ]
    state = after(all_chosen, *others)
    with pytest.raises(NoSuchBet, match="no token of red lies on blue's intuition"):
        apply(state, WithdrawBet(by=RED, on=BLUE))


def test_L17_tokens_lie_until_the_timer_runs_out(manifestation: State) -> None:
    for command in (Bet(by=RED, on=BLUE, agrees=True), WithdrawBet(by=RED, on=BLUE)):
        with pytest.raises(NotNow, match="manifestation"):
            apply(manifestation, command)


def test_L17_a_psychic_bets_without_a_vision_of_their_own(first_hour: State) -> None:
    state = served(first_hour, BLUE)
    state = after(state, PlaceIntuition(psychic=BLUE, card=right_card(state, BLUE)), Bet(by=RED, on=BLUE, agrees=True))
    assert state.tokens == (Token(RED, BLUE, agrees=True),)


def test_L17_before_any_vision_there_is_nothing_to_bet_on(first_hour: State) -> None:
    with pytest.raises(NotServedYet, match="red"):
        apply(first_hour, Bet(by=RED, on=BLUE, agrees=True))


TWO_OF_EACH = replace(LIBELLUD, token_faces={5: TokenFaces(agree=2, disagree=2)})


@pytest.mark.parametrize(("agrees", "refusal"), [(True, NoAgreeTokenLeft), (False, NoDisagreeTokenLeft)])
def test_L17_the_owner_sets_how_many_tokens_agree_and_disagree(agrees: bool, refusal: type[Refusal]) -> None:
    state = chosen(interpreted(begun(TWO_OF_EACH)))
    state = after(state, *(Bet(by=RED, on=on, agrees=agrees) for on in (BLUE, WHITE)))
    with pytest.raises(refusal, match="red has used all 2 tokens"):
        apply(state, Bet(by=RED, on=YELLOW, agrees=agrees))
    state = after(state, Bet(by=RED, on=BLUE, agrees=not agrees), Bet(by=RED, on=YELLOW, agrees=agrees))
    assert [token.agrees for token in state.tokens] == [not agrees, agrees, agrees]


@pytest.mark.parametrize(("agrees", "refusal"), [(True, NoAgreeTokenLeft), (False, NoDisagreeTokenLeft)])
def test_L17_L18_a_spent_token_is_missing_until_all_come_back(agrees: bool, refusal: type[Refusal]) -> None:
    state = chosen(begun(TWO_OF_EACH), NOBODY)
    state = after(state, *(Bet(by=RED, on=on, agrees=agrees) for on in (BLUE, WHITE)), CallTime())
    state = chosen(answered(state), NOBODY)
    with pytest.raises(refusal, match="in hour 2"):
        apply(state, Bet(by=RED, on=BLUE, agrees=agrees))
    state = after(state, Bet(by=RED, on=BLUE, agrees=not agrees), CallTime())
    state = chosen(at_hour(answered(state), 4))
    assert len(after(state, *(Bet(by=RED, on=on, agrees=agrees) for on in (BLUE, WHITE))).tokens) == 2


def test_L17_a_psychic_with_a_vision_bets_before_the_sand_is_turned(first_hour: State) -> None:
    state = served(first_hour, BLUE, RED)
    state = after(state, PlaceIntuition(psychic=BLUE, card=right_card(state, BLUE)), Bet(by=RED, on=BLUE, agrees=True))
    assert state.phase is Phase.VISIONS
    assert state.tokens == (Token(RED, BLUE, agrees=True),)


@pytest.mark.parametrize(("by", "on"), [(BLACK, BLUE), (BLUE, BLACK)])
def test_L17_a_colour_that_does_not_play_has_no_tokens(all_chosen: State, by: Psychic, on: Psychic) -> None:
    for command in (Bet(by=by, on=on, agrees=True), WithdrawBet(by=by, on=on)):
        with pytest.raises(NotPlaying, match="black"):
            apply(all_chosen, command)


@WEEKS
def test_L17_other_editions_have_nothing_to_bet(edition: Edition) -> None:
    state = chosen(interpreted(begun(edition)))
    for command in (Bet(by=RED, on=BLUE, agrees=True), WithdrawBet(by=RED, on=BLUE)):
        with pytest.raises(NoTokens, match=f"{edition.name} with 5 players"):
            apply(state, command)
