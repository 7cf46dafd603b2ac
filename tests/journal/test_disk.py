"""While the disk is full, read-only or gone the game goes on; what is pending is written when the disk is back."""

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from seance.journal import Journal, JournalReader, NewsKind
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
    with JournalReader.open(path) as file:
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
    shutil.copytree(journal.folder.path, small_disk / "copy")  # as a power cut leaves it
    journal.close()
    with read_only_mount(small_disk):
        assert_whole(small_disk / "copy", steps)


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
    with JournalReader.open(small_disk / "nights.sqlite") as file:
        assert [file.night(number).state for number in file.numbers()] == [steps[-1][1] for steps in nights]


LOSSES = {
    "file removed": lambda folder: (folder / "0001.night").unlink(),
    "file renamed": lambda folder: (folder / "0001.night").rename(folder / "elsewhere"),
    "file overwritten": lambda folder: (folder / "0001.night").write_text("This was a grocery list.\n"),
    "file cut": lambda folder: os.truncate(folder / "0001.night", 5000),
    "folder removed": shutil.rmtree,
    "folder renamed": lambda folder: folder.rename(folder.with_name("elsewhere")),
}


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_a_file_that_is_taken_away_is_written_anew_with_the_whole_night(loss, tmp_path):
    steps = bot_night()
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        night = begin_night(journal, steps)
        append_steps(journal, night, steps[:50])
        loss(journal.folder.path)
        append_steps(journal, night, steps[50:])
    assert_whole(tmp_path / "nights.sqlite", steps)


def test_a_write_that_fails_is_not_believed_afterwards(tmp_path, monkeypatch):
    """After a failed sync Linux may forget the data and report success: the file is written anew as a whole."""
    steps = bot_night()
    with Journal.open(tmp_path / "nights") as journal:
        night = begin_night(journal, steps)
        append_steps(journal, night, steps[:20])
        before = (tmp_path / "nights" / "0001.night").stat().st_ino
        with monkeypatch.context() as broken:
            broken.setattr("seance.journal.night_file.sync_data", fail)
            append_steps(journal, night, steps[20:21])
        assert [news.kind for news in journal.news()] == [NewsKind.IN_MEMORY]
        append_steps(journal, night, steps[21:])
        assert [news.kind for news in journal.news()] == [NewsKind.WRITTEN_AGAIN]
    assert (tmp_path / "nights" / "0001.night").stat().st_ino != before
    assert_whole(tmp_path / "nights", steps)


def fail(_: int) -> None:
    raise OSError(errno.EIO, "Input/output error")


def test_every_append_is_synced_once_before_it_returns(tmp_path, monkeypatch):
    synced, steps = [], bot_night()
    with Journal.open(tmp_path / "nights") as journal:
        night = begin_night(journal, steps)
        append_steps(journal, night, steps[:1])
        monkeypatch.setattr("seance.journal.night_file.sync_data", synced.append)
        for count, (command, _, events) in enumerate(steps[1:20], start=1):
            journal.append(night, command, events, seat=command.seats[0], notes={"sand": count})
            assert len(synced) == count


def test_a_file_that_cannot_be_opened_hides_no_other_night(tmp_path, monkeypatch):
    for seed in (1, 2):
        write_journal(tmp_path / "nights", bot_night(seed)[:5])
    whole = os.open

    def open_except_one(path, *more, **options) -> int:
        if Path(path).name == "0001.night":
            raise PermissionError(errno.EACCES, "Permission denied")
        return whole(path, *more, **options)

    monkeypatch.setattr(os, "open", open_except_one)
    with JournalReader.open(tmp_path / "nights") as reader:
        summaries, complaints = reader.examine()
    assert [summary.night.number for summary in summaries] == [2]
    assert complaints == ["night 1 cannot be read: Permission denied"]


def test_a_sector_that_cannot_be_read_costs_only_what_is_on_it(tmp_path, monkeypatch):
    write_journal(tmp_path / "nights", steps := bot_night())
    whole = os.pread

    def read_except_one_block(descriptor: int, length: int, at: int) -> bytes:
        if at < 9000 < at + length:
            raise OSError(errno.EIO, "Input/output error")
        return whole(descriptor, length, at)

    monkeypatch.setattr(os, "pread", read_except_one_block)
    with JournalReader.open(tmp_path / "nights") as reader:
        night = reader.night(1)
    assert 0 < len(night.entries) < len(steps)
    assert "is damaged after step" in night.damage
