"""The journal of the one who plays: every entry on the disk before anything is said aloud, or kept until it can be."""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from seance.codec import NotACommand, NotAnEvent
from seance.journal.database import NightsFile, salvage
from seance.journal.disk import set_aside
from seance.journal.errors import BadDocument, BadJournal, Damaged, Fault, Kind, News, fault_of
from seance.journal.fresh_deals import weighed
from seance.journal.recorded_night import Entry, Night
from seance.journal.rows import Statement, Writer, statements
from seance.rules import Command, Edition, Event, Seat


def _wall_clock() -> datetime:
    return datetime.now().astimezone()


class Journal:
    """Writes nights down; a disk that fails stops no game, and what could not be written is written when it can be."""

    def __init__(self, path: Path, *, now: Callable[[], datetime] = _wall_clock) -> None:
        self.path = path
        self._now = now
        self._file: NightsFile | None = None
        self._lock: int | None = None
        self._log: list[Statement] = []
        """All that belongs to nights that are not known to be on the disk whole, and to the last one."""
        self._written = 0
        """How many of these are on the disk."""
        self._writer: Writer | None = None
        self._fault: Fault | None = None
        self._news: list[News] = []

    @classmethod
    def open(cls, path: Path, *, now: Callable[[], datetime] = _wall_clock) -> Journal:
        """Open the journal at *path*, or raise BadJournal where only a person can say what to do."""
        journal = cls(path, now=now)
        journal.flush()
        return journal

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what can still be written, and let go of the file."""
        self.flush()
        self._let_go()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def news(self) -> tuple[News, ...]:
        """Return what the host should be told and has not been told yet."""
        news, self._news = tuple(self._news), []
        return news

    @property
    def unwritten(self) -> int:
        """Return how many rows wait for the disk."""
        return len(self._log) - self._written

    def begin_night(
        self,
        edition: Edition,
        *,
        language: str = "en",
        names: Mapping[str, str] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> str:
        """Return the uid of a new night, whose first entry will be `Begin`."""
        if not self.unwritten:
            self._log, self._written = [], 0
        night = Night(
            uid=secrets.token_hex(8),
            begun=self._stamp(),
            language=language,
            edition=edition,
            names=names or {},
            settings=settings or {},
        )
        self._writer = Writer(night)
        self._write(self._writer.head())
        return night.uid

    def append(
        self,
        night: str,
        command: Command,
        events: Sequence[Event],
        *,
        seat: Seat,
        played: float = 0.0,
        notes: Mapping[str, Any] | None = None,
    ) -> None:
        """Write down *command*, what came of it, and *notes*, in one step: it is on the disk when this returns.

        Where the disk fails it is kept in memory, and `news` says so once.
        """
        writer = self._writer_of(night)
        entry = Entry(seat=seat, command=command, events=tuple(events), at=self._stamp(), played=float(played))
        self._write(*writer.entry(entry), *(writer.note(key, value) for key, value in (notes or {}).items()))

    def note(self, night: str, key: str, value: Any) -> None:
        """Write down *value*, of JSON's types, instead of what *key* was before."""
        self._write(self._writer_of(night).note(key, value))

    def unfinished(self) -> Night | None:
        """Return the night that was played last if it has not ended; `append` goes on with it."""
        night = self.last()
        return None if night is None or night.outcome is not None else night

    def last(self) -> Night | None:
        """Return the night that was played last, however it ended; `note` and `append` go on with it."""
        try:
            with self._reading() as file:
                number = file.last_number()
                night = None if number is None else file.night(number)
        except (NotACommand, NotAnEvent) as refusal:
            self._tell(Kind.UNREADABLE, f"The last night is of another version of seance and is left alone: {refusal}.")
            return None
        except BadJournal:
            return None  # what is wrong was told when the journal was opened
        if night is None:
            return None
        self._writer = Writer(replace(night, number=None))
        self._log = self._writer.go_on(night)
        self._written = len(self._log)
        return night

    def import_(self, night: Night) -> int:
        """Write down *night*, which came from another journal, and return its number here."""
        self.flush()
        if self._file is None:
            raise BadJournal(f"{self.path}: nothing can be imported: {self._fault}")
        known = self._file.number_of(night.uid)
        if known is not None:
            raise BadDocument(f"this night is here already, as night {known}")
        try:
            self._file.write(statements(replace(night, number=None, imported=True)))
        except (sqlite3.Error, Damaged) as error:
            raise BadJournal(f"{self.path}: nothing can be imported: {fault_of(error)}") from None
        number = self._file.number_of(night.uid)
        assert number is not None  # noqa: S101 - it has just been written
        return number

    def seen_lately(self, edition: str) -> Counter[int]:
        """Return the cards of *edition* that lay on the table in the last nights, the later the more they count."""
        try:
            with self._reading() as file:
                return weighed(edition, file.tables_laid())
        except (sqlite3.Error, Damaged, BadJournal):
            return Counter()  # what fails here fails at the next entry too, and is told then

    def flush(self) -> bool:
        """Try to write what waits, and return whether all is on the disk; `append` tries by itself."""
        try:
            self._write_what_waits()
        except (sqlite3.Error, OSError, Damaged) as error:
            fault = self._fault_of(error)
            if fault not in (Fault.FULL, Fault.BUSY):
                self._let_go()
            if self._fault is None:
                self._tell(
                    Kind.IN_MEMORY, f"The journal cannot be written, {fault}: the night goes on in memory.", fault
                )
            self._fault = fault
            return False
        if self._fault is not None:
            self._fault = None
            self._tell(Kind.WRITTEN_AGAIN, "The journal is written again, and nothing is missing.")
        return True

    def _write(self, *rows: Statement) -> None:
        self._log.extend(rows)
        self.flush()

    def _write_what_waits(self) -> None:
        """Write what waits; a damaged file is set aside and what is known is written to a new one."""
        try:
            self._opened().write(self._log[self._written :])
        except (sqlite3.Error, Damaged) as error:
            if fault_of(error) is not Fault.DAMAGED:
                raise
            self._start_afresh()
            self._opened().write(self._log[self._written :])
        self._written = len(self._log)

    def _opened(self) -> NightsFile:
        """Return the file, opened anew where it is not in place; then all that is known is written to it once more."""
        if self._file is None or not self._file.is_in_place():
            self._let_go()
            self._take_lock()
            self._file = NightsFile.to_write(self.path)
            self._written = 0
        return self._file

    def _start_afresh(self) -> None:
        """Set the damaged file aside, and bring what is sound in it to a new one."""
        stamp = f"{self._now():%Y-%m-%dT%H-%M-%S}"
        aside = set_aside(self.path, stamp)  # before the file is let go: SQLite would tidy it up
        self._let_go()
        file = self._opened()
        saved = list(salvage(aside))
        file.write(statement for night in saved for statement in statements(night))
        nights = f"{len(saved)} night{'' if len(saved) == 1 else 's'} could be read and went into a new one"
        self._tell(Kind.SET_ASIDE, f"The journal was damaged and is set aside as {aside.name}; {nights}.")

    def _reading(self) -> AbstractContextManager[NightsFile]:
        """Return the file to read from: a disk that cannot be written may still be read."""
        return nullcontext(self._file) if self._file else NightsFile.to_read(self.path)

    def _fault_of(self, error: Exception) -> Fault:
        fault = fault_of(error)
        # SQLite only says that it cannot open the files it needs.
        closed = fault is Fault.FAILING and self.path.parent.exists() and not os.access(self.path.parent, os.W_OK)
        return Fault.READ_ONLY if closed else fault

    def _take_lock(self) -> None:
        """Make sure that nobody else goes on with the same night, as far as the disk lets us."""
        if self._lock is not None:
            return
        try:
            lock = os.open(f"{self.path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise BadJournal(f"{self.path}: another séance is writing in this journal: end it first") from None
        self._lock = lock

    def _let_go(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _writer_of(self, night: str) -> Writer:
        if self._writer is None or self._writer.uid != night:
            raise ValueError(f"night {night} is not being written: begin it, or go on with the unfinished one")
        return self._writer

    def _stamp(self) -> str:
        return self._now().isoformat(timespec="milliseconds")

    def _tell(self, kind: Kind, says: str, fault: Fault | None = None) -> None:
        self._news.append(News(kind, says, fault))
