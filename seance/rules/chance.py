"""Shuffling as a pure function of a seed."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Card = TypeVar("Card")


def shuffled(seed: int, purpose: str, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return *cards* in an order that depends on *seed* and *purpose* alone.

    >>> shuffled(1894, "character", range(5))
    (0, 1, 2, 3, 4)
    """
    # Only Random.random() is promised to give the same numbers in every version of Python; shuffle() is not.
    chance = Random(f"{seed}/{purpose}").random
    deck = list(cards)
    for last in range(len(deck) - 1, 0, -1):
        other = int(chance() * (last + 1))
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)
