"""A damaged file is set aside unchanged, its sound rows are salvaged, and no state is restored that never was."""

import shutil
import sqlite3
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from seance.journal import BadJournal, Journal, NewsKind, NightDatabase
from tests.journal.disks import no_write_permission
from tests.journal.recording import Clock, append_steps, begin_night, bot_night, write_journal

STEPS = bot_night()[:60]


def damage(path: Path, at: int, bytes_: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(bytes_)


def content(path: Path) -> bytes:
    return path.read_bytes()


def test_a_file_that_is_no_database_is_set_aside_and_a_new_one_begun(tmp_path):
    path = tmp_path / "nights.sqlite"
    path.write_text("This was a grocery list. " * 400)
    before = content(path)
    with Journal.open(path, now=Clock()) as journal:
        (news,) = journal.news()
        assert news.kind is NewsKind.SET_ASIDE
        assert "nights.damaged-1922-10-31T22-00-00.sqlite" in news.text
        append_steps(journal, begin_night(journal, STEPS), STEPS)
    assert content(tmp_path / "nights.damaged-1922-10-31T22-00-00.sqlite") == before
    assert Journal.open(path).unfinished().state == STEPS[-1][1]


def test_a_second_damage_in_the_same_second_overwrites_nothing(tmp_path):
    path = tmp_path / "nights.sqlite"
    for text in ("first", "second"):
        path.write_text(f"the {text} grocery list " * 400)
        Journal.open(path, now=Clock()).close()
    aside = sorted(tmp_path.glob("*damaged*.sqlite"))
    assert sorted(content(file)[:9] for file in aside) == [b"the first", b"the secon"]


def test_what_is_sound_in_a_damaged_file_is_saved_with_its_numbers(tmp_path):
    path = tmp_path / "nights.sqlite"
    for seed in (1, 2, 3):
        write_journal(path, bot_night(seed))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entries SET events = '[]' WHERE night = 3 AND step = 41")
    connection.close()
    with Journal.open(path) as journal:
        (news,) = journal.news()
        assert "3 nights could be read" in news.text
        assert journal.unfinished().state == bot_night(3)[39][1]
        with NightDatabase.open_for_reading(path) as file:
            assert [file.night(number).state for number in (1, 2)] == [bot_night(1)[-1][1], bot_night(2)[-1][1]]


def test_a_night_is_whole_when_its_file_is_damaged_while_it_is_played(tmp_path):
    path, steps = tmp_path / "nights.sqlite", bot_night()
    with Journal.open(path) as journal:
        night = begin_night(journal, steps)
        append_steps(journal, night, steps[:40])
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        other.close()
        damage(path, 0, bytes(path.stat().st_size))
        damage(path.with_name("nights.sqlite-shm"), 0, bytes(32768))
        append_steps(journal, night, steps[40:])
        assert [news.kind for news in journal.news()] == [NewsKind.SET_ASIDE]
    with NightDatabase.open_for_reading(path) as file:
        assert file.night(1).state == steps[-1][1]


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("at", "at || ' '"),
        ("played", "played + 1"),
        ("seat", "iif(seat = 'room', 'ghost', 'room')"),
        ("command", "command || ' '"),
        ("events", "events || ' '"),
        ("seal", "seal + 1"),
    ],
)
def test_a_changed_value_is_found_though_the_database_is_sound(column, change, tmp_path):
    path = tmp_path / "nights.sqlite"
    write_journal(path, STEPS)
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE entries SET {column} = {change} WHERE step = 10")
    connection.close()
    with Journal.open(path) as journal:
        assert [news.kind for news in journal.news()] == [NewsKind.SET_ASIDE]
        assert journal.unfinished().state == STEPS[8][1]


def test_a_step_that_is_missing_is_found(tmp_path):
    path = tmp_path / "nights.sqlite"
    write_journal(path, STEPS)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM entries WHERE step = 20")
    connection.close()
    assert Journal.open(path).unfinished().state == STEPS[18][1]


