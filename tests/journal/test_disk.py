"""A disk that is full, read-only or gone stops no game: what could not be written is written when the disk is back."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from seance.journal import Journal, Kind, NightsFile
from tests.journal.disks import every_write_fails, filled, forbidden, mounted_read_only
from tests.journal.recording import a_night, begun, write, written

Trouble = Callable[[Path], AbstractContextManager[None]]
"""Lets the disk of a folder fail, for a while."""


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A disk of its own that is soon full."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "seance", folder], capture_output=True, text=True)
    if mount.returncode != 0:
        pytest.skip(f"nothing can be mounted here, so no real disk can be full: {mount.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def assert_whole(path, steps):
    with NightsFile.to_read(path) as file:
        assert [(entry.command, entry.events) for entry in file.night(1).entries] == [
            (command, events) for command, _, events in steps
        ]


def play_through(folder: Path, trouble: Trouble, *, why: str) -> None:
    """Play a night in whose middle the disk fails, and see that the host is told twice and nothing is missing."""
    steps = a_night()
    with Journal.open(folder / "nights.sqlite") as journal:
        night = begun(journal, steps)
        write(journal, night, steps[:30])
        with trouble(folder):
            write(journal, night, steps[30:60])
            journal.note(night, "sand", 12)
            (told,) = journal.news()
            assert (told.kind, why in told.says) == (Kind.IN_MEMORY, True), told
            assert journal.unwritten > 0
        write(journal, night, steps[60:61])
        assert [news.kind for news in journal.news()] == [Kind.WRITTEN_AGAIN]
        assert journal.unwritten == 0
        write(journal, night, steps[61:])
        assert journal.news() == ()
    assert_whole(folder / "nights.sqlite", steps)


def test_a_night_goes_on_when_every_write_fails(tmp_path):
    play_through(tmp_path, every_write_fails, why="the disk does not answer")


def test_a_night_goes_on_when_the_disk_is_full(small_disk):
    play_through(small_disk, filled, why="the disk is full")


def test_a_night_goes_on_when_the_file_is_opened_again_on_a_full_disk(small_disk):
    steps = a_night()
    night = written(small_disk / "nights.sqlite", steps[:40])
    with filled(small_disk):
        journal = Journal.open(small_disk / "nights.sqlite")
        restored = journal.unfinished()
        assert (restored.uid, restored.state) == (night, steps[39][1])
        write(journal, night, steps[40:])
    journal.close()
    assert_whole(small_disk / "nights.sqlite", steps)


def test_what_waits_is_written_without_another_entry_when_there_is_room_again(small_disk):
    steps = a_night()
    with Journal.open(small_disk / "nights.sqlite") as journal:
        night = begun(journal, steps)
        with filled(small_disk):
            write(journal, night, steps)
            assert not journal.flush()
        assert journal.flush()
        assert_whole(small_disk / "nights.sqlite", steps)


def test_a_night_is_restored_and_goes_on_when_the_disk_is_read_only(small_disk):
    steps = a_night()
    night = written(small_disk / "nights.sqlite", steps[:40])
    with mounted_read_only(small_disk):
        journal = Journal.open(small_disk / "nights.sqlite")
        (told,) = journal.news()
        assert (told.kind, "the disk is read-only" in told.says) == (Kind.IN_MEMORY, True)
        assert journal.unfinished().state == steps[39][1]
        write(journal, night, steps[40:60])
    write(journal, night, steps[60:])
    assert [news.kind for news in journal.news()] == [Kind.WRITTEN_AGAIN]
    journal.close()
    assert_whole(small_disk / "nights.sqlite", steps)


def test_a_journal_on_a_read_only_disk_can_be_read(small_disk):
    steps = a_night()
    journal = Journal.open(small_disk / "nights.sqlite")
    write(journal, begun(journal, steps), steps)
    copy = small_disk / "copy.sqlite"
    for companion in ("", "-wal"):  # as a power cut leaves them
        shutil.copyfile(f"{journal.path}{companion}", f"{copy}{companion}")
    journal.close()
    with mounted_read_only(small_disk):
        assert_whole(copy, steps)


def test_a_night_goes_on_where_nothing_may_be_written(tmp_path):
    tmp_path.chmod(0o755)
    folder = tmp_path / "house"
    folder.mkdir()
    steps = a_night()
    with forbidden(folder):
        journal = Journal.open(folder / "nights.sqlite")
        (told,) = journal.news()
        assert (told.kind, "the disk is read-only" in told.says) == (Kind.IN_MEMORY, True)
        assert journal.unfinished() is None
        night = begun(journal, steps)
        write(journal, night, steps[:50])
        assert journal.news() == ()
    write(journal, night, steps[50:])
    journal.close()
    assert_whole(folder / "nights.sqlite", steps)


def test_two_nights_on_a_full_disk_are_both_written_when_it_is_back(small_disk):
    nights = [a_night(1), a_night(2)]
    with Journal.open(small_disk / "nights.sqlite") as journal:
        with filled(small_disk):
            for steps in nights:
                write(journal, begun(journal, steps), steps)
        assert journal.flush()
    with NightsFile.to_read(small_disk / "nights.sqlite") as file:
        assert [file.night(number).state for number in file.numbers()] == [steps[-1][1] for steps in nights]


@pytest.mark.parametrize("loss", [lambda path: path.unlink(), lambda path: path.rename(path.with_name("elsewhere"))])
def test_a_file_that_is_taken_away_is_written_anew_with_the_whole_night(loss, tmp_path):
    steps = a_night()
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        night = begun(journal, steps)
        write(journal, night, steps[:50])
        loss(journal.path)
        write(journal, night, steps[50:])
    assert_whole(tmp_path / "nights.sqlite", steps)


def test_a_night_waits_for_another_program_that_writes(tmp_path, monkeypatch):
    monkeypatch.setattr("seance.journal.disk.BUSY_SECONDS", 0.01)
    steps = a_night()
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        night = begun(journal, steps)
        other = sqlite3.connect(journal.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        write(journal, night, steps[:20])
        assert ["another program is writing" in news.says for news in journal.news()] == [True]
        other.execute("COMMIT")
        other.close()
        write(journal, night, steps[20:])
    assert_whole(tmp_path / "nights.sqlite", steps)
