"""The format of a night's file: a line for each record, `<checksum> <JSON>`; and a file that is being appended to.

The checksum is a CRC-32 (8 hexadecimal digits) of the record that continues the checksum of the entry before it, or of
the head. Notes do not continue the chain, so that a damaged one costs no entry.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import msgspec

from seance.journal.disk import sync_data, write_all
from seance.journal.errors import Damaged, DiskFault, fault_of
from seance.journal.stored_night import StoredNight, check_head

_TORN = re.compile(rb"[0-9a-f]{0,8}|[0-9a-f]{8} [^\0]*")
"""The beginning of a line, as a power cut leaves it."""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What a night's file holds."""

    night: StoredNight
    chain: int
    """The checksum that the next line continues."""
    superseded_bytes: int
    """How much of the file is notes that later ones have replaced."""
    torn: bool
    """Whether its last line was cut off while it was written."""


class NightBuilder:
    """Puts a night together from its records, whatever of it is damaged."""

    def __init__(self, head: bytes) -> None:
        self.head = head
        self.entries: list[bytes] = []
        self.notes: dict[str, msgspec.Raw] = {}
        self._awaited: tuple[int, Mapping[str, msgspec.Raw]] = (0, {})
        """Notes that belong to an entry which has yet to follow, and its step."""
        self._damaged_after: int | None = None
        self._is_stale = False
        """Whether notes may have been lost since the last ones."""

    def add_entry(self, step: int, record: bytes) -> bool:
        """Add an entry, and return whether it is the one that follows."""
        if step != len(self.entries) + 1:
            return False
        self.entries.append(record)
        awaited_by, notes = self._awaited
        if awaited_by == step:
            self.set_notes(notes)
        elif self._is_stale:
            self.notes.clear()  # they would not fit the state after this entry
        self._awaited = (0, {})
        return True

    def set_notes(self, notes: Mapping[str, msgspec.Raw], step: int = 0) -> None:
        """Set *notes*; those of a *step* that has yet to follow are set with it."""
        if step > len(self.entries):
            self._awaited = (step, notes)
            return
        self.notes |= notes
        self._is_stale = False

    def note_damage(self) -> None:
        """Remember that something was lost here."""
        self._damaged_after = len(self.entries)
        self._is_stale = True

    def build(self) -> StoredNight:
        """Return the night."""
        steps, damage = len(self.entries), None
        if self._damaged_after is not None:
            damage = f"after step {steps}" if self._damaged_after == steps else f"beside its {steps} steps, all sound"
        return StoredNight(self.head, tuple(self.entries), dict(self.notes), damage)


class _Line(msgspec.Struct):
    """What tells an entry from notes."""

    step: int = 0
    command: msgspec.Raw = msgspec.Raw()
    notes: dict[str, msgspec.Raw] = {}


def encode_file(night: StoredNight) -> tuple[bytes, int]:
    """Return *night* as the content of a file, and the checksum that its next line continues."""
    lines, chain = [], 0
    for record in (night.head, *night.entries):
        line, chain = seal(record, chain)
        lines.append(line)
    if night.notes:
        lines.append(seal(notes_record(night.notes), chain)[0])
    return b"".join(lines), chain


def notes_record(notes: Mapping[str, msgspec.Raw], step: int | None = None) -> bytes:
    """Return the record of *notes*, written at once or together with the entry *step*, which follows it."""
    return msgspec.json.encode({"notes": notes} if step is None else {"notes": notes, "step": step})


def seal(record: bytes, chain: int) -> tuple[bytes, int]:
    """Return the line of *record*, and its checksum."""
    checksum = crc32(record, chain)
    return b"%08x %b\n" % (checksum, record), checksum


