"""Tables of every edition: how many players, which level, which night."""

from random import Random
from typing import Any

from seance.rules import EDITIONS, Begin, Edition


def tables_of(edition: Edition) -> tuple[int, ...]:
    """Return some numbers of players: the least of *edition*, the next, one in the middle, and the most."""
    numbers = edition.players
    return tuple(sorted({numbers[0], numbers[:2][-1], numbers[len(numbers) // 2], numbers[-1]}))


def usual_players(edition: Edition) -> int:
    """Return five players, or as near to that as *edition* has."""
    return min(max(5, edition.least_players), edition.most_players)


def usual_level(edition: Edition) -> str:
    """Return the level easy, or the first that *edition* has."""
    return "easy" if "easy" in edition.levels else next(iter(edition.levels))


def usual_night(edition: Edition, seed: int) -> Begin:
    """Return a night of *edition* with the usual players and level."""
    return Begin(edition=edition, players=usual_players(edition), level=usual_level(edition), seed=seed)


def any_night(chance: Random, seed: int | None = None, **choices: Any) -> Begin:
    """Return a night of any edition, level and number of players."""
    edition = chance.choice(list(EDITIONS.values()))
    level, players = chance.choice(list(edition.levels)), chance.choice(edition.players)
    return Begin(edition=edition, players=players, level=level, seed=seed, **choices)
