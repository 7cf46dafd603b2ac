"""How a night is dealt so that it shows cards not seen lately; chance stays a function of the seed (S6)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from seance.rules import Begin, Category, decide
from seance.rules.events import NightBegun

NIGHTS_REMEMBERED = 5
SEEDS_TRIED = 256
"""A good table is among so many; on a small computer they take a tenth of a second."""


def freshest(begin: Begin, seeds: Iterable[int], seen: Mapping[int, int]) -> Begin:
    """Return *begin* with the one of *seeds* whose table has the fewest cards *seen* lately; the first of equals.

    Only the table is looked at: what the ghost is dealt from it stays as much a matter of chance as ever.
    """
    nights = (replace(begin, seed=seed) for seed in islice(seeds, SEEDS_TRIED))
    return min(nights, key=lambda night: sum(seen.get(card, 0) for card in _table(night)))


def weighed(edition: str, tables: Iterable[tuple[str, Mapping[str, Iterable[int]]]]) -> Counter[int]:
    """Return how much each card of *edition* counts as seen: most if it lay there in the first of *tables*."""
    seen: Counter[int] = Counter()
    same = (cards for name, cards in tables if name == edition)
    for weight, cards in zip(range(NIGHTS_REMEMBERED, 0, -1), same, strict=False):
        seen.update(dict.fromkeys((card for row in cards.values() for card in row), weight))
    return seen


def _table(begin: Begin) -> Iterator[int]:
    event = next(decide(None, begin))
    assert isinstance(event, NightBegun)  # noqa: S101 - it is always the first
    return (card for kind in Category for card in event.table.of(kind))
