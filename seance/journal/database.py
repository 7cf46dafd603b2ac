"""The SQLite file that nights are kept in; what to do when the disk fails is decided in `seance.journal.journal`."""

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
from seance.journal.disk import connected, inode, make_folder, next_row, readable
from seance.journal.errors import BadJournal, Damaged, NoJournal, NoSuchNight, fault_of
from seance.journal.recorded_night import Entry, Night
from seance.journal.rows import Statement, entry_of, unsealed, unsealed_head, unsealed_notes
from seance.journal.schema import check, migrate
from seance.rules import Begin, Outcome

_HEADS = "SELECT number, uid, imported, head, seal FROM nights"


@dataclass(frozen=True, slots=True)
class Summary:
    """A night in the list of nights."""

    night: Night
    """Without entries and notes."""
    begin: Begin
    steps: int
    played: float
    """How long (seconds)."""
    outcome: Outcome | None
    """None while it has not ended."""


class _Laid(msgspec.Struct):
    """What `seen_lately` needs of the first event of a night; of the others it needs nothing."""

    edition: str = ""
    table: dict[str, list[int]] = {}


class NightsFile:
    """An open file of nights."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._inode = inode(path)

    @classmethod
    def to_write(cls, path: Path) -> NightsFile:
        """Open *path* after it was found sound, or make it; or raise Damaged, BadJournal, sqlite3.Error or OSError."""
        if path.exists():
            with closing(connected(path, "ro")) as connection:
                version = check(connection, path)
                if version:
                    cls(path, connection).check_last()
        else:
            version = 0
            make_folder(path.parent)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # it holds the secrets of the night
        connection = connected(path, "rw")
        try:
            # One sync for a commit, and it is done when the commit returns; who reads does not wait for who writes.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            migrate(connection, version)
        except (sqlite3.Error, Damaged):
            connection.close()
            raise
        return cls(path, connection)

    @classmethod
    @contextmanager
    def to_read(cls, path: Path) -> Iterator[NightsFile]:
        """Open *path* as it is, on a read-only disk too; or raise BadJournal."""
        try:
            if not path.exists():
                raise NoJournal(f"{path}: there is no journal yet: nights are written down when they are played")
            with ExitStack() as stack:
                connection = stack.enter_context(closing(readable(path, stack)))
                if not check(connection, path):
                    raise NoJournal(f"{path}: there is no night in it")
                yield cls(path, connection)
        except (sqlite3.Error, OSError, Damaged) as error:
            raise BadJournal(f"{path}: cannot be read: {fault_of(error)} ({error})") from None

    def write(self, statements: Iterable[Statement]) -> None:
        """Write *statements*, all or none; they are on the disk when this returns."""
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
        """Return whether the file is still where it was opened, not removed and not another."""
        return self._inode is not None and inode(self.path) == self._inode

    def close(self) -> None:
        """Let go of the file."""
        with suppress(sqlite3.Error):
            self._connection.close()

    def summary(self, number: int) -> Summary:
        """Return the line in the list for the night called *number*, or raise NoSuchNight or Damaged."""
        head = self._head(number)
        # A bare column beside max() is of the row that has it.
        ((steps, played),) = self._rows("SELECT max(step), played FROM entries WHERE night = ?", number)
        ((begin,),) = self._rows("SELECT command FROM entries WHERE night = ? AND step = 1", number)
        ((outcome,),) = self._rows("SELECT outcome FROM nights WHERE number = ?", number)
        return Summary(head, _begin(head, begin), steps, played, _outcome(outcome))

    def numbers(self) -> list[int]:
        """Return the numbers of all nights that have begun, in the order in which they were written down."""
        return [number for (number,) in self._rows("SELECT night FROM entries WHERE step = 1 ORDER BY night")]

    def number_of(self, uid: str) -> int | None:
        """Return what the night *uid* is called here, if it is here."""
        return next((number for (number,) in self._rows("SELECT number FROM nights WHERE uid = ?", uid)), None)

    def last_number(self) -> int | None:
        """Return the number of the night that was played last here, however it ended."""
        sql = "SELECT max(number) FROM nights JOIN entries ON night = number WHERE step = 1 AND NOT imported"
        return next((number for (number,) in self._rows(sql)), None)

    def night(self, number: int) -> Night:
        """Return the night called *number*, or raise NoSuchNight or Damaged."""
        head = self._head(number)
        return replace(head, entries=tuple(self._entries(head)), notes=self._notes(head))

    def salvaged(self, number: int) -> Night:
        """Return what of the night called *number* is sound: its entries up to the first that is not."""
        head, entries, notes = self._head(number), list[Entry](), dict[str, Any]()
        with suppress(sqlite3.Error, Damaged, NotACommand, NotAnEvent):
            for entry in self._entries(head):
                entries.append(entry)
        with suppress(sqlite3.Error, Damaged):
            notes = self._notes(head)
        return replace(head, entries=tuple(entries), notes=notes)

    def tables_laid(self) -> Iterator[tuple[str, dict[str, list[int]]]]:
        """Yield edition and cards of the nights that were played here, the last first."""
        sql = (
            "SELECT events FROM entries JOIN nights ON night = number"
            " WHERE step = 1 AND NOT imported ORDER BY night DESC"
        )
        for (events,) in self._rows(sql):
            with suppress(msgspec.DecodeError):  # one night more or less that was not seen
                begun, *_ = msgspec.json.decode(events, type=tuple[_Laid, ...])
                yield begun.edition, begun.table

    def _head(self, number: int) -> Night:
        for row in self._rows(_HEADS + " WHERE number = ?", number):
            return unsealed_head(row)
        raise NoSuchNight(f"{self.path}: there is no night {number}: `seance nights` lists those that there are")

    def check_last(self) -> None:
        """Raise Damaged if the night that may have to be gone on with is not sound."""
        number = self.last_number()
        if number is not None:
            head = self._head(number)
            self._notes(head)
            for _ in self._unsealed(head):
                pass

    def _entries(self, head: Night) -> Iterator[Entry]:
        editions = {head.edition.name: head.edition}
        return (entry_of(values, editions) for values in self._unsealed(head))

    def _unsealed(self, head: Night) -> Iterator[Sequence[Any]]:
        sql = "SELECT step, at, played, seat, command, events, seal FROM entries WHERE night = ? ORDER BY step"
        return unsealed(head, self._rows(sql, head.number))

    def _notes(self, head: Night) -> dict[str, Any]:
        return unsealed_notes(head, self._rows("SELECT key, value, seal FROM notes WHERE night = ?", head.number))

    def _rows(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        cursor = self._connection.execute(sql, values)
        while (row := next_row(cursor)) is not None:
            yield row


def salvage(path: Path) -> Iterator[Night]:
    """Yield what can still be read of each night in a damaged file."""
    with suppress(sqlite3.Error, Damaged), closing(connected(path, "ro")) as connection:
        file = NightsFile(path, connection)
        for number in file.numbers():
            with suppress(sqlite3.Error, Damaged, NoSuchNight):
                night = file.salvaged(number)
                if night.entries:
                    yield night


def _begin(head: Night, text: str) -> Begin:
    command = decode_command(msgspec.json.decode(text), {head.edition.name: head.edition})
    if not isinstance(command, Begin):
        raise Damaged(f"night {head.number} does not begin with its beginning")
    return command


def _outcome(text: str | None) -> Outcome | None:
    return None if text is None else msgspec.json.decode(text, type=Outcome)
