"""What a psychic can take back, step by step, until the sand runs out (S4)."""

import pytest

from seance.rules import (
    Bet,
    CallTime,
    Edition,
    GiveVision,
    Phase,
    PlaceIntuition,
    State,
    TakeBack,
    TurnSand,
    Visions,
    WithdrawBet,
    apply,
)
from seance.rules.events import TakenBack
from seance.rules.refusals import AlreadyServed, NothingToTakeBack, NotNow, NotPlaying, VisionsMissing
from seance.rules.terms import Token
from tests.nights import (
    BLACK,
    BLUE,
    EACH_EDITION,
    NOBODY,
    RED,
    WEEKS,
    WHITE,
    after,
    begun,
    chosen,
    events_of,
    hour_played,
    interpreted,
    manifesting,
    marked,
    right_card,
    served,
    wrong_card,
)

BACK = TakeBack(psychic=RED)


def test_S4_a_move_of_the_intuition_is_taken_back(interpreting: State) -> None:
    first, second = interpreting.table.character[:2]
    state = after(interpreting, PlaceIntuition(psychic=RED, card=first), PlaceIntuition(psychic=RED, card=second))
    assert events_of(TakenBack, state, BACK) == [TakenBack(RED, "intuition")]
    assert after(state, BACK).search(RED).intuition == first
    assert after(state, BACK, BACK).search(RED).intuition is None


def test_S4_choosing_the_same_card_again_is_nothing_to_take_back(interpreting: State) -> None:
    first, second = interpreting.table.character[:2]
    moves = [PlaceIntuition(psychic=RED, card=card) for card in (first, second, second)]
    assert after(interpreting, *moves, BACK).search(RED).intuition == first


def test_S4_the_last_256_steps_of_an_hour_can_be_taken_back(interpreting: State) -> None:
    first, second = interpreting.table.character[:2]
    moves = [PlaceIntuition(psychic=RED, card=card) for card in (first, second) * 150]
    state = after(interpreting, *moves, *[BACK] * 256)
    assert state.search(RED).intuition == second
    with pytest.raises(NothingToTakeBack):
        apply(state, BACK)


def test_S4_a_bet_is_taken_back(all_chosen: State) -> None:
    state = after(all_chosen, Bet(by=RED, on=BLUE, agrees=True))
    assert events_of(TakenBack, state, BACK) == [TakenBack(RED, "bet")]
    undone = after(state, BACK)
    assert (undone.tokens, undone.search(RED).tokens_left) == ((), 4)


def test_S4_a_token_that_was_turned_is_turned_back(all_chosen: State) -> None:
    state = after(all_chosen, Bet(by=RED, on=BLUE, agrees=True), Bet(by=RED, on=BLUE, agrees=False), BACK)
    assert (state.tokens, state.search(RED).tokens_left) == ((Token(RED, BLUE, agrees=True),), 3)


def test_S4_a_withdrawal_is_taken_back(all_chosen: State) -> None:
    state = after(all_chosen, Bet(by=RED, on=BLUE, agrees=False), WithdrawBet(by=RED, on=BLUE), BACK)
    assert (state.tokens, state.search(RED).tokens_left) == ((Token(RED, BLUE, agrees=False),), 3)


def test_S4_a_vision_counted_by_mistake_is_taken_back(first_hour: State) -> None:
    second_hour = hour_played(first_hour, NOBODY)
    state = after(second_hour, GiveVision(psychic=RED, count=5))
    assert events_of(TakenBack, state, BACK) == [TakenBack(RED, "vision")]
    undone = after(state, BACK)
    assert (undone.search(RED).visions, undone.search(RED).served) == (1, False)
    assert after(undone, GiveVision(psychic=RED, count=2)).search(RED).visions == 3


def test_S4_steps_are_taken_back_one_by_one_the_last_first(first_hour: State) -> None:
    state = served(first_hour, RED, BLUE)
    start = after(state, PlaceIntuition(psychic=BLUE, card=wrong_card(state, BLUE)))
    state = after(start, PlaceIntuition(psychic=RED, card=right_card(state, RED)), Bet(by=RED, on=BLUE, agrees=True))
    assert [event.what for event in events_of(TakenBack, state, BACK, BACK, BACK)] == ["bet", "intuition", "vision"]
    with pytest.raises(NothingToTakeBack, match="red has done nothing in hour 1 that could be taken back"):
        apply(after(state, BACK, BACK, BACK), BACK)


