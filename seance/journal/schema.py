"""The SQL schema of the journal, its version check and its migrations."""

import sqlite3
from collections.abc import Sequence

from seance.journal.errors import BadJournal, Damaged

APPLICATION_ID = 0x5EA2CE01
"""SQLite's application_id of our files."""

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE nights (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        imported INTEGER NOT NULL,
        head TEXT NOT NULL,
        seal INTEGER NOT NULL,
        outcome TEXT
    );
    CREATE TABLE entries (
        night INTEGER NOT NULL REFERENCES nights (number),
        step INTEGER NOT NULL,
        at TEXT NOT NULL,
        played REAL NOT NULL,
        seat TEXT NOT NULL,
        command TEXT NOT NULL,
        events TEXT NOT NULL,
        seal INTEGER NOT NULL,
        PRIMARY KEY (night, step)
    ) WITHOUT ROWID;
    CREATE TABLE notes (
        night INTEGER NOT NULL REFERENCES nights (number),
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        seal INTEGER NOT NULL,
        PRIMARY KEY (night, key)
    ) WITHOUT ROWID;
    """,
)
"""The SQL that makes each version of the file from the one before; the first makes version 1 from an empty file."""


def check_version(connection: sqlite3.Connection, path: object, migrations: Sequence[str] = MIGRATIONS) -> int:
    """Return the file's schema version, 0 if empty; or raise Damaged, or BadJournal if it is not ours or too new."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise Damaged(found)
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables and not version:
        return 0
    ours = {"nights", "entries", "notes"} <= tables
    if application != APPLICATION_ID and not ours:
        raise BadJournal(f"{path}: this is a database of another program: set journal.path to another file")
    if application != APPLICATION_ID or not ours or version < 1:
        raise Damaged("the tables are not those that were made")
    if version > len(migrations):
        raise BadJournal(
            f"{path}: this journal is of version {version}, and this seance knows up to {len(migrations)}:"
            " install a newer one, or set journal.path to another file"
        )
    return int(version)


def migrate(connection: sqlite3.Connection, version: int, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Migrate the file from *version* to the newest, in one transaction."""
    if version == len(migrations):
        return
    # Not executescript(), which commits before it starts.
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in ";".join(migrations[version:]).split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except (sqlite3.Error, Damaged):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
