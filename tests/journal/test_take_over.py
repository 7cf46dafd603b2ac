"""A journal of an earlier version, one SQLite file, is taken over with all that can be read, and never deleted."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import msgspec
import pytest

from seance.journal import BadJournal, Journal, JournalReader, NewsKind
from tests.journal.disks import no_write_permission
from tests.journal.recording import Clock, append_steps, begin_night, bot_night
from tests.journal.sqlite_writer import write_database

NIGHTS = [bot_night(seed) for seed in range(1, 5)]
NIGHTS[-1] = NIGHTS[-1][:60]
STATES = [steps[-1][1] for steps in NIGHTS]
NOTES = {"evening": {"told_to": 60}}
PAGE_BYTES = 4096


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    """An SQLite journal of four nights, the last one unfinished."""
    return write_database(tmp_path_factory.mktemp("sound") / "nights.sqlite", NIGHTS, notes=NOTES)


@pytest.fixture
def database(sound, tmp_path) -> Path:
    return shutil.copy(sound, tmp_path / "nights.sqlite")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may look into, which pytest's are not."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def change(database: Path, sql: str) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute(sql)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def read_all(path: Path):
    with JournalReader.open(path) as reader:
        return [reader.night(number) for number in reader.numbers()]


def test_every_night_is_taken_over_with_number_uid_and_notes(database):
    before = database.read_bytes()
    listed = read_all(database)
    with Journal.open(database) as journal:
        assert journal.news() == ()
        assert (journal.unfinished().state, journal.unfinished().notes) == (STATES[-1], NOTES)
    nights = read_all(database)
    assert nights == listed
    assert [(night.number, night.uid, night.state) for night in nights] == [
        (number, f"{number:04}", state) for number, state in enumerate(STATES, start=1)
    ]
    assert names(database.parent / "nights") == ["0001.night", "0002.night", "0003.night", "0004.night"]
    assert (database.parent / "nights.taken-over.sqlite").read_bytes() == before


def test_a_night_goes_on_where_it_was(database):
    steps = bot_night(4)
    with Journal.open(database) as journal:
        append_steps(journal, journal.unfinished().uid, steps[60:])
        append_steps(journal, begin_night(journal, steps), steps)
    assert [night.state for night in read_all(database)] == [*STATES[:3], steps[-1][1], steps[-1][1]]


def test_whoever_only_reads_takes_nothing_over(database):
    assert [night.state for night in read_all(database)] == STATES
    assert "nights" not in names(database.parent)


def test_on_a_disk_that_cannot_be_written_the_night_goes_on_in_memory(sound, open_folder):
    folder = open_folder / "house"
    folder.mkdir()
    database, steps = shutil.copy(sound, folder / "nights.sqlite"), bot_night(4)
    with no_write_permission(folder):
        journal = Journal.open(database)
        assert [news.kind for news in journal.news()] == [NewsKind.IN_MEMORY]
        night = journal.unfinished()
        assert night.state == STATES[-1]
        append_steps(journal, night.uid, steps[60:])
    assert journal.flush()
    journal.close()
    assert [night.state for night in read_all(database)] == [*STATES[:3], steps[-1][1]]
    assert names(folder)[:2] == ["nights", "nights.taken-over.sqlite"]


def test_a_database_by_any_name_is_taken_over(sound, tmp_path):
    for name, folder in (("mine.db", "mine"), ("journal", "journal.nights"), ("old.sqlite3", "old")):
        database = shutil.copy(sound, tmp_path / name)
        Journal.open(database).close()
        assert names(tmp_path / folder) == ["0001.night", "0002.night", "0003.night", "0004.night"]
        assert [night.state for night in read_all(database)] == STATES
        with Journal.open(database) as journal:
            assert journal.unfinished().state == STATES[-1]


def test_through_a_link_the_nights_go_beside_the_file_itself(database, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.sqlite"
    link.symlink_to(database)
    with Journal.open(link), pytest.raises(BadJournal, match="another séance"):
        Journal.open(database)
    assert [night.state for night in read_all(link)] == [night.state for night in read_all(database)] == STATES


def test_a_database_that_comes_back_adds_what_is_new(database, sound):
    """An earlier version was installed again for an evening."""
    Journal.open(database).close()
    write_database(database, [bot_night(9)])
    change(database, "UPDATE nights SET uid = 'another'")
    ((head,),) = closing_rows(database, "SELECT head FROM nights")
    change(database, f"UPDATE nights SET seal = {_checksum(['another', head])}")
    reseal(database)
    shutil.copy(sound, database.with_name("old.sqlite"))
    Journal.open(database).close()
    assert [night.state for night in read_all(database)] == [*STATES, bot_night(9)[-1][1]]


def closing_rows(database: Path, sql: str):
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(sql).fetchall()


def _checksum(values, previous: int = 0) -> int:
    return crc32(msgspec.json.encode(values), previous)


def reseal(database: Path) -> None:
    """Give the entries of night 1 the seals that follow from that of its head."""
    ((seal,),) = closing_rows(database, "SELECT seal FROM nights WHERE number = 1")
    sql = "SELECT step, at, played, seat, command, events FROM entries WHERE night = 1 ORDER BY step"
    for values in closing_rows(database, sql):
        seal = _checksum(values, seal)
        change(database, f"UPDATE entries SET seal = {seal} WHERE night = 1 AND step = {values[0]}")


def test_a_head_that_would_be_written_otherwise_today_is_sound(database):
    """Its seal is that of what is stored: a new field of an edition must not make old nights damaged."""
    ((head,),) = closing_rows(database, "SELECT head FROM nights WHERE number = 1")
    fields = msgspec.json.decode(head)
    del fields["edition"]["extra_groups"]
    older = msgspec.json.encode(fields).decode()
    change(database, f"UPDATE nights SET head = '{older}', seal = {_checksum(['0001', older])} WHERE number = 1")
    reseal(database)
    with Journal.open(database) as journal:
        assert journal.news() == ()
    assert [night.damage for night in read_all(database)] == [None] * 4
    assert read_all(database)[0].state.phase == STATES[0].phase


# Bad values


@pytest.mark.parametrize(
    ("sql", "lost"),
    [
        ("UPDATE nights SET outcome = 'rain' WHERE number = 1", None),
        ("UPDATE nights SET head = '{}' WHERE number = 1", "night 1 is damaged in its head"),
        ("UPDATE entries SET played = 'long' WHERE night = 1 AND step = 20", "is damaged after step 19"),
        ("UPDATE entries SET played = x'00' WHERE night = 1 AND step = 20", "is damaged after step 19"),
        ("UPDATE entries SET command = '{' WHERE night = 1 AND step = 1", "is damaged after step 0"),
        ("UPDATE entries SET events = events || ' ' WHERE night = 1 AND step = 20", "is damaged after step 19"),
        ("UPDATE entries SET seal = seal + 1 WHERE night = 1 AND step = 20", "is damaged after step 19"),
        ("DELETE FROM entries WHERE night = 1 AND step = 20", "is damaged after step 19"),
        ("UPDATE notes SET value = '31' WHERE night = 1", "is damaged beside its"),
    ],
)
def test_a_bad_value_costs_only_its_night_and_is_named(sql, lost, database):
    change(database, sql)
    with JournalReader.open(database) as reader:
        summaries, complaints = reader.examine()
        assert {2, 3, 4} <= {summary.night.number for summary in summaries}
        assert [lost in complaint for complaint in complaints] == ([] if lost is None else [True])
    with Journal.open(database, now=Clock()) as journal:
        assert journal.unfinished().state == STATES[-1]
        assert [lost in news.text for news in journal.news()] == ([] if lost is None else [True])
    assert {night.number: night.state for night in read_all(database) if night.number > 1} == dict(
        zip((2, 3, 4), STATES[1:], strict=True)
    )
    aside = "nights.taken-over.sqlite" if lost is None else "nights.damaged-1922-10-31T22-00-00.sqlite"
    assert aside in names(database.parent)


def test_a_file_that_is_no_database_is_set_aside_and_a_journal_begun(tmp_path):
    path, steps = tmp_path / "nights.sqlite", bot_night()[:20]
    path.write_text("This was a grocery list. " * 400)
    before = path.read_bytes()
    with Journal.open(path, now=Clock()) as journal:
        (news,) = journal.news()
        assert news.kind is NewsKind.SET_ASIDE
        assert "nights.damaged-1922-10-31T22-00-00.sqlite; 0 nights could be read" in news.text
        append_steps(journal, begin_night(journal, steps), steps)
    assert (tmp_path / "nights.damaged-1922-10-31T22-00-00.sqlite").read_bytes() == before
    assert Journal.open(path).unfinished().state == steps[-1][1]


def test_a_damaged_file_on_a_disk_that_cannot_be_written_is_left_where_it_is(tmp_path):
    tmp_path.chmod(0o755)
    folder, steps = tmp_path / "house", bot_night()[:20]
    folder.mkdir()
    path = folder / "nights.sqlite"
    path.write_text("This was a grocery list. " * 400)
    before = path.read_bytes()
    with no_write_permission(folder):
        journal = Journal.open(path)
        assert [news.kind for news in journal.news()] == [NewsKind.IN_MEMORY]
        append_steps(journal, begin_night(journal, steps), steps)
    assert path.read_bytes() == before
    assert journal.flush()
    journal.close()
    assert Journal.open(path).unfinished().state == steps[-1][1]


def test_who_only_reads_a_damaged_file_is_told_and_leaves_it(tmp_path):
    path = tmp_path / "nights.sqlite"
    path.write_text("This was a grocery list. " * 400)
    with pytest.raises(BadJournal, match="cannot be read: the file is damaged"), JournalReader.open(path):
        pass
    assert names(tmp_path) == ["nights.sqlite"]


def test_a_bad_page_of_entries_costs_only_the_nights_that_are_on_it(sound, tmp_path):
    """Which night is on a page is seen by what changes when it is gone."""
    content, saved = sound.read_bytes(), []
    for page in range(1, len(content) // PAGE_BYTES):
        folder = tmp_path / str(page)
        folder.mkdir()
        damaged = bytearray(content)
        damaged[page * PAGE_BYTES : (page + 1) * PAGE_BYTES] = bytes(PAGE_BYTES)
        (folder / "nights.sqlite").write_bytes(damaged)
        with Journal.open(folder / "nights.sqlite") as journal:
            journal.news()
        whole = [night for night in read_all(folder / "nights.sqlite") if night.state == STATES[night.number - 1]]
        saved.append(len(whole))
    # The roots of the trees of nights and of entries lead to every night, the pages below them to some.
    assert sum(count == 0 for count in saved) <= 2
    assert sum(count >= 2 for count in saved) >= len(saved) - 4


# Files of others


def test_a_newer_file_is_named_and_left_alone(database):
    change(database, "PRAGMA user_version = 9")
    before = database.read_bytes()
    with pytest.raises(
        BadJournal, match=r"nights\.sqlite: this journal is of version 9, and this seance knows up to 1"
    ):
        Journal.open(database)
    assert database.read_bytes() == before


def test_a_database_of_another_program_is_named_and_left_alone(tmp_path):
    path = tmp_path / "nights.sqlite"
    change(path, "CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(BadJournal, match=r"a database of another program: set journal\.path"):
        Journal.open(path)
    assert path.read_bytes() == before


def test_an_empty_database_has_no_night(tmp_path):
    path = tmp_path / "nights.sqlite"
    path.touch()
    with Journal.open(path) as journal:
        assert (journal.unfinished(), journal.news()) == (None, ())


def test_while_an_earlier_version_is_running_nothing_is_taken_over(database):
    program = (
        "import fcntl, sys\n"
        f"lock = open({str(database) + '.lock'!r}, 'w')\n"
        "fcntl.flock(lock, fcntl.LOCK_EX)\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout.readline() == "locked\n"
        with pytest.raises(BadJournal, match="another séance is writing"):
            Journal.open(database)
        running.communicate("")
    with Journal.open(database) as journal:
        assert journal.unfinished().state == STATES[-1]
    assert "nights.sqlite.lock" not in names(database.parent)
