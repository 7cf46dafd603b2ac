"""Whole nights by voice; `script/bench night --only spoken` plays every edition at every table."""

import pytest

from tests.daemon.spoken import espeak_guests, find_plan, play_spoken_night
from tests.languages import SPOKEN, sample

NIGHTS = [
    (language, night["edition"], night["players"], night["won"])
    for language in SPOKEN
    for night in sample(language)["nights"]
]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("language", "edition", "players", "won"), NIGHTS)
def test_a_night_by_voice_ends_as_the_same_night_in_writing(language, edition, players, won, tmp_path):
    plan = find_plan(language, edition, players, won=won, folder=tmp_path)
    played = play_spoken_night(plan, tmp_path / "nights.sqlite", espeak_guests(language))
    assert played.mistaken == []
    assert played.typed == []
    assert played.ends == plan.ends
    assert played.repeats <= played.said * sample(language)["max_repeat_rate"], (
        f"{played.repeats} of {played.said} were repeated"
    )
