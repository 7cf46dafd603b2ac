"""The journal that the game writes: every entry is on disk before it is said, or in memory while the disk fails."""

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
from seance.journal.database import NightDatabase, salvage_nights
from seance.journal.disk import set_aside
from seance.journal.errors import BadDocument, BadJournal, Damaged, DiskFault, News, NewsKind, fault_of
from seance.journal.fresh_deals import recency_weights
from seance.journal.recorded_night import Entry, Night
from seance.journal.rows import NightEncoder, Statement, night_statements
from seance.rules import Command, Edition, Event, Seat


def _wall_clock() -> datetime:
    return datetime.now().astimezone()


class Journal:
    """Writes nights to disk; while the disk fails the game goes on, and the rows are written once it works again."""

    def __init__(self, path: Path, *, now: Callable[[], datetime] = _wall_clock) -> None:
        self.path = path
        self._now = now
        self._database: NightDatabase | None = None
        self._lock: int | None = None
        self._statements: list[Statement] = []
        """All statements of the last night, and of earlier nights that are not completely on the disk."""
        self._written_count = 0
        """How many of these are on the disk."""
        self._encoder: NightEncoder | None = None
        self._fault: DiskFault | None = None
        self._news: list[News] = []

    @classmethod
    def open(cls, path: Path, *, now: Callable[[], datetime] = _wall_clock) -> Journal:
        """Open the journal at *path*, or raise BadJournal where a person has to decide what to do."""
        journal = cls(path, now=now)
        journal.flush()
        return journal

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is pending, and close the file."""
        self.flush()
        self._close_database()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def news(self) -> tuple[News, ...]:
        """Return the news since the last call."""
        news, self._news = tuple(self._news), []
        return news

    @property
    def unwritten(self) -> int:
        """Return how many statements are not on the disk yet."""
        return len(self._statements) - self._written_count

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
            self._statements, self._written_count = [], 0
        night = Night(
            uid=secrets.token_hex(8),
            begun=self._timestamp(),
            language=language,
            edition=edition,
            names=names or {},
            settings=settings or {},
        )
        self._encoder = NightEncoder(night)
        self._write(self._encoder.head())
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
        """Write *command*, its *events* and *notes* in one transaction, which is on the disk when this returns.

        Where the disk fails they are kept in memory, and `news` says so once.
        """
        encoder = self._encoder_of(night)
        entry = Entry(seat=seat, command=command, events=tuple(events), at=self._timestamp(), played=float(played))
        self._write(*encoder.entry(entry), *(encoder.note(key, value) for key, value in (notes or {}).items()))

    def note(self, night: str, key: str, value: Any) -> None:
        """Set the note *key* to *value*, of JSON's types."""
        self._write(self._encoder_of(night).note(key, value))

    def unfinished(self) -> Night | None:
        """Return the last night if it has not ended, ready for `append` to continue it; else None."""
        night = self.last()
        return None if night is None or night.outcome is not None else night

    def last(self) -> Night | None:
        """Return the last night, finished or not, ready for `note` and `append` to continue it; None without one."""
        try:
            with self._database_to_read() as database:
                number = database.last_number()
                night = None if number is None else database.night(number)
        except (NotACommand, NotAnEvent) as refusal:
            self._add_news(
                NewsKind.UNREADABLE, f"The last night is of another version of seance and is left alone: {refusal}."
            )
            return None
        except BadJournal:
            return None  # the news said what is wrong when the journal was opened
        if night is None:
            return None
        self._encoder = NightEncoder(replace(night, number=None))
        self._statements = self._encoder.all_statements(night)
        self._written_count = len(self._statements)
        return night

    def import_night(self, night: Night) -> int:
        """Write *night*, which came from another journal, and return its number here."""
        self.flush()
        if self._database is None:
            raise BadJournal(f"{self.path}: nothing can be imported: {self._fault}")
        known = self._database.number_of(night.uid)
        if known is not None:
            raise BadDocument(f"this night is here already, as night {known}")
        try:
            self._database.write(night_statements(replace(night, number=None, imported=True)))
        except (sqlite3.Error, Damaged) as error:
            raise BadJournal(f"{self.path}: nothing can be imported: {fault_of(error)}") from None
        number = self._database.number_of(night.uid)
        assert number is not None  # noqa: S101 - it has just been written
        return number

    def recently_seen_cards(self, edition: str) -> Counter[int]:
        """Return a weight for each card of *edition* on the tables of the last nights, higher for later nights."""
        try:
            with self._database_to_read() as database:
                return recency_weights(edition, database.recent_tables())
        except (sqlite3.Error, Damaged, BadJournal):
            return Counter()  # the next entry fails in the same way and makes the news

    def flush(self) -> bool:
        """Write what is pending, as `append` also does, and return whether all is on the disk."""
        try:
            self._write_pending()
        except (sqlite3.Error, OSError, Damaged) as error:
            fault = self._fault_of(error)
            if fault not in (DiskFault.FULL, DiskFault.BUSY):
                self._close_database()
            if self._fault is None:
                self._add_news(
                    NewsKind.IN_MEMORY, f"The journal cannot be written, {fault}: the night goes on in memory.", fault
                )
            self._fault = fault
            return False
        if self._fault is not None:
            self._fault = None
            self._add_news(NewsKind.WRITTEN_AGAIN, "The journal is written again, and nothing is missing.")
        return True

    def _write(self, *rows: Statement) -> None:
        self._statements.extend(rows)
        self.flush()

    def _write_pending(self) -> None:
        """Write the pending statements; a damaged file is set aside and replaced first."""
        try:
            self._open_database().write(self._statements[self._written_count :])
        except (sqlite3.Error, Damaged) as error:
            if fault_of(error) is not DiskFault.DAMAGED:
                raise
            self._replace_damaged_file()
            self._open_database().write(self._statements[self._written_count :])
        self._written_count = len(self._statements)

    def _open_database(self) -> NightDatabase:
        """Return the open database, opened anew (all statements pending) if its file was removed or replaced."""
        if self._database is None or not self._database.is_in_place():
            self._close_database()
            self._take_lock()
            self._database = NightDatabase.open_for_writing(self.path)
            self._written_count = 0
        return self._database

    def _replace_damaged_file(self) -> None:
        """Set the damaged file aside, and salvage its nights into a new one."""
        stamp = f"{self._now():%Y-%m-%dT%H-%M-%S}"
        aside = set_aside(self.path, stamp)  # before the database is closed: SQLite would delete the -wal file
        self._close_database()
        database = self._open_database()
        saved = list(salvage_nights(aside))
        database.write(statement for night in saved for statement in night_statements(night))
        nights = f"{len(saved)} night{'' if len(saved) == 1 else 's'} could be read and went into a new one"
        self._add_news(NewsKind.SET_ASIDE, f"The journal was damaged and is set aside as {aside.name}; {nights}.")

    def _database_to_read(self) -> AbstractContextManager[NightDatabase]:
        """Return the database to read from, which may be readable even where it cannot be written."""
        return nullcontext(self._database) if self._database else NightDatabase.open_for_reading(self.path)

    def _fault_of(self, error: Exception) -> DiskFault:
        fault = fault_of(error)
        # For a folder without write permission SQLite only says that it cannot open its files.
        closed = fault is DiskFault.FAILING and self.path.parent.exists() and not os.access(self.path.parent, os.W_OK)
        return DiskFault.READ_ONLY if closed else fault

    def _take_lock(self) -> None:
        """Lock the journal against other processes, if the disk lets us; or raise BadJournal."""
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

    def _close_database(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _encoder_of(self, night: str) -> NightEncoder:
        if self._encoder is None or self._encoder.uid != night:
            raise ValueError(f"night {night} is not being written: begin it, or go on with the unfinished one")
        return self._encoder

    def _timestamp(self) -> str:
        return self._now().isoformat(timespec="milliseconds")

    def _add_news(self, kind: NewsKind, text: str, fault: DiskFault | None = None) -> None:
        self._news.append(News(kind, text, fault))
