"""The snapshot of an evening, stored in the journal beside a night's events and restored with them."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from seance.dialogue.conversation import Conversation
from seance.journal import Night
from seance.narration.script import Memory
from seance.web.page_state import PsychicSeatsState, SeatState

JOURNAL_KEY = "evening"
"""The key under which the journal stores it."""

log = logging.getLogger(__name__)


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """An evening at one moment, without the state of the rules.

    `name=` is the stored name of a field. Unknown fields are ignored and missing ones get their default, so a stored
    name that changed would silently be forgotten.
    """

    conversation: Conversation = msgspec.field(default_factory=Conversation, name="conversation")
    memory: Memory = msgspec.field(default_factory=Memory, name="told")
    """Which lines were said."""
    sand_left_s: float | None = msgspec.field(default=None, name="sand_left")
    """None if no sand is running."""
    sand_turn_s: float = msgspec.field(default=0.0, name="sand_of")
    """Seconds of a whole turn of the sand."""
    last_told_step: int | None = msgspec.field(default=None, name="told_to")
    """The last step of the night that was told to the room; None in old journals, which means all of them."""
    button_count: int = msgspec.field(default=0, name="counted")
    """How often the ghost has pressed `yes` to count to the culprit."""
    seat: SeatState | None = msgspec.field(default=None, name="chair")
    psychic_seats: PsychicSeatsState | None = msgspec.field(default=None, name="psychic_seats")

    def differs_beyond_time(self, other: "Snapshot") -> bool:
        """Tell whether anything but elapsed time differs from *other*."""
        return _without_time(self) != _without_time(other)


def to_journal(snapshot: Snapshot) -> dict[str, Any]:
    """Return *snapshot* under its key, in JSON's types."""
    return {JOURNAL_KEY: msgspec.to_builtins(snapshot)}


def from_journal(notes: Mapping[str, Any]) -> Snapshot:
    """Return the snapshot among a night's *notes*; an empty one if it cannot be read, as the events hold the night."""
    try:
        snapshot = msgspec.convert(notes.get(JOURNAL_KEY, {}), Snapshot)
    except msgspec.ValidationError as error:
        log.warning("the notes of the night are of another version and left out: %s", error)
        return Snapshot()
    return msgspec.structs.replace(snapshot, conversation=replace(snapshot.conversation, quiet=0.0))


def is_told(night: Night) -> bool:
    """Tell whether the room has been told all of *night*."""
    last_told_step = from_journal(night.notes).last_told_step
    return last_told_step is None or last_told_step >= len(night.entries)


def _without_time(snapshot: Snapshot) -> Snapshot:
    conversation = replace(snapshot.conversation, quiet=0.0)
    return msgspec.structs.replace(snapshot, conversation=conversation, sand_left_s=None)
