"""However a program ends in the middle of a knock, the coil is off; after kill -9 it is so by `safe`."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.hardware.knocking import COIL
from tests.hardware.lasting_pins import level

ROOT = Path(__file__).parents[2]
MOMENTS = [Random(seed).uniform(0, 60) for seed in range(3)]
"""Milliseconds after a knock of 60 ms began."""


class Program:
    """The knocking program on pins that outlive it."""

    def __init__(self, levels: Path, kind: str, preload: str) -> None:
        self.levels, self.kind = levels, kind
        self.environment = os.environ | {
            "LD_PRELOAD": preload,
            "GPIOCHIP_LEVELS": str(levels),
            "LG_WD": str(levels.parent),
        }

    def ends_by(self, end: str) -> int:
        """Run it until it has ended, and return its status; a negative one is a signal."""
        command = [sys.executable, "-m", "tests.hardware.knocking", str(self.levels), self.kind, end]
        return subprocess.run(
            command, cwd=ROOT, env=self.environment, timeout=60, stderr=subprocess.DEVNULL, check=False
        ).returncode

    @property
    def coil(self) -> int:
        return level(self.levels, COIL)


@pytest.fixture(params=["lasting", "lgpio"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Program:
    preload = str(request.getfixturevalue("made_up_chip")) if request.param == "lgpio" else ""
    return Program(tmp_path / "levels", request.param, preload)


@pytest.fixture
def lasting(tmp_path: Path) -> Program:
    return Program(tmp_path / "levels", "lasting", "")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("end", "status"), [("TERM", -15), ("INT", -2), ("HUP", -1), ("raise", 1), ("exit", 3)])
def test_the_coil_is_off_after_any_end_that_can_be_heard_of(
    program: Program, end: str, status: int, moment: float
) -> None:
    assert program.ends_by(f"{end}:{moment}") == status
    assert program.coil == 0


def test_the_coil_is_off_when_the_main_thread_just_ends(program: Program) -> None:
    assert program.ends_by("leave:0") == 0
    assert program.coil == 0


def test_a_program_killed_in_a_knock_leaves_the_coil_on(lasting: Program) -> None:
    """Without this, none of the tests here would show anything: these pins do keep their level."""
    assert lasting.ends_by("KILL:0") == -9
    assert lasting.coil == 1


def test_safe_turns_off_what_a_killed_program_left_on(lasting: Program) -> None:
    lasting.ends_by("KILL:0")
    assert lasting.ends_by("safe") == 0
    assert lasting.coil == 0


@pytest.mark.parametrize("moment", MOMENTS)
def test_safe_turns_the_coil_off_whenever_the_program_was_killed(program: Program, moment: float) -> None:
    assert program.ends_by(f"KILL:{moment}") == -9
    assert program.ends_by("safe") == 0
    assert program.coil == 0


def test_lgpio_leaves_the_coil_on_when_it_is_killed_in_a_knock(tmp_path: Path, made_up_chip: Path) -> None:
    program = Program(tmp_path / "levels", "lgpio", str(made_up_chip))
    left_on = False
    for _ in range(20):  # the kill comes a few milliseconds into 60, unless the machine is very busy
        program.ends_by("KILL:0.1")
        left_on = left_on or program.coil == 1
        program.ends_by("safe")
        if left_on:
            break
    assert left_on