def test_a_damaged_note_does_not_cost_the_night(tmp_path):
    path = tmp_path / "nights.sqlite"
    with Journal.open(path) as journal:
        night = begin_night(journal, STEPS)
        append_steps(journal, night, STEPS)
        journal.note(night, "sand", 30)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE notes SET value = '31'")
    connection.close()
    restored = Journal.open(path).unfinished()
    assert (restored.state, restored.notes) == (STEPS[-1][1], {})


@cache
def _sound() -> tuple[bytes, bytes]:
    """Return a journal and its log as a power cut leaves them, with pages in both."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "nights.sqlite"
        write_journal(path, STEPS[:30])
        journal = Journal.open(path)
        append_steps(journal, journal.unfinished().uid, STEPS[30:])
        found = path.read_bytes(), path.with_name("nights.sqlite-wal").read_bytes()
        journal.close()
    return found


@settings(max_examples=60, deadline=None)
@given(st.data())
@example(None)
def test_whatever_is_damaged_nothing_is_restored_that_never_was(data):
    """Every state that comes back was once true, and what was there before is still there, byte for byte."""
    database, log = (bytearray(part) for part in _sound())
    if data is not None:
        parts, which = {"database": database, "log": log}, st.sampled_from(["database", "log"])
        for name in data.draw(st.lists(which, min_size=1, max_size=3)):
            at = data.draw(st.integers(0, len(parts[name]) - 1))
            more = data.draw(st.binary(min_size=1, max_size=64))
            parts[name][at : at + len(more)] = more
        if data.draw(st.booleans()):
            name = data.draw(which)
            del parts[name][data.draw(st.integers(0, len(parts[name]) - 1)) :]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "nights.sqlite"
        path.write_bytes(database)
        path.with_name("nights.sqlite-wal").write_bytes(log)
        try:
            journal = Journal.open(path)
        except BadJournal:  # it looks like a newer journal, or another program's
            assert path.read_bytes() == bytes(database)
            return
        night, news = journal.unfinished(), journal.news()
        assert night is None or night.state in [state for _, state, _ in STEPS]
        if any(each.kind is NewsKind.SET_ASIDE for each in news):
            (aside,) = path.parent.glob("nights.damaged-*.sqlite")
            assert aside.read_bytes() == bytes(database)
            assert aside.with_name(aside.name + "-wal").read_bytes() == bytes(log)
        if data is None:
            assert (night.state, news) == (STEPS[-1][1], ())
        uid = night.uid if night else begin_night(journal, STEPS)
        following = STEPS[len(night.entries) if night else 0 :]
        append_steps(journal, uid, following)
        journal.close()
        with Journal.open(path) as again:
            assert again.unfinished().state == STEPS[-1][1]
            assert again.news() == ()


def test_a_damaged_file_on_a_disk_that_cannot_be_written_is_left_where_it_is(tmp_path):
    folder = tmp_path / "house"
    folder.mkdir()
    path = folder / "nights.sqlite"
    path.write_text("This was a grocery list. " * 400)
    shutil.copy(path, tmp_path / "before")
    with no_write_permission(folder):
        journal = Journal.open(path)
        assert [news.kind for news in journal.news()] == [NewsKind.IN_MEMORY]
        append_steps(journal, begin_night(journal, STEPS), STEPS)
    assert content(path) == content(tmp_path / "before")
    assert journal.flush()
    journal.close()
    assert Journal.open(path).unfinished().state == STEPS[-1][1]


def test_who_only_reads_a_damaged_file_is_told_and_leaves_it(tmp_path):
    path = tmp_path / "nights.sqlite"
    path.write_text("This was a grocery list. " * 400)
    with pytest.raises(BadJournal, match="cannot be read: the file is damaged"), NightDatabase.open_for_reading(path):
        pass
    assert [file.name for file in tmp_path.iterdir()] == ["nights.sqlite"]
