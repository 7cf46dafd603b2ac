"""Sand that cuts nobody off, runs on request only, or is not there."""

import pytest

from seance.daemon.timed_night import SETTLED_AFTER_S
from seance.dialogue.conversation import Defaults
from seance.dialogue.sand_mode import SandMode
from seance.narration.cues import ShowSand
from seance.rules import GiveVision, Phase, TurnSand
from tests.daemon.conftest import SEATED, choice, choose_rightly
from tests.daemon.evenings import Table, again, begun, keys, of, table
from tests.nights import BLUE, RED, WHITE

SAND_S = 120


def choosing(folder, mode: SandMode) -> Table:
    """Return a table at which all have their visions."""
    held = begun(table(folder, defaults=Defaults(sand=mode)), *SEATED)
    held.ask(*(GiveVision(psychic=psychic, count=1) for psychic in SEATED))
    if held.state.phase is Phase.VISIONS:
        held.ask(TurnSand())
    return held


def choose(held: Table, *psychics) -> None:
    for psychic in psychics:
        held.say(f"{psychic.value} chooses card {choice(held, psychic).card}")


def test_soft_sand_cuts_nobody_off(tmp_path):
    held = choosing(tmp_path, SandMode.SOFT)
    choose(held, RED, BLUE)
    cues = held.wait(SAND_S + 60)
    assert keys(cues).count("sand_left.out") == 1
    assert held.state.phase is Phase.INTERPRETATION


def test_soft_sand_ends_the_hour_if_all_have_chosen(tmp_path):
    held = choosing(tmp_path, SandMode.SOFT)
    choose_rightly(held)
    held.wait(SAND_S - 10)
    assert held.state.phase is Phase.INTERPRETATION
    held.wait(10)
    assert held.state.hour == 2


def test_after_soft_sand_the_last_choice_ends_the_hour_once_nobody_bets(tmp_path):
    held = choosing(tmp_path, SandMode.SOFT)
    choose(held, RED, BLUE)
    held.wait(SAND_S + 60)
    choose(held, WHITE)
    held.wait(SETTLED_AFTER_S - 2)
    assert held.state.phase is Phase.INTERPRETATION
    held.wait(3)
    assert held.state.hour == 2


def test_soft_sand_that_ran_out_stays_out_after_a_pause(tmp_path):
    held = choosing(tmp_path, SandMode.SOFT)
    held.wait(SAND_S + 10)
    held.say("pause")
    held.say("continue")
    assert "sand_left.out" not in keys(held.wait(10))


@pytest.mark.parametrize("mode", [SandMode.OFF, SandMode.ON_REQUEST])
def test_without_sand_choosing_begins_with_the_last_vision(tmp_path, mode):
    held = begun(table(tmp_path, defaults=Defaults(sand=mode)), *SEATED)
    cues = held.ask(*(GiveVision(psychic=psychic, count=1) for psychic in SEATED))
    assert held.state.phase is Phase.INTERPRETATION
    assert "event.interpretation_begun" in keys(cues)
    assert "event.sand_turned" not in keys(cues)
    assert of(cues, ShowSand) == []


@pytest.mark.parametrize("mode", [SandMode.OFF, SandMode.ON_REQUEST])
def test_without_sand_nobody_is_cut_off(tmp_path, mode):
    held = choosing(tmp_path, mode)
    choose(held, RED, BLUE)
    held.wait(1000)
    assert held.state.phase is Phase.INTERPRETATION


def test_without_sand_the_hour_ends_after_the_last_choice_once_nobody_bets(tmp_path):
    held = choosing(tmp_path, SandMode.OFF)
    choose_rightly(held)
    held.wait(SETTLED_AFTER_S - 2)
    assert held.state.phase is Phase.INTERPRETATION
    held.wait(3)
    assert held.state.hour == 2


def test_a_pause_keeps_the_hour_open(tmp_path):
    held = choosing(tmp_path, SandMode.OFF)
    choose_rightly(held)
    held.say("pause")
    held.wait(600)
    assert held.state.phase is Phase.INTERPRETATION


def test_sand_that_was_asked_for_ends_the_hour(tmp_path):
    held = choosing(tmp_path, SandMode.ON_REQUEST)
    choose(held, RED)
    assert held.would_hear("turn the sand")
    assert "event.sand_turned" in keys(held.say("turn the sand"))
    assert held.evening.sand.left_at(held.now) == pytest.approx(SAND_S, abs=1)
    held.wait(SAND_S + 1)
    assert held.state.hour == 2


def test_sand_that_was_asked_for_goes_on_after_a_power_cut(tmp_path):
    held = choosing(tmp_path, SandMode.ON_REQUEST)
    held.say("turn the sand")
    held.wait(60)
    after = again(held, defaults=Defaults(sand=SandMode.ON_REQUEST))
    assert after.evening.sand.left_at(after.now) == pytest.approx(SAND_S - 60, abs=6)


def test_strict_sand_is_not_turned_twice(tmp_path):
    held = choosing(tmp_path, SandMode.STRICT)
    assert not held.would_hear("turn the sand")
