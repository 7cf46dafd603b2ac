"""Encodes nights as rows of the database and back; a chained CRC-32, the column `seal`, protects each row."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import msgspec

from seance.codec import command_fields, decode_command, decode_event, event_fields
from seance.journal.errors import Damaged
from seance.journal.recorded_night import Entry, Night, outcome_of
from seance.rules import Edition, Seat

Statement = tuple[str, tuple[Any, ...]]
"""SQL and its parameters; idempotent."""

_INSERT_NIGHT = (
    "INSERT INTO nights (number, uid, imported, head, seal) VALUES (?, ?, ?, ?, ?) ON CONFLICT (uid) DO NOTHING"
)
_INSERT_ENTRY = (
    "INSERT INTO entries (night, step, at, played, seat, command, events, seal)"
    " SELECT number, ?, ?, ?, ?, ?, ?, ? FROM nights WHERE uid = ? ON CONFLICT DO NOTHING"
)
_UPSERT_NOTE = (
    "INSERT INTO notes (night, key, value, seal) SELECT number, ?, ?, ? FROM nights WHERE uid = ?"
    " ON CONFLICT DO UPDATE SET value = excluded.value, seal = excluded.seal"
)
_UPDATE_OUTCOME = "UPDATE nights SET outcome = ? WHERE uid = ?"


def _checksum(values: Sequence[object], previous: int = 0) -> int:
    """Return the CRC-32 of *values* chained to *previous*: SQLite itself does not notice a changed byte in a text."""
    return crc32(msgspec.json.encode(values), previous)


class NightEncoder:
    """Makes the statements that write one night, entry after entry."""

    def __init__(self, night: Night) -> None:
        self.uid = night.uid
        self._step = 0
        head = _to_json({name: getattr(night, name) for name in ("begun", "language", "names", "settings", "edition")})
        self.checksum = _checksum([night.uid, head])
        self._head = (_INSERT_NIGHT, (night.number, night.uid, night.imported, head, self.checksum))

    def head(self) -> Statement:
        """Return the statement that inserts the night's head."""
        return self._head

    def entry(self, entry: Entry) -> Iterator[Statement]:
        """Yield the statements that insert the next *entry*."""
        self._step += 1
        command = _to_json(command_fields(entry.command))
        events = _to_json([event_fields(event) for event in entry.events])
        values = (self._step, entry.at, entry.played, entry.seat.value, command, events)
        self.checksum = _checksum(values, self.checksum)
        yield _INSERT_ENTRY, (*values, self.checksum, self.uid)
        if outcome := outcome_of(entry.events):
            yield _UPDATE_OUTCOME, (_to_json(outcome), self.uid)

    def all_statements(self, night: Night) -> list[Statement]:
        """Return the statements that insert *night* as a whole; the next call of `entry` continues after it."""
        entries = (statement for entry in night.entries for statement in self.entry(entry))
        return [self.head(), *entries, *(self.note(key, value) for key, value in night.notes.items())]

    def note(self, key: str, value: Any) -> Statement:
        """Return the statement that sets the note *key*."""
        text = _to_json(value)
        return _UPSERT_NOTE, (key, text, _checksum([key, text]), self.uid)


def night_statements(night: Night) -> list[Statement]:
    """Return the statements that insert *night* as a whole."""
    return NightEncoder(night).all_statements(night)


def decode_head(row: tuple[Any, ...]) -> Night:
    """Return the night, without entries, whose head is *row* (number, uid, imported, head, seal); or raise Damaged."""
    number, uid, imported, head, seal = row
    if not isinstance(head, str) or seal != _checksum([uid, head]):
        raise Damaged(f"the head of night {number} is damaged")
    given = msgspec.json.decode(head)
    given["edition"] = msgspec.convert(given["edition"], type=Edition, strict=False)
    return Night(uid=uid, number=number, imported=bool(imported), **given)


def verified_rows(night: Night, rows: Iterator[tuple[Any, ...]]) -> Iterator[Sequence[Any]]:
    """Yield *rows* (step, at, played, seat, command, events, seal) without the seal; raise Damaged at a wrong one."""
    checksum = NightEncoder(night).checksum
    for expected, (*values, seal) in enumerate(rows, start=1):
        checksum = _checksum(values, checksum)
        if values[0] != expected or seal != checksum:
            raise Damaged(f"night {night.number} is damaged at its step {expected}")
        yield values


def decode_entry(values: Sequence[Any], editions: Mapping[str, Edition]) -> Entry:
    """Return the entry encoded in *values* (step, at, played, seat, command, events)."""
    _, at, played, seat, command, events = values
    return Entry(
        seat=Seat(seat),
        command=decode_command(msgspec.json.decode(command), editions),
        events=tuple(decode_event(event, editions) for event in msgspec.json.decode(events)),
        at=at,
        played=played,
    )


def decode_notes(night: Night, rows: Iterator[tuple[Any, ...]]) -> dict[str, Any]:
    """Return the notes in *rows* (key, value, seal), or raise Damaged."""
    notes = {}
    for key, value, seal in rows:
        if not isinstance(value, str) or seal != _checksum([key, value]):
            raise Damaged(f"the notes of night {night.number} are damaged")
        notes[key] = msgspec.json.decode(value)
    return notes


def _to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
