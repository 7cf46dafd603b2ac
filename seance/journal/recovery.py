"""Reads nights from files that were set aside or backed up, and copies the nights of a journal to a backup."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from seance.journal.disk import make_folder_durably, read_file, sync_folder, write_file
from seance.journal.errors import BadJournal, Damaged, OtherVersion
from seance.journal.folder import file_name
from seance.journal.night_file import encode_file, parse_file
from seance.journal.reader import JournalReader
from seance.journal.sqlite_file import MAGIC, read_database
from seance.journal.stored_night import FoundNights, StoredNight


def find_nights(path: Path) -> FoundNights:
    """Return what is sound in *path*: a night's file, an SQLite journal, or a folder of such; or raise BadJournal."""
    try:
        if path.is_dir():
            files = sorted((*path.glob("*.night"), *path.glob("*.sqlite")))
            found = [_find_in_file(file) for file in files]
        else:
            found = [_find_in_file(path)]
    except OSError as error:
        raise BadJournal(f"{path}: cannot be read: {error.strerror or error}") from None
    return FoundNights(
        tuple(night for each in found for night in each.nights), tuple(loss for each in found for loss in each.losses)
    )


def _find_in_file(path: Path) -> FoundNights:
    data = read_file(path)
    if data.startswith(MAGIC) or path.suffix == ".sqlite":
        try:
            return read_database(path)
        except Damaged as error:
            return FoundNights((), (str(error),))
    numbered = re.match(r"\d+", path.name)
    try:
        night = parse_file(int(numbered[0]) if numbered else 0, data).night
    except (Damaged, OtherVersion) as error:
        return FoundNights((), (f"{path.name}: {error}",))
    losses = () if night.loss is None else (night.loss,)
    return FoundNights((night,) if night.entries else (), losses)


@dataclass(frozen=True, slots=True)
class Backup:
    """What came of a backup: names of files."""

    written: tuple[str, ...]
    """Those that are new or longer than before."""
    unchanged: tuple[str, ...]
    refused: tuple[str, ...]
    """Those that were not overwritten, because the backup has another night, or more of it, under that name."""


def back_up(reader: JournalReader, folder: Path) -> Backup:
    """Copy every night of *reader* to *folder*, durably; or raise OSError."""
    make_folder_durably(folder)
    written, unchanged, refused = list[str](), list[str](), list[str]()
    for name, data in _files_to_copy(reader).items():
        target = folder / name
        old = read_file(target) if os.path.lexists(target) else None
        if old == data:
            unchanged.append(name)
        elif old is None or _continues(old, data):
            write_file(target, data)
            written.append(name)
        else:
            refused.append(name)
    sync_folder(folder)
    return Backup(tuple(written), tuple(unchanged), tuple(refused))


def _files_to_copy(reader: JournalReader) -> dict[str, bytes]:
    """Return the content of each file by its name; damaged files, also those that were set aside, as they are."""
    folder = reader.folder.path
    files = {path.name: read_file(path) for path in sorted(folder.glob("*.night"))}
    for number in reader.numbers():
        try:
            night = reader.load(number)
        except BadJournal:
            continue
        name = file_name(night)
        if night.damage is None or name not in files:
            files[name] = encode_file(night)[0]
    return files


def _continues(old: bytes, new: bytes) -> bool:
    """Return whether *new* is the same night as *old* and has all of its steps."""
    before, after = _parse(old), _parse(new)
    if before is None or after is None or before.uid != after.uid:
        return False
    return before.entries == after.entries[: len(before.entries)]


def _parse(data: bytes) -> StoredNight | None:
    try:
        return parse_file(0, data).night
    except BadJournal:
        return None
