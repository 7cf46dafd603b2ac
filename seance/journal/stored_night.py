"""A night as it is stored: one JSON record for its head and for each entry, and the last value of each note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NoReturn

import msgspec

from seance.codec import command_fields, decode_command, decode_event, event_fields
from seance.journal.errors import Damaged, OtherVersion
from seance.journal.recorded_night import Entry, Night, outcome_of
from seance.journal.stored_edition import decode_edition, edition_fields
from seance.rules import Begin, Command, Edition, Event, Outcome, Refusal, Seat

FORMAT = "seance night 2"
"""The first field of every head; "seance night 1" is the format of exported documents."""

_UNREADABLE = (msgspec.MsgspecError, Refusal, ValueError, LookupError, TypeError, RecursionError)
"""What decoding raises where a record is not of this version."""


@dataclass(frozen=True, slots=True)
class NightSummary:
    """A night in the list of nights."""

    night: Night
    """Its head, without entries and notes."""
    begin: Begin
    steps: int
    played: float
    """Time played (seconds)."""
    outcome: Outcome | None
    """None while the night has not ended."""


@dataclass(frozen=True, slots=True)
class StoredNight:
    """The intact records of one night."""

    head: bytes
    """Of this version, as `check_head` finds."""
    entries: tuple[bytes, ...] = ()
    notes: Mapping[str, msgspec.Raw] = field(default_factory=dict)
    damage: str | None = None
    """Where it is damaged ("after step 41"); None where it is whole."""

    @property
    def number(self) -> int:
        """Return the number under which it was written."""
        return self._head_fields().number

    @property
    def uid(self) -> str:
        """Return the name that it has in every journal."""
        return self._head_fields().uid

    @property
    def imported(self) -> bool:
        """Return whether it came from another journal."""
        return self._head_fields().imported

    @property
    def name(self) -> str:
        """Return what to call it, as "night 7 of 31 October 1922"."""
        head = self._head_fields()
        return night_name(head.number, head.begun)

    @property
    def loss(self) -> str | None:
        """Return what is lost of it, in one phrase that names it; None where it is whole."""
        return None if self.damage is None else f"{self.name} is damaged {self.damage}"

    def numbered(self, number: int) -> StoredNight:
        """Return the same night under another *number*."""
        if self.number == number:
            return self
        fields = msgspec.json.decode(self.head, type=dict[str, msgspec.Raw])
        return replace(self, head=msgspec.json.encode(fields | {"number": number}))

    def decode(self) -> Night:
        """Return the night that the records spell, or raise OtherVersion."""
        head = self.decode_head()
        editions = {head.edition.name: head.edition}
        entries = []
        for step, record in enumerate(self.entries, start=1):
            try:
                entries.append(_decode_entry(record, editions))
            except _UNREADABLE as error:
                self._raise_other_version(f"step {step}: {error}")
        if entries and not isinstance(entries[0].command, Begin):
            self._raise_other_version("it does not begin with its beginning")
        notes = {key: msgspec.json.decode(value) for key, value in self.notes.items()}
        return replace(head, entries=tuple(entries), notes=notes, damage=self.loss)

    def decode_head(self) -> Night:
        """Return the night without entries and notes, or raise OtherVersion."""
        head = self._head_fields()
        try:
            if head.format != FORMAT:
                raise ValueError(f"its format is {head.format!r}: install a newer seance")
            return Night(
                uid=head.uid,
                number=head.number,
                imported=head.imported,
                begun=head.begun,
                language=head.language,
                names=head.names,
                settings=head.settings,
                edition=decode_edition(head.edition),
            )
        except _UNREADABLE as error:
            self._raise_other_version(str(error))

    def summary(self) -> NightSummary:
        """Return the summary, or raise Damaged or OtherVersion."""
        head = self.decode_head()
        if not self.entries:
            raise Damaged(f"nothing of {self.name} can be read but its head")
        editions = {head.edition.name: head.edition}
        try:
            begin = _decode_command(msgspec.json.decode(self.entries[0], type=_EntryFields), editions)
            last = _decode_entry(self.entries[-1], editions)
        except _UNREADABLE as error:
            self._raise_other_version(str(error))
        if not isinstance(begin, Begin):
            self._raise_other_version("it does not begin with its beginning")
        return NightSummary(head, begin, len(self.entries), last.played, outcome_of(last.events))

    def table(self) -> tuple[str, dict[str, list[int]]] | None:
        """Return edition and cards on the table at the beginning; None where they cannot be read."""
        try:
            first, *_ = msgspec.json.decode(self.entries[0], type=_FirstEntry).events
        except _UNREADABLE:
            return None
        return first.edition, first.table

    def _head_fields(self) -> _HeadFields:
        return msgspec.json.decode(self.head, type=_HeadFields)

    def _raise_other_version(self, reason: str) -> NoReturn:
        raise OtherVersion(f"{self.name} cannot be read: {reason}") from None


@dataclass(frozen=True, slots=True)
class FoundNights:
    """What can be read of the nights in a file."""

    nights: tuple[StoredNight, ...]
    losses: tuple[str, ...]
    """What is lost, each in one phrase that names the night."""


class _HeadFields(msgspec.Struct):
    """The head of a night, the edition not decoded yet."""

    format: str
    uid: str
    number: int
    imported: bool
    begun: str
    language: str
    edition: msgspec.Raw
    names: dict[str, str] = {}
    settings: dict[str, Any] = {}


class _EntryFields(msgspec.Struct):
    """The record of an entry."""

    step: int
    at: str
    played: float
    seat: Seat
    command: dict[str, Any]
    events: list[dict[str, Any]]


class _FirstEvent(msgspec.Struct):
    """The fields of a night's first event that `StoredNight.table` reads."""

    edition: str = ""
    table: dict[str, list[int]] = {}


