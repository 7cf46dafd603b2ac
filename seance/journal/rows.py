"""Nights as rows of the database and back, each row sealed to the one before; no row is written here."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import msgspec

from seance.codec import command_fields, decode_command, decode_event, event_fields
from seance.journal.errors import Damaged
from seance.journal.recorded_night import Entry, Night, outcome_of
from seance.rules import Edition, Seat

Statement = tuple[str, tuple[Any, ...]]
"""SQL and what stands in its holes; done a second time it changes nothing."""

_HEAD = "INSERT INTO nights (number, uid, imported, head, seal) VALUES (?, ?, ?, ?, ?) ON CONFLICT (uid) DO NOTHING"
_ENTRY = (
    "INSERT INTO entries (night, step, at, played, seat, command, events, seal)"
    " SELECT number, ?, ?, ?, ?, ?, ?, ? FROM nights WHERE uid = ? ON CONFLICT DO NOTHING"
)
_NOTE = (
    "INSERT INTO notes (night, key, value, seal) SELECT number, ?, ?, ? FROM nights WHERE uid = ?"
    " ON CONFLICT DO UPDATE SET value = excluded.value, seal = excluded.seal"
)
_OUTCOME = "UPDATE nights SET outcome = ? WHERE uid = ?"


def _seal(values: Sequence[object], previous: int = 0) -> int:
    """Return a number that fits *values* after *previous* alone: SQLite does not see a changed byte in a text."""
    return crc32(msgspec.json.encode(values), previous)


class Writer:
    """Makes the statements that write down one night, entry after entry."""

    def __init__(self, night: Night) -> None:
        self.uid = night.uid
        self._step = 0
        head = _text({name: getattr(night, name) for name in ("begun", "language", "names", "settings", "edition")})
        self.seal = _seal([night.uid, head])
        self._head = (_HEAD, (night.number, night.uid, night.imported, head, self.seal))

    def head(self) -> Statement:
        """Return what writes down that there is such a night."""
        return self._head

    def entry(self, entry: Entry) -> Iterator[Statement]:
        """Yield what writes down the next *entry*."""
        self._step += 1
        command = _text(command_fields(entry.command))
        events = _text([event_fields(event) for event in entry.events])
        values = (self._step, entry.at, entry.played, entry.seat.value, command, events)
        self.seal = _seal(values, self.seal)
        yield _ENTRY, (*values, self.seal, self.uid)
        if outcome := outcome_of(entry.events):
            yield _OUTCOME, (_text(outcome), self.uid)

    def go_on(self, night: Night) -> list[Statement]:
        """Return what writes down *night* as a whole; the next entry comes after its last."""
        entries = (statement for entry in night.entries for statement in self.entry(entry))
        return [self.head(), *entries, *(self.note(key, value) for key, value in night.notes.items())]

    def note(self, key: str, value: Any) -> Statement:
        """Return what writes down the note *key*."""
        text = _text(value)
        return _NOTE, (key, text, _seal([key, text]), self.uid)


def statements(night: Night) -> list[Statement]:
    """Return what writes down *night* as a whole."""
    return Writer(night).go_on(night)


def unsealed_head(row: tuple[Any, ...]) -> Night:
    """Return the night that *row* (number, uid, imported, head, seal) is the head of, without its entries."""
    number, uid, imported, head, seal = row
    if not isinstance(head, str) or seal != _seal([uid, head]):
        raise Damaged(f"the head of night {number} is damaged")
    given = msgspec.json.decode(head)
    given["edition"] = msgspec.convert(given["edition"], type=Edition, strict=False)
    return Night(uid=uid, number=number, imported=bool(imported), **given)


def unsealed(night: Night, rows: Iterator[tuple[Any, ...]]) -> Iterator[Sequence[Any]]:
    """Yield *rows* (step, at, played, seat, command, events, seal) without their seals; raise Damaged at a bad one."""
    seal = Writer(night).seal
    for expected, (*values, found) in enumerate(rows, start=1):
        seal = _seal(values, seal)
        if values[0] != expected or found != seal:
            raise Damaged(f"night {night.number} is damaged at its step {expected}")
        yield values


def entry_of(values: Sequence[Any], editions: Mapping[str, Edition]) -> Entry:
    """Return the entry that *values* (step, at, played, seat, command, events) spell."""
    _, at, played, seat, command, events = values
    return Entry(
        seat=Seat(seat),
        command=decode_command(msgspec.json.decode(command), editions),
        events=tuple(decode_event(event, editions) for event in msgspec.json.decode(events)),
        at=at,
        played=played,
    )


def unsealed_notes(night: Night, rows: Iterator[tuple[Any, ...]]) -> dict[str, Any]:
    """Return the notes in *rows* (key, value, seal), or raise Damaged."""
    notes = {}
    for key, value, seal in rows:
        if not isinstance(value, str) or seal != _seal([key, value]):
            raise Damaged(f"the notes of night {night.number} are damaged")
        notes[key] = msgspec.json.decode(value)
    return notes


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