def test_S4_a_psychic_takes_back_their_own_step_and_no_other(all_chosen: State) -> None:
    state = after(all_chosen, Bet(by=BLUE, on=RED, agrees=True), BACK)
    assert state.search(BLUE).intuition is not None
    assert state.search(RED).intuition is None


def test_S4_with_a_first_placement_the_tokens_on_it_go_home(all_chosen: State) -> None:
    bets = (Bet(by=BLUE, on=RED, agrees=True), Bet(by=WHITE, on=RED, agrees=False), Bet(by=BLUE, on=WHITE, agrees=True))
    state = after(all_chosen, *bets, BACK)
    assert state.tokens == (Token(BLUE, WHITE, agrees=True),)
    assert [search.tokens_left for search in state.searches] == [3, 4, 4, 4]


def test_S4_a_token_that_went_home_is_not_taken_back_once_more(all_chosen: State) -> None:
    card = all_chosen.search(BLUE).intuition
    state = after(all_chosen, Bet(by=BLUE, on=RED, agrees=True), BACK, TakeBack(psychic=BLUE))
    assert card is not None
    assert (state.search(BLUE).intuition, state.search(BLUE).tokens_left) == (None, 4)


def test_S4_bets_follow_an_intuition_that_is_moved_back(all_chosen: State) -> None:
    state = after(all_chosen, PlaceIntuition(psychic=RED, card=wrong_card(all_chosen, RED)))
    state = after(state, Bet(by=BLUE, on=RED, agrees=True), BACK)
    assert state.tokens == (Token(BLUE, RED, agrees=True),)


def test_S4_a_vision_taken_back_while_the_sand_runs_leads_back_to_the_visions(interpreting: State) -> None:
    state = after(interpreting, BACK)
    assert state.phase is Phase.VISIONS
    with pytest.raises(VisionsMissing, match="red"):
        apply(state, TurnSand())
    assert after(served(state), TurnSand()).phase is Phase.INTERPRETATION


@WEEKS
def test_S4_a_dream_taken_back_leads_back_to_the_dreams_until_it_is_given_anew(edition: Edition) -> None:
    state = after(interpreted(begun(edition)), BACK)
    assert state.phase is Phase.VISIONS
    assert served(state).phase is Phase.INTERPRETATION


def test_S4_the_others_keep_what_they_chose_when_a_vision_is_taken_back(interpreting: State) -> None:
    state = after(interpreting, PlaceIntuition(psychic=BLUE, card=wrong_card(interpreting, BLUE)), BACK)
    assert state.search(BLUE).intuition == wrong_card(interpreting, BLUE)
    with pytest.raises(AlreadyServed):
        apply(state, GiveVision(psychic=BLUE, count=1))


@EACH_EDITION
def test_S4_a_dealt_vision_is_never_taken_back(edition: Edition) -> None:
    state = served(begun(edition, visions=Visions.DEALT), RED)
    with pytest.raises(NothingToTakeBack):
        apply(state, BACK)


def test_S4_nothing_is_taken_back_after_the_sand_has_run_out(manifestation: State) -> None:
    with pytest.raises(NotNow, match="take_back"):
        apply(manifestation, BACK)


def test_S4_neither_a_manifestation_nor_a_secret_is_taken_back() -> None:
    for state in (after(manifesting(begun())), marked(begun())):
        with pytest.raises(NotNow, match="take_back"):
            apply(state, BACK)


def test_S4_nothing_of_an_earlier_hour_is_taken_back(first_hour: State) -> None:
    with pytest.raises(NothingToTakeBack, match="hour 2"):
        apply(hour_played(first_hour, NOBODY), BACK)


def test_S4_a_colour_that_does_not_play_takes_nothing_back(interpreting: State) -> None:
    with pytest.raises(NotPlaying, match="black"):
        apply(interpreting, TakeBack(psychic=BLACK))


def test_S4_what_was_taken_back_and_done_again_counts(first_hour: State) -> None:
    state = chosen(first_hour, NOBODY)
    state = after(state, BACK, PlaceIntuition(psychic=RED, card=right_card(state, RED)), CallTime())
    assert state.search(RED).intuition == right_card(state, RED)
