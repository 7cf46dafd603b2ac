"""Tests side by side, by pytest-xdist with `--dist loadfile`: who runs what, and who makes way for whom.

A worker runs all tests of a file, so that models and nights that they share are loaded once. The files of real-time
tests make two rows; a worker at normal priority runs each row. Every worker lowers its priority before it runs others.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from xdist.scheduler import LoadFileScheduling

ROWS = (
    ("tests/daemon/test_run_program.py",),  # evenings by voice on the sound rig, as long as all others together
    (
        "tests/audio/test_calibration.py",  # the sound rig: what is late is a gap in the sound
        "tests/audio/test_devices.py",  # the sound rig
        "tests/audio/test_echo_rig.py",  # the sound rig
        "tests/audio/test_microphone.py",  # the sound rig
        "tests/audio/test_playback.py",  # the sound rig
        "tests/audio/test_scheduler.py",  # rings when it is due
        "tests/daemon/test_array_hearing.py",  # the sound rig
        "tests/doctor/test_doctor_program.py",  # the sound rig
        "tests/hardware/test_exits.py",  # pulses of a coil, in milliseconds
        "tests/hardware/test_lgpio.py",  # pulses of a coil, in milliseconds
        "tests/test_hear_microphone.py",  # the sound rig
        "tests/test_say_program.py",  # the sound rig
    ),
)
REALTIME = tuple(file for row in ROWS for file in row)
"""Files of tests that are measured against the clock, or hear real sound."""
LONG = ("tests/web/", "tests/daemon/", "tests/demo/", "tests/hearing/")
"""Folders with tests of ten seconds and more: they come first, so that no worker is left with one at the end."""
NICENESS = 10


@pytest.hookimpl(optionalhook=True)  # unknown where xdist is not installed
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """Deal files to the workers, in our order, and a row of real-time files as if it were one file."""
    from xdist.scheduler import LoadFileScheduling

    class RealtimeRows(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            rows = (row[0] for row in ROWS if nodeid.startswith(row))
            return next(rows, super()._split_scope(nodeid))

    if config.getoption("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False
    return RealtimeRows(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let real-time tests be the first that are dealt, and long ones come before short ones."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: (not item.nodeid.startswith(REALTIME), not item.nodeid.startswith(LONG)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Make way for the workers with real-time tests."""
    if hasattr(item.config, "workerinput") and not item.nodeid.startswith(REALTIME):
        os.nice(max(0, NICENESS - os.nice(0)))
