"""While the disk is full, read-only or gone the game goes on; what is pending is written when the disk is back."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from seance.journal import Journal, NewsKind, NightDatabase
from tests.journal.disks import every_write_fails, full_disk, no_write_permission, read_only_mount
from tests.journal.recording import append_steps, begin_night, bot_night, write_journal

Trouble = Callable[[Path], AbstractContextManager[None]]
"""Makes the disk of a folder fail while it is entered."""


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
    with NightDatabase.open_for_reading(path) as file:
        assert [(entry.command, entry.events) for entry in file.night(1).entries] == [
            (command, events) for command, _, events in steps
        ]


def play_through(folder: Path, trouble: Trouble, *, why: str) -> None:
    """Play a night in whose middle the disk fails, and see that the host is told twice and nothing is missing."""
    steps = bot_night()
    with Journal.open(folder / "nights.sqlite") as journal:
        night = begin_night(journal, steps)
        append_steps(journal, night, steps[:30])
        with trouble(folder):
            append_steps(journal, night, steps[30:60])
            journal.note(night, "sand", 12)
            (news,) = journal.news()
            assert (news.kind, why in news.text) == (NewsKind.IN_MEMORY, True), news
            assert journal.unwritten > 0
        append_steps(journal, night, steps[60:61])
        assert [news.kind for news in journal.news()] == [NewsKind.WRITTEN_AGAIN]
        assert journal.unwritten == 0
        append_steps(journal, night, steps[61:])
        assert journal.news() == ()
    assert_whole(folder / "nights.sqlite", steps)


def test_a_night_goes_on_when_every_write_fails(tmp_path):
    play_through(tmp_path, every_write_fails, why="the disk does not answer")


def test_a_night_goes_on_when_the_disk_is_full(small_disk):
    play_through(small_disk, full_disk, why="the disk is full")


def test_a_night_goes_on_when_the_file_is_opened_again_on_a_full_disk(small_disk):
    steps = bot_night()
    night = write_journal(small_disk / "nights.sqlite", steps[:40])
    with full_disk(small_disk):
        journal = Journal.open(small_disk / "nights.sqlite")
        restored = journal.unfinished()
        assert (restored.uid, restored.state) == (night, steps[39][1])
        append_steps(journal, night, steps[40:])
    journal.close()
    assert_whole(small_disk / "nights.sqlite", steps)


def test_what_waits_is_written_without_another_entry_when_there_is_room_again(small_disk):
    steps = bot_night()
    with Journal.open(small_disk / "nights.sqlite") as journal:
        night = begin_night(journal, steps)
        with full_disk(small_disk):
            append_steps(journal, night, steps)
            assert not journal.flush()
        assert journal.flush()
        assert_whole(small_disk / "nights.sqlite", steps)


def test_a_night_is_restored_and_goes_on_when_the_disk_is_read_only(small_disk):
    steps = bot_night()
    night = write_journal(small_disk / "nights.sqlite", steps[:40])
    with read_only_mount(small_disk):
        journal = Journal.open(small_disk / "nights.sqlite")
        (news,) = journal.news()
        assert (news.kind, "the disk is read-only" in news.text) == (NewsKind.IN_MEMORY, True)
        assert journal.unfinished().state == steps[39][1]
        append_steps(journal, night, steps[40:60])
    append_steps(journal, night, steps[60:])
    assert [news.kind for news in journal.news()] == [NewsKind.WRITTEN_AGAIN]
    journal.close()
    assert_whole(small_disk / "nights.sqlite", steps)


def test_a_journal_on_a_read_only_disk_can_be_read(small_disk):
    steps = bot_night()
    journal = Journal.open(small_disk / "nights.sqlite")
    append_steps(journal, begin_night(journal, steps), steps)
    copy = small_disk / "copy.sqlite"
    for companion in ("", "-wal"):  # as a power cut leaves them
        shutil.copyfile(f"{journal.path}{companion}", f"{copy}{companion}")
    journal.close()
    with read_only_mount(small_disk):
        assert_whole(copy, steps)


def test_a_night_goes_on_where_nothing_may_be_written(tmp_path):
    tmp_path.chmod(0o755)
    folder = tmp_path / "house"
    folder.mkdir()
    steps = bot_night()
    with no_write_permission(folder):
        journal = Journal.open(folder / "nights.sqlite")
        (news,) = journal.news()
        assert (news.kind, "the disk is read-only" in news.text) == (NewsKind.IN_MEMORY, True)
        assert journal.unfinished() is None
        night = begin_night(journal, steps)
        append_steps(journal, night, steps[:50])
        assert journal.news() == ()
    append_steps(journal, night, steps[50:])
    journal.close()
    assert_whole(folder / "nights.sqlite", steps)


def test_two_nights_on_a_full_disk_are_both_written_when_it_is_back(small_disk):
    nights = [bot_night(1), bot_night(2)]
    with Journal.open(small_disk / "nights.sqlite") as journal:
        with full_disk(small_disk):
            for steps in nights:
                append_steps(journal, begin_night(journal, steps), steps)
        assert journal.flush()
    with NightDatabase.open_for_reading(small_disk / "nights.sqlite") as file:
        assert [file.night(number).state for number in file.numbers()] == [steps[-1][1] for steps in nights]


@pytest.mark.parametrize("loss", [lambda path: path.unlink(), lambda path: path.rename(path.with_name("elsewhere"))])
def test_a_file_that_is_taken_away_is_written_anew_with_the_whole_night(loss, tmp_path):
    steps = bot_night()
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        night = begin_night(journal, steps)
        append_steps(journal, night, steps[:50])
        loss(journal.path)
        append_steps(journal, night, steps[50:])
    assert_whole(tmp_path / "nights.sqlite", steps)


def test_a_night_waits_for_another_program_that_writes(tmp_path, monkeypatch):
    monkeypatch.setattr("seance.journal.disk.BUSY_TIMEOUT_S", 0.01)
    steps = bot_night()
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        night = begin_night(journal, steps)
        other = sqlite3.connect(journal.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        append_steps(journal, night, steps[:20])
        assert ["another program is writing" in news.text for news in journal.news()] == [True]
        other.execute("COMMIT")
        other.close()
        append_steps(journal, night, steps[20:])
    assert_whole(tmp_path / "nights.sqlite", steps)
