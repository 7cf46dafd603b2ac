"""A night as one JSON document, to back up or to give away."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from seance.codec import command_fields, decode_command, decode_event, event_fields
from seance.journal.errors import BadDocument
from seance.journal.recorded_night import Entry, Night
from seance.journal.stored_edition import decode_edition, edition_fields
from seance.rules import Edition, Refusal, Seat, State, apply


class _DocumentEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: Seat
    at: str
    played: float
    command: dict[str, Any]
    events: list[dict[str, Any]]


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["seance night 1"]
    uid: str
    begun: str
    language: str
    names: dict[str, str]
    settings: dict[str, Any]
    edition: msgspec.Raw
    notes: dict[str, Any]
    entries: list[_DocumentEntry]


def export_document(night: Night) -> bytes:
    """Return *night* as JSON: the secrets of the game included, the ghost's seat left out."""
    whole = _Document(
        format="seance night 1",
        uid=night.uid,
        begun=night.begun,
        language=night.language,
        names=dict(night.names),
        settings=dict(night.settings),
        edition=msgspec.Raw(msgspec.json.encode(edition_fields(night.edition))),
        notes=_notes_to_give_away(night.notes),
        entries=[
            _DocumentEntry(
                entry.seat,
                entry.at,
                entry.played,
                command_fields(entry.command),
                [event_fields(event) for event in entry.events],
            )
            for entry in night.entries
        ],
    )
    return msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"


def _notes_to_give_away(notes: Mapping[str, Any]) -> dict[str, Any]:
    """Return *notes* without who holds the ghost's seat, and the key that signs its cookies."""
    return {
        key: {name: each for name, each in value.items() if name != "chair"} if isinstance(value, dict) else value
        for key, value in notes.items()
    }


def import_document(text: bytes) -> Night:
    """Return the night in the JSON *text*, replayed to check it against the rules; or raise BadDocument."""
    try:
        parsed = msgspec.json.decode(text, type=_Document)
        edition = decode_edition(parsed.edition)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadDocument(f"not a night: {error}") from None
    if not parsed.entries:
        raise BadDocument("not a night: it has no entries")
    kept = {name: getattr(parsed, name) for name in ("uid", "begun", "language", "names", "settings", "notes")}
    return Night(**kept, edition=edition, entries=_replay_entries(parsed, edition))


def _replay_entries(parsed: _Document, edition: Edition) -> tuple[Entry, ...]:
    editions, entries = {edition.name: edition}, []
    state: State | None = None
    for step, each in enumerate(parsed.entries, start=1):
        try:
            command = decode_command(each.command, editions)
            events = tuple(decode_event(event, editions) for event in each.events)
            state, expected = apply(state, command)
        except Refusal as refusal:
            raise BadDocument(f"entries, step {step}: {refusal}") from None
        except (LookupError, ValueError, TypeError):
            raise BadDocument(f"entries, step {step}: this edition cannot be played") from None
        if events != expected:
            raise BadDocument(f"entries, step {step}: by the rules something else follows from {each.command}")
        entries.append(Entry(seat=each.seat, command=command, events=events, at=each.at, played=each.played))
    return tuple(entries)