class _FirstEntry(msgspec.Struct):
    events: tuple[_FirstEvent, ...]


def check_head(number: int, record: bytes) -> None:
    """Raise OtherVersion if *record* is not the head of a night, that of night *number*."""
    try:
        msgspec.json.decode(record, type=_HeadFields)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise OtherVersion(f"night {number} cannot be read: its head: {error}") from None


def store_night(night: Night) -> StoredNight:
    """Return *night* as it is stored; its number is 0 where it has none yet."""
    head = {
        "format": FORMAT,
        "uid": night.uid,
        "number": night.number or 0,
        "imported": night.imported,
        **{name: getattr(night, name) for name in ("begun", "language", "names", "settings")},
        "edition": edition_fields(night.edition),
    }
    entries = tuple(entry_record(step, entry) for step, entry in enumerate(night.entries, start=1))
    notes = {key: encode_note(value) for key, value in night.notes.items()}
    return StoredNight(msgspec.json.encode(head), entries, notes)


def entry_record(step: int, entry: Entry) -> bytes:
    """Return the record of the *entry* that is number *step* of its night, from 1."""
    fields = {
        "step": step,
        "at": entry.at,
        "played": entry.played,
        "seat": entry.seat.value,
        "command": command_fields(entry.command),
        "events": [event_fields(event) for event in entry.events],
    }
    return msgspec.json.encode(fields)


def encode_note(value: Any) -> msgspec.Raw:
    """Return the value of a note, of JSON's types, as it is stored."""
    return msgspec.Raw(msgspec.json.encode(value))


def night_name(number: int, begun: str) -> str:
    """Return what to call night *number* that was *begun* at a time (ISO 8601)."""
    try:
        date = datetime.fromisoformat(begun)
    except ValueError:  # an imported document may have any text
        return f"night {number}"
    return f"night {number} of {date.day} {date:%B %Y}"


def _decode_entry(record: bytes, editions: Mapping[str, Edition]) -> Entry:
    given = msgspec.json.decode(record, type=_EntryFields)
    return Entry(
        seat=given.seat,
        command=_decode_command(given, editions),
        events=_decode_events(given, editions),
        at=given.at,
        played=given.played,
    )


def _decode_command(given: _EntryFields, editions: Mapping[str, Edition]) -> Command:
    return decode_command(given.command, editions)


def _decode_events(given: _EntryFields, editions: Mapping[str, Edition]) -> tuple[Event, ...]:
    return tuple(decode_event(event, editions) for event in given.events)
