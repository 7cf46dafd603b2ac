"""Random commands, sensible or not."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, Protocol, TypeVar

from seance.rules import (
    COMMANDS,
    Begin,
    Bet,
    Command,
    GiveVision,
    PlaceIntuition,
    Psychic,
    State,
    WithdrawBet,
)
from tests.rules.moments import SETUPS

Choice = TypeVar("Choice")


class Pick(Protocol):
    """Chooses one of several: `Random.choice`, or hypothesis."""

    def __call__(self, choices: Sequence[Choice], /) -> Choice: ...


def any_command(pick: Pick, state: State, kinds: Sequence[type[Command]] = COMMANDS) -> Command:
    """Return a command of one of *kinds*."""
    kind = pick(kinds)
    if kind is Begin:
        return replace(SETUPS[pick(list(SETUPS))], seed=pick((None, 0, 1894)))
    return kind(**{field.name: _ANY[field.name](pick, state) for field in fields(kind)})


def _psychic(pick: Pick, state: State) -> Psychic:
    return pick(state.setup.psychics + tuple(Psychic))


def _card(pick: Pick, state: State) -> int:
    table = state.table
    grouped = tuple(card for group in state.ending.groups for card in group.cards)
    rows = (table.character, table.location, table.object, grouped, tuple(range(-1, 62)))
    return pick(pick([row for row in rows if row]))


def _card_or_none(pick: Pick, state: State) -> int | None:
    return _card(pick, state) if pick((True, True, True, False)) else None


def _vision_cards(pick: Pick, state: State) -> tuple[int, ...] | None:
    hand = state.deck.hand
    cards = pick((None, (), hand, hand, tuple(range(-1, 87))))
    return None if cards is None else some(pick, cards, pick((1, 2, 3, 3, len(hand), 9)))


def _order(pick: Pick, state: State) -> tuple[Psychic, ...]:
    psychics = pick((state.setup.psychics, tuple(Psychic), (*state.setup.psychics[:1], *state.setup.psychics)))
    return some(pick, psychics, len(psychics))


def some(pick: Pick, choices: Sequence[Choice], most: int) -> tuple[Choice, ...]:
    """Return up to *most* of *choices*, each once, in any order."""
    left, taken = list(choices), list[Choice]()
    while left and len(taken) < most:
        taken.append(pick(left))
        left.remove(taken[-1])
    return tuple(taken)


def _one_of(*choices: object) -> Callable[[Pick, State], object]:
    return lambda pick, _: pick(choices)


STEPS = (GiveVision, PlaceIntuition, Bet, WithdrawBet)
"""What can be taken back (S4)."""


def owner(step: Command) -> Psychic:
    """Return who can take *step* back."""
    assert isinstance(step, GiveVision | PlaceIntuition | Bet | WithdrawBet)
    return step.by if isinstance(step, Bet | WithdrawBet) else step.psychic


_ANY: dict[str, Callable[[Pick, State], Any]] = {
    "psychic": _psychic,
    "by": _psychic,
    "on": _psychic,
    "card": _card,
    "character": _card_or_none,
    "location": _card_or_none,
    "object": _card_or_none,
    "cards": _vision_cards,
    "count": _one_of(None, -1, 0, 1, 2, 3, 6, 7, 8, 84),
    "group": _one_of(*range(-1, 9)),
    "agrees": _one_of(True, False),
    "early": _one_of(True, False),
    "correct": _one_of(None, True, False),
    "order": _order,
}