def parse_file(number: int, data: bytes) -> ParsedFile:
    """Return what is sound in the *data* of the file of night *number*; or raise Damaged or OtherVersion.

    With 0 the night keeps the number that its head says; otherwise the name of a file decides.
    """
    *lines, rest = data.split(b"\n")
    head = _unseal(lines[0], 0) if lines else None
    if head is None:
        raise Damaged(f"night {number} is damaged from its first line on: nothing of it can be read")
    check_head(number, head[0])
    parser = _LineParser(*head)
    for line in lines[1:]:
        if not parser.add_line(line):
            parser.builder.note_damage()
    # What follows the last newline is a line that was cut off, or whose newline is damaged.
    if rest and not parser.add_line(rest) and not parser.add_line(rest[:-1]) and not _TORN.fullmatch(rest):
        parser.builder.note_damage()
    night = parser.builder.build()
    night = night.numbered(number) if number else night
    return ParsedFile(night, parser.chain, parser.superseded_bytes, torn=bool(rest))


class _LineParser:
    """Adds the lines of a file to a night, as far as their checksums are right."""

    def __init__(self, head: bytes, chain: int) -> None:
        self.builder = NightBuilder(head)
        self.chain = chain
        self.superseded_bytes = 0
        self._last_notes_bytes = 0

    def add_line(self, line: bytes) -> bool:
        """Add what *line* says, and return whether it is sound and follows."""
        unsealed = _unseal(line, self.chain)
        parsed = None if unsealed is None else _parse_record(unsealed[0])
        if unsealed is None or parsed is None:
            return False
        if not parsed.command:
            self.builder.set_notes(parsed.notes, parsed.step)
            self.superseded_bytes += self._last_notes_bytes
            self._last_notes_bytes = len(line) + 1
        elif self.builder.add_entry(parsed.step, unsealed[0]):
            self.chain = unsealed[1]
        else:
            return False
        return True


def _unseal(line: bytes, chain: int) -> tuple[bytes, int] | None:
    """Return the record of *line* and its checksum; None where they do not agree."""
    record = line[9:]
    checksum = crc32(record, chain)
    return (record, checksum) if line[:9] == b"%08x " % checksum else None


def _parse_record(record: bytes) -> _Line | None:
    try:
        return msgspec.json.decode(record, type=_Line)
    except (msgspec.MsgspecError, RecursionError):
        return None


class NightFile:
    """The open file of a night, to which lines are appended."""

    def __init__(self, path: Path, *, length: int, chain: int) -> None:
        """Open the sound file at *path*, of *length* bytes, whose next line continues *chain*."""
        self.path = path
        self._length = length
        self._chain = chain
        self._descriptor: int | None = os.open(path, os.O_WRONLY | os.O_APPEND)
        self._state = self._stat()

    def append(self, records: Iterable[tuple[bytes, bool]]) -> None:
        """Append *records*, each with whether it is an entry, in one write that is on the disk when this returns.

        Where that fails, the file is as it was, or `is_unchanged` returns False from then on.
        """
        if self._descriptor is None:
            raise ValueError("the file is closed")
        lines, chain = [], self._chain
        for record, is_entry in records:
            line, checksum = seal(record, chain)
            lines.append(line)
            chain = checksum if is_entry else chain
        data = b"".join(lines)
        try:
            write_all(self._descriptor, data)
        except OSError as error:
            if fault_of(error) is not DiskFault.FULL:
                self.close()
                raise
            self._cut_back()
            raise
        try:
            sync_data(self._descriptor)
        except OSError:
            # Linux reports a failed write once, and forgets the data: nothing of this file can be relied on.
            self.close()
            raise
        self._length, self._chain = self._length + len(data), chain
        self._state = self._stat()

    @property
    def is_open(self) -> bool:
        """Return whether lines can be appended; not after a failed write, which may have left anything in the file."""
        return self._descriptor is not None

    def is_unchanged(self) -> bool:
        """Return whether the file is still at its path, and nobody else has written to it."""
        if self._descriptor is None:
            return False
        try:
            found = self.path.stat()
        except OSError:
            return False
        return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns) == self._state

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _cut_back(self) -> None:
        """Remove the part of a line for which there was no room, or close the file."""
        assert self._descriptor is not None  # noqa: S101
        try:
            os.ftruncate(self._descriptor, self._length)
            self._state = self._stat()
        except OSError:
            self.close()

    def _stat(self) -> tuple[int, int, int, int]:
        assert self._descriptor is not None  # noqa: S101
        found = os.fstat(self._descriptor)
        return found.st_dev, found.st_ino, self._length, found.st_mtime_ns
