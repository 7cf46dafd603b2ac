"""Chooses a seed whose table shows cards that were not seen lately; chance stays a function of the seed (S6)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from seance.rules import Begin, Category, decide
from seance.rules.events import NightBegun

NIGHTS_REMEMBERED = 5
SEEDS_TRIED = 256
"""Enough to find a good table; trying them takes a Pi a tenth of a second."""


def choose_fresh_deal(begin: Begin, seeds: Iterable[int], seen: Mapping[int, int]) -> Begin:
    """Return *begin* with the one of *seeds* whose table has the lowest total weight in *seen*; the first of equals.

    Only the table counts, so what the ghost is dealt from it stays random.
    """
    nights = (replace(begin, seed=seed) for seed in islice(seeds, SEEDS_TRIED))
    return min(nights, key=lambda night: sum(seen.get(card, 0) for card in _table_cards(night)))


def recency_weights(edition: str, tables: Iterable[tuple[str, Mapping[str, Iterable[int]]]]) -> Counter[int]:
    """Return a weight for each card of *edition* in *tables*, the highest for cards of the first, latest table."""
    seen: Counter[int] = Counter()
    same = (cards for name, cards in tables if name == edition)
    for weight, cards in zip(range(NIGHTS_REMEMBERED, 0, -1), same, strict=False):
        seen.update(dict.fromkeys((card for row in cards.values() for card in row), weight))
    return seen


def _table_cards(begin: Begin) -> Iterator[int]:
    event = next(decide(None, begin))
    assert isinstance(event, NightBegun)  # noqa: S101 - it is always the first event
    return (card for kind in Category for card in event.table.of(kind))
