"""Keeps one night in memory while it is played, and brings its file up to date."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import msgspec

from seance.journal.errors import BadJournal, OtherVersion
from seance.journal.folder import NightFolder
from seance.journal.night_file import NightFile, notes_record
from seance.journal.stored_night import StoredNight

SUPERSEDED_BYTES_AT_REST = 1 << 14
SUPERSEDED_BYTES_IN_PLAY = 1 << 20
"""How much of a file may be superseded notes before it is written anew, when its night rests and while it is played."""


class NightWriter:
    """A night whose records are on the disk or pending."""

    def __init__(self, night: StoredNight) -> None:
        self.uid = night.uid
        self._head = night.head
        self._entries = list(night.entries)
        self._notes = dict(night.notes)
        self._pending: list[tuple[bytes, bool]] = []
        """Records that are not on the disk, each with whether it is an entry."""
        self._file: NightFile | None = None
        """The file, which has all records but the pending ones; None where it has to be written as a whole."""
        self._number: int | None = None
        """The number under which it is in the journal; None until it is."""
        self._superseded_bytes = 0

    @classmethod
    def resume(cls, night: StoredNight, folder: NightFolder | None) -> NightWriter:
        """Return the writer of *night* as it was read, from *folder* where that may be written."""
        writer = cls(night)
        writer._number = night.number
        if folder is not None:
            writer._attach(folder)
        return writer

    @property
    def night(self) -> StoredNight:
        """Return the night, with all that is pending."""
        return StoredNight(self._head, tuple(self._entries), dict(self._notes))

    @property
    def steps(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    @property
    def pending_count(self) -> int:
        """Return how many records are not on the disk."""
        return len(self._pending)

    def add_entry(self, record: bytes, notes: Mapping[str, msgspec.Raw]) -> None:
        """Add an entry, and the *notes* that are written together with it."""
        if notes:
            self._notes |= notes
            # Before the entry: where the power is cut between them, there is neither.
            self._pending.append((notes_record(notes, self.steps + 1), False))
        self._entries.append(record)
        self._pending.append((record, True))

    def set_notes(self, notes: Mapping[str, msgspec.Raw]) -> None:
        """Set *notes*."""
        self._notes |= notes
        self._pending.append((notes_record(notes), False))

    def write(self, folder: NightFolder, stamp: str) -> str | None:
        """Write what is pending, and return what was wrong with the file, if anything; or raise OSError.

        A night without entries is not written yet.
        """
        if not self._entries or (self._file is None and self._number is not None and not self._pending):
            return None
        if self._file is not None and not self._file.is_unchanged():
            is_reliable = self._file.is_open
            self._close_file()
            if is_reliable:
                self._attach(folder)
        if self._file is None:
            return self._write_whole(folder, stamp)
        if not self._pending:
            return None
        self._file.append(self._pending)
        self._superseded_bytes += sum(len(record) for record, is_entry in self._pending if not is_entry)
        self._pending.clear()
        if self._superseded_bytes > SUPERSEDED_BYTES_IN_PLAY:
            self.compact(folder, stamp)
        return None

    def compact(self, folder: NightFolder, stamp: str) -> None:
        """Write the file anew without superseded notes if they are many; where that fails it stays as it is."""
        if self._pending or self._file is None or self._superseded_bytes <= SUPERSEDED_BYTES_AT_REST:
            return
        with suppress(OSError):
            self._write_whole(folder, stamp)

    def close(self) -> None:
        """Close the file."""
        self._close_file()

    def _write_whole(self, folder: NightFolder, stamp: str) -> str | None:
        """Write the file as a whole, and return what was wrong with the old one, if anything."""
        number = self._number
        if number is None or self._is_taken(folder, number):
            number = folder.numbers_by_uid().get(self.uid) or folder.next_number()
        night = self.night.numbered(number)
        aside = folder.write(night, stamp)
        self._head, self._number = night.head, number
        self._close_file()
        self._file = folder.open_file(number)
        self._pending.clear()
        self._superseded_bytes = 0
        if aside is None:
            return None
        return f"The file of {night.name} was damaged and is set aside as {aside.name}; the night was written anew."

    def _attach(self, folder: NightFolder) -> None:
        """Open the file if it holds the records that are not pending, and nothing else."""
        assert self._number is not None  # noqa: S101
        try:
            found = folder.load(self._number)
            written = self.steps - sum(is_entry for _, is_entry in self._pending)
            is_sound = not found.torn and found.night.damage is None and found.night.uid == self.uid
            if is_sound and found.night.entries == tuple(self._entries[:written]):
                self._file = folder.open_file(self._number)
                self._superseded_bytes = found.superseded_bytes
        except (OSError, BadJournal):
            return  # it is written as a whole instead

    def _is_taken(self, folder: NightFolder, number: int) -> bool:
        """Return whether another night has *number*."""
        try:
            return folder.load_beginning(number).uid != self.uid
        except OtherVersion:
            return True
        except (OSError, BadJournal):
            return False

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
