"""Reads nights without changing anything, on a read-only disk too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from seance.journal.disk import is_folder
from seance.journal.errors import BadJournal, Damaged, NoJournal, NoSuchNight, fault_of
from seance.journal.folder import NightFolder, database_of, folder_of
from seance.journal.recorded_night import Night
from seance.journal.sqlite_file import read_database
from seance.journal.stored_night import FoundNights, NightSummary, StoredNight


class JournalReader:
    """The nights of a journal: those in its folder, and those of an SQLite file that has yet to be taken over."""

    def __init__(self, path: Path) -> None:
        """Read the journal that the settings call *path*; or raise BadJournal or OSError."""
        self.folder = NightFolder(folder_of(path))
        self.losses: tuple[str, ...] = ()
        """What is lost of the SQLite file, each in one phrase."""
        self._from_database: dict[int, StoredNight] = {}
        database = database_of(path)
        if database is not None:
            self._add_database(database)
        elif not is_folder(self.folder.path):
            raise NoJournal(
                f"{self.folder.path}: there is no journal yet: nights are written down when they are played"
            )

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[JournalReader]:
        """Read the journal that the settings call *path*, or raise BadJournal, which OSErrors become inside, too."""
        try:
            yield cls(path)
        except OSError as error:
            raise BadJournal(f"{path}: cannot be read: {fault_of(error)} ({error})") from None

    def numbers(self) -> list[int]:
        """Return the numbers of all nights that have a first entry, or are damaged, in order."""
        return sorted({*filter(self._is_night, self.folder.numbers()), *self._from_database})

    def last_number(self) -> int | None:
        """Return the number of the last night played here, finished or not; None where it is lost, or there is none."""
        numbers = [number for number, night in self._from_database.items() if not night.imported]
        last = self.folder.last_number()
        return max((*numbers, *(() if last is None else (last,))), default=None)

    def load(self, number: int) -> StoredNight:
        """Return what is sound of night *number*; or raise NoSuchNight, or Damaged where that is nothing."""
        if number in self._from_database:
            return self._from_database[number]
        parsed = self.folder.load(number)
        # Only of the last night may a line be unfinished: it is being written, or was when the power was cut.
        is_cut = parsed.torn and parsed.night.damage is None and number != self.last_number()
        return replace(parsed.night, damage=f"after step {len(parsed.night.entries)}") if is_cut else parsed.night

    def night(self, number: int) -> Night:
        """Return night *number* up to where it is damaged; or raise NoSuchNight, Damaged or OtherVersion."""
        night = self.load(number)
        if not night.entries:
            raise NoSuchNight(night.loss or f"{self.folder.path}: there is nothing in night {number}")
        return night.decode()

    def summary(self, number: int) -> NightSummary:
        """Return the summary of night *number*; or raise NoSuchNight, Damaged or OtherVersion."""
        return self.load(number).summary()

    def examine(self) -> tuple[list[NightSummary], list[str]]:
        """Return the summaries of all nights that can be read, and a phrase for each that cannot, or is damaged."""
        summaries, complaints = [], list(self.losses)
        for number in self.numbers():
            try:
                night = self.load(number)
                summaries.append(night.summary())
                complaints += [night.loss] if night.loss else []
            except BadJournal as error:
                complaints.append(str(error))
            except OSError as error:
                complaints.append(f"night {number} cannot be read: {error.strerror}")
        return summaries, list(dict.fromkeys(complaints))

    def recent_tables(self) -> Iterator[tuple[str, dict[str, list[int]]]]:
        """Yield edition and table cards of the nights that were played here, the latest first."""
        for number in reversed(self.numbers()):
            try:
                night = self._from_database.get(number) or self.folder.load_beginning(number)
                table = None if night.imported else night.table()
            except (BadJournal, OSError):
                continue  # one night less counts as seen
            if table is not None:
                yield table

    def _add_database(self, path: Path) -> None:
        try:
            found = read_database(path)
        except Damaged as error:
            if not is_folder(self.folder.path):
                raise
            found = FoundNights((), (str(error),))
        self.losses = found.losses
        self._from_database = {night.number: night for night in self.folder.additions(found.nights)}

    def _is_night(self, number: int) -> bool:
        try:
            night = self.folder.load_beginning(number)
        except (BadJournal, OSError):
            return True
        return bool(night.entries) or night.damage is not None
