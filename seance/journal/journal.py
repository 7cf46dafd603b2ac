"""The journal that the game writes: every entry is on disk before it is said, or in memory while the disk fails."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from seance.journal.errors import BadDocument, BadJournal, DiskFault, News, NewsKind, OtherVersion, fault_of
from seance.journal.folder import NightFolder
from seance.journal.fresh_deals import recency_weights
from seance.journal.locked_folder import LockedFolder
from seance.journal.night_writer import NightWriter
from seance.journal.reader import JournalReader
from seance.journal.recorded_night import Entry, Night
from seance.journal.stored_night import StoredNight, encode_note, entry_record, store_night
from seance.languages import DEFAULT_LANGUAGE
from seance.rules import Command, Edition, Event, Seat


def _wall_clock() -> datetime:
    return datetime.now().astimezone()


class Journal:
    """Writes nights to disk; while the disk fails the game goes on, and entries are written once it works again."""

    def __init__(self, path: Path, *, now: Callable[[], datetime] = _wall_clock) -> None:
        self.path = path
        """As the settings call it."""
        self._now = now
        self._folder = LockedFolder(path)
        self._was_open = False
        """Whether it could be opened: from then on the game goes on whatever happens."""
        self._writers: list[NightWriter] = []
        """The night that is written, the last one, after earlier ones that are not completely on the disk."""
        self._fault: DiskFault | None = None
        self._news: list[News] = []

    @classmethod
    def open(cls, path: Path, *, now: Callable[[], datetime] = _wall_clock) -> Journal:
        """Open the journal at *path*, or raise BadJournal where a person has to decide what to do."""
        journal = cls(path, now=now)
        try:
            journal.flush()
        except BadJournal:
            journal._folder.release()
            raise
        journal._was_open = True
        return journal

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is pending, and close the files."""
        if self.flush():
            self._compact()
        for writer in self._writers:
            writer.close()
        self._folder.release()

    @property
    def folder(self) -> NightFolder:
        """Return the folder of its nights."""
        return self._folder.nights

    def news(self) -> tuple[News, ...]:
        """Return the news since the last call."""
        news, self._news = tuple(self._news), []
        return news

    @property
    def unwritten(self) -> int:
        """Return how many entries and notes are not on the disk yet."""
        return sum(writer.pending_count for writer in self._writers)

    def begin_night(
        self,
        edition: Edition,
        *,
        language: str = DEFAULT_LANGUAGE,
        names: Mapping[str, str] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> str:
        """Return the uid of a new night, whose first entry will be `Begin`; its file is made with that."""
        if self.flush():
            self._compact()
            for writer in self._writers:
                writer.close()
            self._writers = []
        night = Night(
            uid=secrets.token_hex(8),
            begun=self._timestamp(),
            language=language,
            edition=edition,
            names=names or {},
            settings=settings or {},
        )
        self._writers.append(NightWriter(store_night(night)))
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
        """Write *command*, its *events* and *notes*, all or nothing; they are on the disk when this returns.

        Where the disk fails they are kept in memory, and `news` says so once.
        """
        writer = self._writer_of(night)
        entry = Entry(seat=seat, command=command, events=tuple(events), at=self._timestamp(), played=float(played))
        stored = {key: encode_note(value) for key, value in (notes or {}).items()}
        writer.add_entry(entry_record(writer.steps + 1, entry), stored)
        self.flush()

    def note(self, night: str, key: str, value: Any) -> None:
        """Set the note *key* to *value*, of JSON's types."""
        self._writer_of(night).set_notes({key: encode_note(value)})
        self.flush()

    def unfinished(self) -> Night | None:
        """Return the last night if it has not ended, ready for `append` to continue it; else None."""
        night = self.last()
        return None if night is None or night.outcome is not None else night

    def last(self) -> Night | None:
        """Return the last night, finished or not, ready for `note` and `append` to continue it; None without one."""
        if self._writers and self._writers[-1].steps:
            return self._decode(self._writers[-1].night)
        stored = self._read_last()
        night = None if stored is None else self._decode(stored)
        if stored is None or night is None:
            return None
        # On a disk that cannot be written its file is looked at again later.
        self._writers.append(NightWriter.resume(stored, self.folder if self._folder.is_ready else None))
        return night

    def import_night(self, night: Night) -> int:
        """Write *night*, which came from another journal, and return its number here."""
        known = self._ready_folder().numbers_by_uid().get(night.uid)
        if known is not None:
            raise BadDocument(f"this night is here already, as night {known}")
        number = self.folder.next_number()
        self._write_others([store_night(replace(night, number=number, imported=True))])
        return number

    def recover(self, nights: Iterable[StoredNight]) -> dict[str, int]:
        """Write those of *nights* that are not here, or have more steps than here; return their numbers by uid."""
        added = list(self._ready_folder().additions(nights))
        self._write_others(added)
        return {night.uid: night.number for night in added}

    def recently_seen_cards(self, edition: str) -> Counter[int]:
        """Return a weight for each card of *edition* on the tables of the last nights, higher for later nights."""
        try:
            return recency_weights(edition, JournalReader(self.path).recent_tables())
        except (OSError, BadJournal):
            return Counter()  # the next entry fails in the same way and makes the news

    def flush(self) -> bool:
        """Write what is pending, as `append` also does, and return whether all is on the disk."""
        try:
            self._write_pending()
        except (OSError, BadJournal) as error:
            if isinstance(error, BadJournal) and not self._was_open:
                raise
            fault = fault_of(error) if isinstance(error, OSError) else DiskFault.FAILING
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

    def _write_pending(self) -> None:
        complaints = self._folder.prepare(self._stamp())
        self._news += (News(NewsKind.SET_ASIDE, complaint) for complaint in complaints)
        for writer in self._writers:
            complaint = writer.write(self.folder, self._stamp())
            if complaint is not None:
                self._add_news(NewsKind.SET_ASIDE, complaint)
        for writer in self._writers[:-1]:
            writer.close()
        self._writers = self._writers[-1:]

    def _read_last(self) -> StoredNight | None:
        try:
            reader = JournalReader(self.path)
            number = reader.last_number()
            return None if number is None else reader.load(number)
        except (OSError, BadJournal):
            return None  # the news said what is wrong when the journal was opened

    def _decode(self, night: StoredNight) -> Night | None:
        try:
            return night.decode()
        except OtherVersion as error:
            text = f"The last night is of another version of seance and is left alone: {error}."
            self._add_news(NewsKind.UNREADABLE, text)
            return None

    def _ready_folder(self) -> NightFolder:
        """Return the folder, or raise BadJournal where nothing can be written to it."""
        if not self.flush():
            raise BadJournal(f"{self.folder.path}: nothing can be written: {self._fault}")
        return self.folder

    def _write_others(self, nights: Iterable[StoredNight]) -> None:
        """Write *nights* other than the one that is being played; or raise BadJournal."""
        try:
            for night in nights:
                self.folder.write(night, self._stamp())
        except OSError as error:
            raise BadJournal(f"{self.folder.path}: nothing can be written: {fault_of(error)}") from None

    def _compact(self) -> None:
        if self._folder.is_ready:
            for writer in self._writers:
                writer.compact(self.folder, self._stamp())

    def _writer_of(self, night: str) -> NightWriter:
        if not self._writers or self._writers[-1].uid != night:
            raise ValueError(f"night {night} is not being written: begin it, or go on with the unfinished one")
        return self._writers[-1]

    def _timestamp(self) -> str:
        return self._now().isoformat(timespec="milliseconds")

    def _stamp(self) -> str:
        """Return the time as a part of a file's name."""
        return f"{self._now():%Y-%m-%dT%H-%M-%S}"

    def _add_news(self, kind: NewsKind, text: str, fault: DiskFault | None = None) -> None:
        self._news.append(News(kind, text, fault))
