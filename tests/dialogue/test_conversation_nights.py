"""Whole nights, every word of them spoken by somebody: the bots decide, sentences carry it, the rules judge."""

from random import Random

import pytest

from seance.rules import EDITIONS, Begin, Psychic
from seance.rules.bots import Company
from tests.dialogue.conftest import LANGUAGES
from tests.guests import Guests, play

BOTH = pytest.mark.parametrize("language", LANGUAGES)
EACH = pytest.mark.parametrize("edition", EDITIONS)
PLAYERS = pytest.mark.parametrize("players", [2, 3, 5, 7])


def night(edition: str, players: int, seed: int, **choices) -> Begin:
    levels = list(EDITIONS[edition].levels)
    needed = EDITIONS[edition].psychics(players)
    return Begin(
        edition=EDITIONS[edition],
        players=players,
        level=levels[seed % len(levels)],
        seed=seed,
        psychics=tuple(Psychic)[:needed],
        **choices,
    )


@BOTH
@EACH
@PLAYERS
def test_a_whole_night_is_played_in_spoken_sentences(language, edition, players):
    for seed in range(1, 4):
        begin, chance = night(edition, players, seed), Random(seed)
        guests = Guests(language=language)
        state = play(guests, begin, Company(Random(seed), accuracy=0.7), chance)
        assert guests.commands[0] == begin
        assert state.outcome is not None
        assert guests.refused == []
