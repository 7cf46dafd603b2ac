"""However a program ends in the middle of a knock, the coil is off; after kill -9 `safe` turns it off."""

import os
import signal
import subprocess
import sys
import time
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
        process = self._start(end, machine)
        try:
            return process.wait(60)
        finally:
            process.kill()

    def stops_by(self, end: str, machine: str = "machine") -> tuple[int, int, int]:
        """Run it until it stops; return the coil's level then and a second later, and the status after SIGCONT."""
        process = self._start(end, machine)
        try:
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status), status
            levels = []
            for _ in range(2):
                levels.append(self.coil(machine))
                time.sleep(1)
            process.send_signal(signal.SIGCONT)
            return levels[0], levels[1], process.wait(30)
        finally:
            process.kill()
            process.wait()

    def _start(self, end: str, machine: str) -> subprocess.Popen[bytes]:
        levels, work_dir = self.folder / machine, self.folder / f"{machine}, lgpio"
        work_dir.mkdir(exist_ok=True)
        environment = os.environ | {
            "LD_PRELOAD": self.preload,
            "GPIOCHIP_LEVELS": str(levels),
            "LG_WD": str(work_dir),
        }
        command = [sys.executable, "-m", "tests.hardware.knocking_program", str(levels), self.kind, end]
        # In a group of its own, as a shell starts a job.
        return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL, process_group=0)

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


def stops_at_many_moments(program: Program, end: str) -> set[tuple[int, int, int]]:
    def one(moment: float) -> tuple[int, int, int]:
        return program.stops_by(f"{end}:{moment}", f"machine {moment}")

    with ThreadPoolExecutor(3) as hands:
        return set(hands.map(one, MOMENTS))


def test_the_coil_is_let_go_before_control_z_stops_the_program_and_no_knock_is_lost(program: Program) -> None:
    assert stops_at_many_moments(program, "TSTP") == {(0, 0, 4)}


@pytest.mark.parametrize("end", ["TTIN", "TTOU"])
def test_the_coil_is_let_go_before_a_terminal_stops_a_program_in_the_background(persistent: Program, end: str) -> None:
    assert persistent.stops_by(f"{end}:10") == (0, 0, 4)


def test_a_program_stopped_by_what_cannot_be_caught_leaves_the_coil_on(persistent: Program) -> None:
    assert persistent.stops_by("STOP:0")[:2] == (1, 1)


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
