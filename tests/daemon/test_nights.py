"""Whole nights through an evening: bots decide, guests type what they would say, the ghost taps."""

from random import Random

import pytest

from seance.narration.cues import Knock
from seance.narration.staging import Pace
from seance.rules import EDITIONS, Deal
from seance.rules import commands as c
from seance.rules.bots import Company
from tests.daemon.evenings import Sayer, check_whole, night, of, play, table
from tests.languages import EACH_LANGUAGE
from tests.nights import EACH_TABLE
from tests.tables import usual_players

EACH = pytest.mark.parametrize("edition", EDITIONS)


@EACH_LANGUAGE
@EACH_TABLE
def test_a_whole_night_is_played_in_typed_words_won_and_lost(language, edition, players, tmp_path):
    outcomes = set()
    for seed, accuracy in ((1, 0.0), *((seed, 0.95) for seed in range(2, 12))):
        folder = tmp_path / str(seed)
        evening = table(folder, language=language, seed=seed)
        state = play(evening, night(edition, players, seed), Company(Random(seed), accuracy=accuracy), Random(seed))
        check_whole(evening)
        evening.journal.close()
        outcomes.add(state.outcome.won)
        if outcomes == {True, False}:
            return
    pytest.fail(f"all nights ended alike: {outcomes}")


@EACH_LANGUAGE
@EACH
def test_a_night_dealt_by_hand_is_played_in_typed_words(language, edition, tmp_path):
    evening = table(tmp_path, language=language)
    begin = night(edition, usual_players(EDITIONS[edition]), 5, deal=Deal.HAND)
    play(evening, begin, Company(Random(5), accuracy=0.8), Random(5))
    check_whole(evening)
    assert any(isinstance(command, c.Manifest) and command.correct for command, _ in evening.journal.entries)


@EACH_LANGUAGE
def test_a_full_investigation_is_played_in_typed_words(language, tmp_path):
    evening = table(tmp_path, language=language)
    play(evening, night("manual", 4, 6, variant="full_investigation"), Company(Random(6), accuracy=0.9), Random(6))
    check_whole(evening)
    assert any(isinstance(command, c.Accuse) and command.character for command, _ in evening.journal.entries)


@EACH_LANGUAGE
@pytest.mark.parametrize("seed", range(1, 9))
def test_any_legal_command_is_done_as_it_was_said_or_tapped(language, seed, tmp_path):
    """`script/bench night` plays hundreds of these."""
    chance = Random(seed)
    evening = table(tmp_path, language=language, seed=seed)
    edition = list(EDITIONS)[seed % len(EDITIONS)]
    numbers = EDITIONS[edition].players
    play(evening, night(edition, numbers[seed % len(numbers)], seed), Sayer(chance, evening), chance)
    check_whole(evening)


@pytest.mark.parametrize("pace", [Pace.BRISK, Pace.SILENT])
def test_a_night_told_in_few_words_or_none_has_the_same_knocks(pace, tmp_path):
    def knocks(pace: Pace) -> list[Knock]:
        evening = table(tmp_path / pace, pace=pace)
        play(evening, night("libellud", 5, 3), Company(Random(3)), Random(3))
        return of(evening.cues, Knock)

    assert knocks(pace) == knocks(Pace.FULL)
