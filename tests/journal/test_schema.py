"""Older files are migrated; files of a newer version or of another program are left alone."""

import sqlite3

import pytest

from seance.journal import BadJournal, Journal
from seance.journal.schema import MIGRATIONS, check_version, migrate
from tests.journal.recording import bot_night, write_journal

MORE = (*MIGRATIONS, "ALTER TABLE nights ADD COLUMN weather TEXT NOT NULL DEFAULT 'fog'")


def test_an_older_file_becomes_a_newer_one_and_keeps_its_nights(tmp_path):
    write_journal(tmp_path / "nights.sqlite", bot_night())
    connection = sqlite3.connect(tmp_path / "nights.sqlite", isolation_level=None)
    migrate(connection, check_version(connection, "nights"), MORE)
    assert check_version(connection, "nights", MORE) == len(MORE)
    assert connection.execute("SELECT number, weather FROM nights").fetchall() == [(1, "fog")]
    connection.close()


def test_a_migration_that_fails_changes_nothing(tmp_path):
    write_journal(tmp_path / "nights.sqlite", bot_night())
    connection = sqlite3.connect(tmp_path / "nights.sqlite", isolation_level=None)
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, 1, (*MORE, "ALTER TABLE nowhere ADD COLUMN nothing TEXT"))
    assert check_version(connection, "nights") == 1
    assert [row[1] for row in connection.execute("PRAGMA table_info(nights)")][-1] == "outcome"
    connection.close()


def test_a_newer_file_is_named_and_left_alone(tmp_path):
    path = tmp_path / "nights.sqlite"
    write_journal(path, bot_night())
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 9")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(
        BadJournal, match=r"nights\.sqlite: this journal is of version 9, and this seance knows up to 1"
    ):
        Journal.open(path)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_named_and_left_alone(tmp_path):
    path = tmp_path / "nights.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(BadJournal, match=r"a database of another program: set journal\.path"):
        Journal.open(path)
    assert path.read_bytes() == before


def test_every_commit_is_synced_before_it_returns(tmp_path):
    journal = Journal.open(tmp_path / "nights.sqlite")
    connection = journal._database._connection
    modes = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert modes == ["wal", 2]
    journal.close()
