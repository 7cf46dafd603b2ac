"""However a program ends in the middle of a knock, the coil is off; after kill -9 `safe` turns it off."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from tests.hardware.knocking_program import COIL
from tests.hardware.persistent_pins import level

ROOT = Path(__file__).parents[2]
MOMENTS = [Random(seed).uniform(0, 60) for seed in range(6)]
"""Milliseconds after the beginning of a knock of 60 ms."""


class Program:
    """The knocking program on pins that outlive it."""

    def __init__(self, folder: Path, kind: str, preload: str) -> None:
        self.folder, self.kind, self.preload = folder, kind, preload

    def ends_by(self, end: str, machine: str = "machine") -> int:
        """Run it to its end and return its exit status; a negative one is a signal."""
        levels, work_dir = self.folder / machine, self.folder / f"{machine}, lgpio"
        work_dir.mkdir(exist_ok=True)
        environment = os.environ | {
            "LD_PRELOAD": self.preload,
            "GPIOCHIP_LEVELS": str(levels),
            "LG_WD": str(work_dir),
        }
        command = [sys.executable, "-m", "tests.hardware.knocking_program", str(levels), self.kind, end]
        return subprocess.run(
            command, cwd=ROOT, env=environment, timeout=60, stderr=subprocess.DEVNULL, check=False
        ).returncode

    def coil(self, machine: str = "machine") -> int:
        """Return the level at which the coil was left."""
        return level(self.folder / machine, COIL)

    def ends_at_many_moments(self, end: str, *then: str) -> set[tuple[int, int]]:
        """End it at every moment, each on a machine of its own, run *then*, and return all exit statuses and levels."""

        def one(moment: float) -> tuple[int, int]:
            status = self.ends_by(f"{end}:{moment}", f"machine {moment}")
            for after in then:
                assert self.ends_by(after, f"machine {moment}") == 0
            return status, self.coil(f"machine {moment}")

        with ThreadPoolExecutor(3) as hands:
            return set(hands.map(one, MOMENTS))


@pytest.fixture(params=["persistent", "lgpio"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Program:
    preload = str(request.getfixturevalue("fake_chip")) if request.param == "lgpio" else ""
    return Program(tmp_path, request.param, preload)


@pytest.fixture
def persistent(tmp_path: Path) -> Program:
    return Program(tmp_path, "persistent", "")


@pytest.mark.parametrize(("end", "status"), [("TERM", -15), ("INT", -2), ("HUP", -1), ("raise", 1), ("exit", 3)])
def test_the_coil_is_off_after_any_end_that_can_be_heard_of(program: Program, end: str, status: int) -> None:
    assert program.ends_at_many_moments(end) == {(status, 0)}


def test_the_coil_is_off_when_the_main_thread_just_ends(program: Program) -> None:
    assert program.ends_by("leave:0") == 0
    assert program.coil() == 0


def test_a_program_killed_in_a_knock_leaves_the_coil_on(persistent: Program) -> None:
    """Without this the other tests would prove nothing: these pins do keep their level."""
    assert persistent.ends_by("KILL:0") == -9
    assert persistent.coil() == 1


def test_safe_turns_off_what_a_killed_program_left_on(persistent: Program) -> None:
    persistent.ends_by("KILL:0")
    assert persistent.ends_by("safe") == 0
    assert persistent.coil() == 0


def test_safe_turns_the_coil_off_whenever_the_program_was_killed(program: Program) -> None:
    assert program.ends_at_many_moments("KILL", "safe") == {(-9, 0)}


def test_lgpio_leaves_the_coil_on_when_it_is_killed_in_a_knock(tmp_path: Path, fake_chip: Path) -> None:
    program = Program(tmp_path, "lgpio", str(fake_chip))
    # The kill comes a few milliseconds into the 60 of the knock; on a busy machine it may take several tries.
    machines = [f"machine {number}" for number in range(20)]
    assert any(program.ends_by("KILL:0.1", machine) == -9 and program.coil(machine) for machine in machines)
