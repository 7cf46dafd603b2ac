"""Writes nights to an SQLite file as earlier versions did, for tests of taking such a file over."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from seance.codec import command_fields, event_fields
from tests.journal.recording import Steps

_SCHEMA = """
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
    PRAGMA application_id = 0x5EA2CE01;
    PRAGMA user_version = 1;
"""


def write_database(path: Path, nights: Iterable[Steps], *, notes: Mapping[str, Any] | None = None) -> Path:
    """Write *nights*, each with *notes*, with the numbers from 1 and uids like `0001`; and return *path*."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(_SCHEMA)
        for number, steps in enumerate(nights, start=1):
            _write_night(connection, number, steps, notes or {})
        connection.commit()
    return path


def _write_night(connection: sqlite3.Connection, number: int, steps: Steps, notes: Mapping[str, Any]) -> None:
    uid, begin = f"{number:04}", steps[0][0]
    given = {"begun": f"1922-10-{number % 30 + 1:02}T22:00:00.000+00:00", "language": "en", "names": {}, "settings": {}}
    head = _to_json(given | {"edition": begin.edition})
    seal = _checksum([uid, head])
    connection.execute("INSERT INTO nights VALUES (?, ?, 0, ?, ?, NULL)", (number, uid, head, seal))
    for step, (command, _, events) in enumerate(steps, start=1):
        fields = _to_json(command_fields(command)), _to_json([event_fields(event) for event in events])
        values = (step, given["begun"], float(step), command.seats[0].value, *fields)
        seal = _checksum(values, seal)
        connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (number, *values, seal))
    for key, value in notes.items():
        text = _to_json(value)
        connection.execute("INSERT INTO notes VALUES (?, ?, ?, ?)", (number, key, text, _checksum([key, text])))


def _checksum(values: Iterable[object], previous: int = 0) -> int:
    return crc32(msgspec.json.encode(values), previous)


def _to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
