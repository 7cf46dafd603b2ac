"""The tables of the journal, and how an older file becomes a newer one; no night is read here."""

import sqlite3
from collections.abc import Sequence

from seance.journal.errors import BadJournal, Damaged

APPLICATION = 0x5EA2CE01
"""What SQLite keeps in the file to say whose it is."""

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
"""What makes each version of the file out of the one before; the first makes version 1 out of nothing."""


def check(connection: sqlite3.Connection, path: object, migrations: Sequence[str] = MIGRATIONS) -> int:
    """Return the version of the file, or raise Damaged, or BadJournal where it is not ours or from a newer seance."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise Damaged(found)
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables and not version:
        return 0
    ours = {"nights", "entries", "notes"} <= tables
    if application != APPLICATION and not ours:
        raise BadJournal(f"{path}: this is a database of another program: set journal.path to another file")
    if application != APPLICATION or not ours or version < 1:
        raise Damaged("the tables are not those that were made")
    if version > len(migrations):
        raise BadJournal(
            f"{path}: this journal is of version {version}, and this seance knows up to {len(migrations)}:"
            " install a newer one, or set journal.path to another file"
        )
    return int(version)


def migrate(connection: sqlite3.Connection, version: int, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Bring the file from *version* to the newest, all in one step or not at all."""
    if version == len(migrations):
        return
    # Not executescript(), which commits by itself before each script.
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in ";".join(migrations[version:]).split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except (sqlite3.Error, Damaged):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
