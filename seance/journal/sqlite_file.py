"""Reads nights from a journal of an earlier version, an SQLite database, night by night and entry by entry."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from seance.journal.errors import BadJournal, Damaged, OtherVersion
from seance.journal.night_file import NightBuilder
from seance.journal.stored_night import FORMAT, FoundNights, StoredNight, check_head

COMPANIONS = ("-wal", "-shm")
"""What follows the name of a database in the names of its log and of the log's index."""
APPLICATION_ID = 0x5EA2CE01
"""SQLite's application_id of our files."""
VERSION = 1
"""The only `user_version` that was ever written."""
MAGIC = b"SQLite format 3\0"

_TABLES = {"nights", "entries", "notes"}
_BUSY_TIMEOUT_S = 2.0
_MOST_NIGHTS = 10_000
"""How many numbers are tried where the list of nights cannot be read."""
_HEAD = "SELECT number, uid, imported, head, seal FROM nights"
_ENTRY = "SELECT step, at, played, seat, command, events, seal FROM entries WHERE night = ?"
_FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What reading raises; SQLite's error messages may quote bytes of the file that are not UTF-8."""
_OBSTACLES = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
)
"""Codes of errors that say nothing about the file itself."""


def read_database(path: Path) -> FoundNights:
    """Return the nights in the database *path*, which is not changed; or raise Damaged, or BadJournal if not ours."""
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(closing(_connect(path, stack)))
            is_empty = _check(connection, path)
        except _FAULTS as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _OBSTACLES:
                raise OSError(errno.EIO, f"{path}: {error}") from None
            raise Damaged(f"{path}: cannot be read: the file is damaged ({error})") from None
        return FoundNights((), ()) if is_empty else _Reader(connection).read()


class _Reader:
    """Reads a database that may be damaged in places."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._losses: list[str] = []

    def read(self) -> FoundNights:
        nights = [night for row in self._head_rows() if (night := self._read_night(row)) is not None]
        return FoundNights(tuple(nights), tuple(self._losses))

    def _head_rows(self) -> Iterator[Sequence[Any]]:
        last = 0
        try:
            for row in self._connection.execute(f"{_HEAD} ORDER BY number"):
                yield row
                last = row[0]
        except _FAULTS as error:
            self._losses.append(f"the list of nights is damaged after night {last} ({error})")
            for number in range(last + 1, _MOST_NIGHTS):
                with suppress(*_FAULTS):
                    yield from self._connection.execute(f"{_HEAD} WHERE number = ?", (number,)).fetchall()

    def _read_night(self, row: Sequence[Any]) -> StoredNight | None:
        number, uid, imported, head, seal = row
        if not isinstance(head, str) or seal != _checksum([uid, head]):
            self._losses.append(f"night {number} is damaged in its head: nothing of it can be read")
            return None
        try:
            fields = msgspec.json.decode(head, type=dict[str, msgspec.Raw])
        except msgspec.MsgspecError as error:
            self._losses.append(f"night {number} cannot be read: its head: {error}")
            return None
        first = {"format": FORMAT, "uid": uid, "number": number, "imported": bool(imported)}
        record = msgspec.json.encode(first | fields)
        try:
            check_head(number, record)
        except OtherVersion as error:
            self._losses.append(str(error))
            return None
        builder = NightBuilder(record)
        self._add_notes(builder, number)
        self._add_entries(builder, number, seal)
        night = builder.build()
        if night.loss:
            self._losses.append(night.loss)
        return night if night.entries else None

    def _add_entries(self, builder: NightBuilder, number: int, chain: int) -> None:
        """Add the entries whose seals form an unbroken chain from *chain*, the seal of the head as it is stored."""
        try:
            for *values, seal in self._entry_rows(number):
                chain = _checksum(values, chain)
                record = _entry_record(values)
                if seal != chain or record is None or not builder.add_entry(values[0], record):
                    raise Damaged(f"night {number} is damaged")
        except (*_FAULTS, Damaged):
            builder.note_damage()
            builder.notes.clear()  # they are of a step that is lost

    def _entry_rows(self, number: int) -> Iterator[Sequence[Any]]:
        last = 0
        with suppress(*_FAULTS):
            for row in self._connection.execute(f"{_ENTRY} ORDER BY step", (number,)):
                yield row
                last = row[0]
            return
        # Some page on the way is damaged; by its key an entry is found on another way.
        for step in count(last + 1):
            row = self._connection.execute(f"{_ENTRY} AND step = ?", (number, step)).fetchone()
            if row is None:
                raise sqlite3.DatabaseError("the rest cannot be read")
            yield row

    def _add_notes(self, builder: NightBuilder, number: int) -> None:
        try:
            rows = self._connection.execute("SELECT key, value, seal FROM notes WHERE night = ?", (number,)).fetchall()
        except _FAULTS:
            rows = [(None, None, None)]
        for key, value, seal in rows:
            if isinstance(value, str) and seal == _checksum([key, value]):
                builder.set_notes({key: msgspec.Raw(value.encode())})
        if any(not isinstance(value, str) or seal != _checksum([key, value]) for key, value, seal in rows):
            builder.note_damage()


def _checksum(values: Sequence[object], previous: int = 0) -> int:
    """Return the CRC-32 of *values* chained to *previous*, the column `seal`."""
    try:
        return crc32(msgspec.json.encode(values), previous)
    except (TypeError, ValueError):  # a damaged row may have a value of any type
        return -1


def _entry_record(values: Sequence[Any]) -> bytes | None:
    step, at, played, seat, command, events = values
    fields = {"step": step, "at": at, "played": played, "seat": seat}
    try:
        return msgspec.json.encode(
            fields | {"command": msgspec.json.decode(command), "events": msgspec.json.decode(events)}
        )
    except (msgspec.MsgspecError, TypeError, RecursionError):
        return None


def _connect(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """Return a connection to *path*, or to a temporary copy where SQLite cannot write the files it needs to read."""
    connection = _connect_to(path, "ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        connection.close()
    except _FAULTS:
        connection.close()
        raise
    else:
        return connection
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="seance-")))
    for companion in ("", "-wal"):
        with suppress(FileNotFoundError):
            shutil.copyfile(path.with_name(path.name + companion), folder / f"copy{companion}")
    return _connect_to(folder / "copy", "rw")


def _connect_to(path: Path, mode: str) -> sqlite3.Connection:
    where = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(where, uri=True, isolation_level=None, timeout=_BUSY_TIMEOUT_S)
    # Text that is not UTF-8 is damaged; the checksum of its row will not match.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the database is empty; or raise Damaged, or BadJournal if it is not ours or too new."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables and not version:
        return True
    if application != APPLICATION_ID and not tables >= _TABLES:
        raise BadJournal(f"{path}: this is a database of another program: set journal.path to another name")
    if not tables >= _TABLES or version < 1:
        raise Damaged(f"{path}: cannot be read: the file is damaged (the tables are not those that were made)")
    if version > VERSION:
        raise BadJournal(
            f"{path}: this journal is of version {version}, and this seance knows up to {VERSION}:"
            " install a newer one, or set journal.path to another name"
        )
    return False
