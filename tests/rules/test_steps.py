"""What can be taken back in a long hour, at what cost (S4)."""

import sys

import pytest

from seance.rules import (
    LIBELLUD,
    Begin,
    Bet,
    GiveVision,
    PlaceIntuition,
    Psychic,
    TakeBack,
    TurnSand,
    WithdrawBet,
    apply,
)

BLUE, WHITE, RED = tuple(Psychic)[:3]
MANY = 3000


def after(state, *commands):
    for command in commands:
        state, _ = apply(state, command)
    return state


@pytest.fixture
def interpreting():
    night = after(None, Begin(edition=LIBELLUD, players=7, level="hard", seed=1894))
    visions = (GiveVision(psychic=psychic, count=1) for psychic in night.setup.psychics)
    return after(night, *visions, TurnSand())


def moved(state, times):
    cards = state.table.character
    return after(state, *(PlaceIntuition(psychic=BLUE, card=cards[at % len(cards)]) for at in range(times)))


def test_S4_thousands_of_moves_are_taken_back_one_by_one(interpreting):
    nearly = after(moved(interpreting, MANY), *[TakeBack(psychic=BLUE)] * (MANY - 1))
    assert nearly == moved(interpreting, 1)
    assert after(nearly, TakeBack(psychic=BLUE)) == interpreting


def test_a_long_hour_leaves_no_longer_row_of_steps_to_copy(interpreting):
    few, many = (moved(interpreting, times).search(BLUE) for times in (10, MANY))
    assert sys.getsizeof(many.steps) == sys.getsizeof(few.steps)


def test_nights_are_compared_down_to_moves_long_ago(interpreting):
    first, second = interpreting.table.character[:2]
    one = after(interpreting, PlaceIntuition(psychic=BLUE, card=first), PlaceIntuition(psychic=BLUE, card=second))
    other = after(interpreting, PlaceIntuition(psychic=BLUE, card=second), PlaceIntuition(psychic=BLUE, card=first))
    assert moved(one, MANY) == moved(one, MANY)
    assert moved(one, MANY) != moved(other, MANY)


def test_S4_moves_and_bets_are_taken_back_the_latest_first(interpreting):
    first, second = interpreting.table.character[:2]
    base = after(interpreting, PlaceIntuition(psychic=WHITE, card=first), PlaceIntuition(psychic=RED, card=first))
    states = [base]
    for command in (
        PlaceIntuition(psychic=BLUE, card=first),
        Bet(by=BLUE, on=WHITE, agrees=True),
        PlaceIntuition(psychic=BLUE, card=second),
        Bet(by=BLUE, on=RED, agrees=True),
        WithdrawBet(by=BLUE, on=RED),
        Bet(by=BLUE, on=WHITE, agrees=False),
        PlaceIntuition(psychic=BLUE, card=first),
    ):
        states.append(after(states[-1], command))
    state = states.pop()
    while states:
        state = after(state, TakeBack(psychic=BLUE))
        assert state == states.pop()
