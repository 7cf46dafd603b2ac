"""Killed, or without power, at any system call: nothing that was acknowledged is lost, and no night is there twice."""

import gc
import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from seance.journal import Journal, JournalReader, NewsKind
from tests.journal.kill_points import killed_at
from tests.journal.recording import append_steps, begin_night, bot_night
from tests.journal.sqlite_writer import write_database

POWER_CUT = pytest.mark.parametrize("power_cut", [False, True], ids=["kill", "power cut"])
NIGHTS = [bot_night(1)[:9], bot_night(2)[:7], bot_night(3)[:12]]
STATES = [steps[-1][1] for steps in NIGHTS]


def kill_everywhere(
    tmp_path: Path, prepare: Callable[[Path], object], work: Callable[[Path], object], *, power_cut: bool
) -> list[Path]:
    """Return a folder for each system call of *work*, prepared by *prepare* and left by a kill at that call."""
    prepared, left = tmp_path / "prepared", list[Path]()
    prepared.mkdir()
    prepare(prepared)
    for limit in range(1, 10_000):
        folder = tmp_path / f"killed-{limit}"
        shutil.copytree(prepared, folder)
        with killed_at(limit, folder, power_cut=power_cut) as disk:
            work(folder)
        # Of what was running nothing is left, also no lock.
        gc.collect()
        release_locks(folder)
        left.append(folder)
        if disk.calls < limit:
            return left
    raise AssertionError("it never ends")


def release_locks(folder: Path) -> None:
    """Close what a killed program had open below *folder*, as the kernel does."""
    for link in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            if link.readlink().is_relative_to(folder):
                os.close(int(link.name))


def write_nights(folder: Path) -> None:
    with Journal.open(folder / "nights") as journal:
        for steps in NIGHTS:
            append_steps(journal, begin_night(journal, steps), steps)


def assert_all_there(folder: Path) -> None:
    with Journal.open(folder / "nights.sqlite") as journal:
        assert journal.news() == ()
        assert journal.unfinished().state == STATES[-1]
    with JournalReader.open(folder / "nights.sqlite") as reader:
        assert reader.numbers() == [1, 2, 3]
        assert [reader.night(number).state for number in reader.numbers()] == STATES
        assert reader.examine()[1] == []
    assert not list((folder / "nights").glob("*.tmp"))


@POWER_CUT
def test_taking_over_can_be_interrupted_anywhere(power_cut, tmp_path):
    def prepare(folder):
        write_database(folder / "nights.sqlite", NIGHTS, notes={"evening": {"told_to": 3}})

    def work(folder):
        Journal.open(folder / "nights.sqlite").close()

    folders = kill_everywhere(tmp_path, prepare, work, power_cut=power_cut)
    assert len(folders) > 15
    for folder in folders:
        with JournalReader.open(folder / "nights.sqlite") as reader:  # before anybody goes on with it
            assert [reader.night(number).state for number in reader.numbers()] == STATES
        assert_all_there(folder)
        assert len(list(folder.glob("nights.taken-over*.sqlite"))) == 1
        assert not (folder / "nights.sqlite").exists()
        assert [night_notes(folder, number) for number in (1, 2, 3)] == [{"evening": {"told_to": 3}}] * 3


def night_notes(folder: Path, number: int):
    with JournalReader.open(folder / "nights") as reader:
        return reader.night(number).notes


@POWER_CUT
def test_compacting_can_be_interrupted_anywhere(power_cut, tmp_path, monkeypatch):
    monkeypatch.setattr("seance.journal.night_writer.SUPERSEDED_BYTES_AT_REST", 100)
    large = ["event.vision_given"] * 20

    def prepare(folder):
        write_nights(folder)
        with monkeypatch.context() as never:
            never.setattr("seance.journal.night_writer.SUPERSEDED_BYTES_AT_REST", 1 << 30)
            with Journal.open(folder / "nights") as journal:
                night = journal.last().uid
                for told_to in range(10):
                    journal.note(night, "evening", {"told_to": told_to, "told": large})

    def work(folder):
        with Journal.open(folder / "nights") as journal:
            journal.last()

    folders = kill_everywhere(tmp_path, prepare, work, power_cut=power_cut)
    assert len(folders) >= 5
    for folder in folders:
        assert_all_there(folder)
        assert night_notes(folder, 3) == {"evening": {"told_to": 9, "told": large}}
    sizes = [(folder / "nights" / "0003.night").stat().st_size for folder in folders]
    assert sizes[-1] + 9 * len(json.dumps(large)) < (tmp_path / "prepared/nights/0003.night").stat().st_size


@POWER_CUT
def test_playing_can_be_interrupted_anywhere(power_cut, tmp_path):
    steps, acknowledged = bot_night(4)[:4], dict[Path, int]()

    def work(folder):
        with Journal.open(folder / "nights") as journal:
            night = begin_night(journal, steps)
            for step, (command, _, events) in enumerate(steps, start=1):
                journal.append(night, command, events, seat=command.seats[0], notes={"step": step})
                acknowledged[folder] = step

    for folder in kill_everywhere(tmp_path, write_nights, work, power_cut=power_cut):
        known = acknowledged.get(folder, 0)
        with Journal.open(folder / "nights") as journal:
            assert journal.news() == ()
            night = journal.last()
        if night.number == 3:
            assert known == 0
            continue
        assert known <= len(night.entries) <= known + 1
        assert night.state == steps[len(night.entries) - 1][1]
        assert night.notes == {"step": len(night.entries)}


@POWER_CUT
def test_mending_a_damaged_night_can_be_interrupted_anywhere(power_cut, tmp_path):
    def prepare(folder):
        write_nights(folder)
        file = folder / "nights" / "0003.night"
        file.write_bytes(file.read_bytes().replace(b'"step":8', b'"step":9'))

    def work(folder):
        Journal.open(folder / "nights").close()

    for folder in kill_everywhere(tmp_path, prepare, work, power_cut=power_cut):
        with Journal.open(folder / "nights") as journal:
            assert journal.unfinished().state == NIGHTS[2][6][1]
            assert {news.kind for news in journal.news()} <= {NewsKind.SET_ASIDE}
        damaged = (tmp_path / "prepared/nights/0003.night").read_bytes()
        aside = [path.read_bytes() for path in (folder / "nights").glob("0003.damaged-*.night")]
        assert set(aside) == {damaged}
