"""The folder of a journal: each night is a file, `0007.night`, or `0012.imported.night` if it came from elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from seance.journal.disk import is_file, is_folder, keep_copy, read_file, sync_folder, unused_name, write_file
from seance.journal.errors import BadJournal, Damaged, NoSuchNight, OtherVersion
from seance.journal.night_file import NightFile, ParsedFile, encode_file, parse_file
from seance.journal.stored_night import StoredNight

_NIGHT_NAME = re.compile(r"([0-9]{4,})(\.imported)?\.night")
_DAMAGED_NAME = re.compile(r"([0-9]{4,})\.damaged-.*\.night")
"""The name of a damaged night of this journal that was set aside."""
_NUMBERED_NAME = re.compile(r"([0-9]{4,})\..*night")
_BEGINNING_BYTES = 1 << 16
"""Enough of a file to hold the head and the first entry."""
_DATABASE_SUFFIXES = (".sqlite", ".sqlite3", ".db")
"""Of journals that were one SQLite file; their nights go into the folder of the same name without the suffix."""


def folder_of(path: Path) -> Path:
    """Return the folder of the journal that the settings call *path*, which may be the name of an SQLite file."""
    path = Path(os.path.realpath(path))  # two names of one journal have to be one folder
    if is_folder(path):
        return path
    if path.suffix in _DATABASE_SUFFIXES:
        return path.with_suffix("")
    beside = path.with_name(f"{path.name}.nights")
    return beside if is_file(path) or is_folder(beside) else path


def database_of(path: Path) -> Path | None:
    """Return the SQLite file of the journal that the settings call *path*, if nights have yet to be taken over."""
    folder = folder_of(path)
    candidates = (Path(os.path.realpath(path)), folder.with_name(f"{folder.name}{_DATABASE_SUFFIXES[0]}"))
    return next((candidate for candidate in candidates if is_file(candidate)), None)


class NightFolder:
    """The nights in one folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def numbers(self) -> list[int]:
        """Return the numbers of all nights, sound or not, in order."""
        return sorted(self._files())

    def path_of(self, number: int) -> Path:
        """Return the file of night *number*, or raise NoSuchNight."""
        try:
            return self._files()[number]
        except KeyError:
            message = f"{self.path}: there is no night {number}: `seance nights` lists those that there are"
            raise NoSuchNight(message) from None

    def load(self, number: int) -> ParsedFile:
        """Return what is sound of night *number*; or raise NoSuchNight, OtherVersion, or Damaged."""
        return parse_file(number, read_file(self.path_of(number)))

    def load_beginning(self, number: int) -> StoredNight:
        """Return night *number* with at least its first entry, if it has any; or raise as `load` does."""
        data = read_file(self.path_of(number), _BEGINNING_BYTES)
        night = parse_file(number, data).night if b"\n" in data else None
        return night if night and night.entries else self.load(number).night

    def last_number(self) -> int | None:
        """Return the number of the last night played here, finished or not; None where it is lost, or there is none."""
        files = {number: path for number, path in self._files().items() if not _is_imported(path)}
        for number in sorted(files | dict.fromkeys(self._numbers(_DAMAGED_NAME), None), reverse=True):
            if number not in files:
                return None  # nothing of it could be read; to go on with an older one would surprise
            try:
                night = self.load_beginning(number)
            except BadJournal:
                return number
            if night.entries or night.damage is not None:
                return number
        return None

    def next_number(self) -> int:
        """Return the number of the next night; no number is used twice."""
        return max(self._numbers(_NUMBERED_NAME), default=0) + 1

    def numbers_by_uid(self) -> dict[str, int]:
        """Return the number of each night whose head can be read, by its uid."""
        found = {}
        for number in self.numbers():
            try:
                found[self.load_beginning(number).uid] = number
            except (BadJournal, OSError):
                continue
        return found

    def additions(self, nights: Iterable[StoredNight]) -> Iterator[StoredNight]:
        """Yield those of *nights* that are not here, or have more steps, with the numbers that they have here."""
        known, taken = self.numbers_by_uid(), {0, *self._numbers(_NUMBERED_NAME)}
        for night in nights:
            number = known.get(night.uid)
            if number is None:
                number = max(taken) + 1 if night.number in taken or night.number < 0 else night.number
            elif len(self.load(number).night.entries) >= len(night.entries):
                continue
            taken.add(number)
            known[night.uid] = number
            yield night.numbered(number)

    def write(self, night: StoredNight, stamp: str) -> Path | None:
        """Write the file of *night* in one step; return the second name of the old file if something of it was lost.

        The new file is durable; an old one that is damaged, or another course of the night, gets a name with *stamp*.
        """
        path = self._files().get(night.number) or self.path / file_name(night)
        aside = None
        if path.exists() and (label := self._label_of_old(night)):
            aside = unused_name(path, f"{label}-{stamp}")
            keep_copy(path, aside)
        write_file(path, encode_file(night)[0])
        sync_folder(self.path)
        return aside

    def open_file(self, number: int) -> NightFile:
        """Return the file of night *number*, which is sound, to append to."""
        path = self.path_of(number)
        data = read_file(path)
        return NightFile(path, length=len(data), chain=parse_file(number, data).chain)

    def set_aside(self, number: int, stamp: str) -> Path:
        """Rename the file of night *number*, of which nothing can be read, and return its new name."""
        path = self.path_of(number)
        aside = unused_name(path, f"damaged-{stamp}")
        path.rename(aside)
        sync_folder(self.path)
        return aside

    def _label_of_old(self, night: StoredNight) -> str | None:
        """Return what to call the file that *night* replaces; None where nothing of it is lost."""
        try:
            old = self.load(night.number).night
        except Damaged:
            return "damaged"
        except OtherVersion:
            return "replaced"
        if old.damage is not None:
            return "damaged"
        return None if old.entries == night.entries[: len(old.entries)] else "replaced"

    def _files(self) -> dict[int, Path]:
        found = {}
        for name in self._names():
            if matched := _NIGHT_NAME.fullmatch(name):
                found[int(matched[1])] = self.path / name
        return found

    def _numbers(self, pattern: re.Pattern[str]) -> Iterator[int]:
        return (int(matched[1]) for name in self._names() if (matched := pattern.fullmatch(name)))

    def _names(self) -> list[str]:
        try:
            return sorted(path.name for path in self.path.iterdir())
        except FileNotFoundError:
            return []


def file_name(night: StoredNight) -> str:
    """Return the name of the file of *night*."""
    return f"{night.number:04}{'.imported' if night.imported else ''}.night"


def _is_imported(path: Path) -> bool:
    return path.name.endswith(".imported.night")
