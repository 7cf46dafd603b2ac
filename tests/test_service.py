"""The systemd unit, checked by systemd's own tools, and the format of the log."""

import logging
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from seance.daemon.page_publisher import PagePublisher
from seance.programs.logs import JournaldFormatter, is_journald
from seance.programs.run import POWER_OFF_STATUS
from seance.rules import LIBELLUD
from seance.rules.bots import Company
from tests.daemon.evenings import night, play, table

ROOT = Path(__file__).parents[1]
UNIT = ROOT / "systemd/seance.service"
MAX_EXPOSURE = 1.5


def test_systemd_understands_every_line_of_the_unit(tmp_path):
    """The unit's Python is replaced by this one, since it is not installed."""
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text(encoding="utf-8").replace("/opt/seance/bin/python", sys.executable), "utf-8")
    result = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_service_is_hardly_exposed():
    result = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", UNIT],
        capture_output=True,
        text=True,
        check=True,
    )
    (exposure,) = re.findall(r"Overall exposure level.*: ([0-9.]+)", result.stdout)
    assert float(exposure) <= MAX_EXPOSURE


def test_the_unit_knows_by_which_status_the_machine_is_switched_off():
    text = UNIT.read_text(encoding="utf-8")
    assert f'"$EXIT_STATUS" = {POWER_OFF_STATUS} ]' in text
    assert f"SuccessExitStatus={POWER_OFF_STATUS}\n" in text


def test_the_service_waits_for_no_network():
    assert "network" not in re.sub("#.*", "", UNIT.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("level", "priority"),
    [(logging.DEBUG, 7), (logging.INFO, 6), (logging.WARNING, 4), (logging.ERROR, 3), (logging.CRITICAL, 2)],
)
def test_journald_is_told_the_level_of_every_line(level, priority):
    failed = (ValueError, ValueError("they are out"), None)
    record = logging.LogRecord("seance", level, __file__, 1, "no\nlights", None, failed)
    assert JournaldFormatter().format(record).splitlines() == [
        f"<{priority}>MainThread seance: no lights",
        f"<{priority}>ValueError: they are out",
    ]


def test_only_a_stream_that_journald_reads_is_written_for_it(tmp_path):
    with (tmp_path / "log").open("w") as log:
        there = os.fstat(log.fileno())
        assert is_journald(log.fileno(), {"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino}"})
        assert not is_journald(log.fileno(), {"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino + 1}"})
        assert not is_journald(log.fileno(), {})


def test_a_night_leaves_nothing_in_the_log_at_any_level(tmp_path, caplog):
    """What the room knows needs no line there, and what it must not know has none."""
    caplog.set_level(logging.DEBUG)
    held, pages = table(tmp_path), PagePublisher(language="en", pace="full", edition=LIBELLUD)
    play(held, night(), Company(Random(1894)), Random(1894))
    for cue in held.cues:
        pages.publish_cue(cue)
    pages.publish_evening(held.evening)
    assert held.state.outcome is not None
    assert caplog.records == []
