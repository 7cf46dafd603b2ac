"""Whole nights that are only spoken; `script/bench night --only spoken` plays every edition at every table."""

import pytest

from tests.daemon.spoken import planned, spoken_night, throats

SOME = [
    ("en", "libellud", 3, True),
    ("fr", "libellud", 3, True),
    ("en", "manual", 2, False),
    ("fr", "igames", 2, False),
]
REPEATED = {"en": 0.15, "fr": 0.6}
"""How many of the things that are said may have to be said again."""


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("language", "edition", "players", "won"), SOME)
def test_a_night_by_voice_ends_as_the_same_night_in_writing(language, edition, players, won, tmp_path):
    plan = planned(language, edition, players, won=won, folder=tmp_path)
    played = spoken_night(plan, tmp_path / "nights.sqlite", throats(language))
    assert played.mistaken == []
    assert played.typed == []
    assert played.ends == plan.ends
    assert played.repeats <= played.said * REPEATED[language], f"{played.repeats} of {played.said} were repeated"
