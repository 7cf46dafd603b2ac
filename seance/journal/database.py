"""The SQLite database of nights: opening it, writing statements, reading nights back, salvaging a damaged one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from seance.codec import NotACommand, NotAnEvent, decode_command
from seance.journal.disk import connect, connect_for_reading, fetch_row, file_identity, make_folder_durably
from seance.journal.errors import BadJournal, Damaged, NoJournal, NoSuchNight, fault_of
from seance.journal.recorded_night import Entry, Night
from seance.journal.rows import Statement, decode_entry, decode_head, decode_notes, verified_rows
from seance.journal.schema import check_version, migrate
from seance.rules import Begin, Outcome

_SELECT_HEAD = "SELECT number, uid, imported, head, seal FROM nights"


@dataclass(frozen=True, slots=True)
class NightSummary:
    """A night in the list of nights."""

    night: Night
    """Its head, without entries and notes."""
    begin: Begin
    steps: int
    played: float
    """Time played (seconds)."""
    outcome: Outcome | None
    """None while the night has not ended."""


class _FirstEvent(msgspec.Struct):
    """The fields of a night's first event that `recent_tables` reads."""

    edition: str = ""
    table: dict[str, list[int]] = {}


class NightDatabase:
    """An open database of nights."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._identity = file_identity(path)

    @classmethod
    def open_for_writing(cls, path: Path) -> NightDatabase:
        """Check and open *path*, or create it; or raise Damaged, BadJournal, sqlite3.Error or OSError."""
        if path.exists():
            with closing(connect(path, "ro")) as connection:
                version = check_version(connection, path)
                if version:
                    cls(path, connection).check_last_night()
        else:
            version = 0
            make_folder_durably(path.parent)
            os.close(
                os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
            )  # only its owner may read it: it holds the secrets of the night
        connection = connect(path, "rw")
        try:
            # One sync per commit, finished when the commit returns; readers do not wait for the writer.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            migrate(connection, version)
        except (sqlite3.Error, Damaged):
            connection.close()
            raise
        return cls(path, connection)

    @classmethod
    @contextmanager
    def open_for_reading(cls, path: Path) -> Iterator[NightDatabase]:
        """Open *path* without changing it, on a read-only disk too; or raise BadJournal."""
        try:
            if not path.exists():
                raise NoJournal(f"{path}: there is no journal yet: nights are written down when they are played")
            with ExitStack() as stack:
                connection = stack.enter_context(closing(connect_for_reading(path, stack)))
                if not check_version(connection, path):
                    raise NoJournal(f"{path}: there is no night in it")
                yield cls(path, connection)
        except (sqlite3.Error, OSError, Damaged) as error:
            raise BadJournal(f"{path}: cannot be read: {fault_of(error)} ({error})") from None

    def write(self, statements: Iterable[Statement]) -> None:
        """Execute *statements* in one transaction, which is on the disk when this returns."""
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            for sql, values in statements:
                connection.execute(sql, values)
            connection.execute("COMMIT")
        except (sqlite3.Error, Damaged):
            with suppress(sqlite3.Error, Damaged):
                connection.execute("ROLLBACK")
            raise

    def is_in_place(self) -> bool:
        """Return whether the file at the path is still the one that was opened, not removed or replaced."""
        return self._identity is not None and file_identity(self.path) == self._identity

    def close(self) -> None:
        """Close the connection."""
        with suppress(sqlite3.Error):
            self._connection.close()

    def summary(self, number: int) -> NightSummary:
        """Return the summary of night *number*, or raise NoSuchNight or Damaged."""
        head = self._head(number)
        # SQLite takes a bare column beside max() from the row with the maximum.
        ((steps, played),) = self._rows("SELECT max(step), played FROM entries WHERE night = ?", number)
        ((begin,),) = self._rows("SELECT command FROM entries WHERE night = ? AND step = 1", number)
        ((outcome,),) = self._rows("SELECT outcome FROM nights WHERE number = ?", number)
        return NightSummary(head, _begin(head, begin), steps, played, _outcome(outcome))

    def numbers(self) -> list[int]:
        """Return the numbers of all nights that have first, in the order in which they were written."""
        return [number for (number,) in self._rows("SELECT night FROM entries WHERE step = 1 ORDER BY night")]

    def number_of(self, uid: str) -> int | None:
        """Return the number of night *uid*, or None where it is not in this database."""
        return next((number for (number,) in self._rows("SELECT number FROM nights WHERE uid = ?", uid)), None)

    def last_number(self) -> int | None:
        """Return the number of the last night played here, finished or not; None without one."""
        sql = "SELECT max(number) FROM nights JOIN entries ON night = number WHERE step = 1 AND NOT imported"
        return next((number for (number,) in self._rows(sql)), None)

    def night(self, number: int) -> Night:
        """Return night *number*, or raise NoSuchNight or Damaged."""
        head = self._head(number)
        return replace(head, entries=tuple(self._entries(head)), notes=self._notes(head))

    def salvage_night(self, number: int) -> Night:
        """Return night *number* with its entries up to the first damaged one."""
        head, entries, notes = self._head(number), list[Entry](), dict[str, Any]()
        with suppress(sqlite3.Error, Damaged, NotACommand, NotAnEvent):
            for entry in self._entries(head):
                entries.append(entry)
        with suppress(sqlite3.Error, Damaged):
            notes = self._notes(head)
        return replace(head, entries=tuple(entries), notes=notes)

    def recent_tables(self) -> Iterator[tuple[str, dict[str, list[int]]]]:
        """Yield edition and table cards of the nights that were played here, the latest first."""
        sql = (
            "SELECT events FROM entries JOIN nights ON night = number"
            " WHERE step = 1 AND NOT imported ORDER BY night DESC"
        )
        for (events,) in self._rows(sql):
            with suppress(msgspec.DecodeError):  # one night less counts as seen
                first, *_ = msgspec.json.decode(events, type=tuple[_FirstEvent, ...])
                yield first.edition, first.table

    def _head(self, number: int) -> Night:
        for row in self._rows(_SELECT_HEAD + " WHERE number = ?", number):
            return decode_head(row)
        raise NoSuchNight(f"{self.path}: there is no night {number}: `seance nights` lists those that there are")

    def check_last_night(self) -> None:
        """Raise Damaged if any row of the last night, which may have to be resumed, is damaged."""
        number = self.last_number()
        if number is not None:
            head = self._head(number)
            self._notes(head)
            for _ in self._verified_rows(head):
                pass

    def _entries(self, head: Night) -> Iterator[Entry]:
        editions = {head.edition.name: head.edition}
        return (decode_entry(values, editions) for values in self._verified_rows(head))

    def _verified_rows(self, head: Night) -> Iterator[Sequence[Any]]:
        sql = "SELECT step, at, played, seat, command, events, seal FROM entries WHERE night = ? ORDER BY step"
        return verified_rows(head, self._rows(sql, head.number))

    def _notes(self, head: Night) -> dict[str, Any]:
        return decode_notes(head, self._rows("SELECT key, value, seal FROM notes WHERE night = ?", head.number))

    def _rows(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        cursor = self._connection.execute(sql, values)
        while (row := fetch_row(cursor)) is not None:
            yield row


def salvage_nights(path: Path) -> Iterator[Night]:
    """Yield what can still be read of each night in the damaged file *path*."""
    with suppress(sqlite3.Error, Damaged), closing(connect(path, "ro")) as connection:
        database = NightDatabase(path, connection)
        for number in database.numbers():
            with suppress(sqlite3.Error, Damaged, NoSuchNight):
                night = database.salvage_night(number)
                if night.entries:
                    yield night


def _begin(head: Night, text: str) -> Begin:
    command = decode_command(msgspec.json.decode(text), {head.edition.name: head.edition})
    if not isinstance(command, Begin):
        raise Damaged(f"night {head.number} does not begin with its beginning")
    return command


def _outcome(text: str | None) -> Outcome | None:
    return None if text is None else msgspec.json.decode(text, type=Outcome)
