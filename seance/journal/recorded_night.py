"""A recorded night and its entries, as values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from seance.rules import Command, Edition, Event, Outcome, Seat, State, evolve, heard
from seance.rules.events import NightEnded


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One command that was carried out, and the events that followed."""

    seat: Seat
    """Who gave the command."""
    command: Command
    events: tuple[Event, ...]
    at: str
    """Wall-clock time (ISO 8601 with offset); the clock may jump, so entries are not ordered by it."""
    played: float
    """Time played until then (seconds), without pauses and interruptions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """All that was recorded of one night, secrets included."""

    uid: str
    """The same in every journal that it is imported to."""
    number: int | None = None
    """Its number in this journal, from 1; None until it is written."""
    begun: str
    """Wall-clock time of the beginning (ISO 8601 with offset)."""
    language: str
    edition: Edition
    """As it was played: with the owner's added cards and track limits, before the variant is applied."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The owner's names of psychics by colour, where they differ from the box."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Other settings that are needed to resume the night, in JSON's types."""
    imported: bool = False
    """Whether it came from another journal; such a night is never resumed."""
    entries: tuple[Entry, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    """The rest of the evening's state at the last entry (clocks, conversation, …) by key, in JSON's types."""
    damage: str | None = None
    """What is lost of it, in one phrase that names it; None where it is whole."""

    @property
    def played(self) -> float:
        """Return the time played (seconds)."""
        return self.entries[-1].played if self.entries else 0.0

    @property
    def state(self) -> State | None:
        """Return the state after the last entry; None before the night has begun."""
        state = None
        for _, state in self.states():  # noqa: B007 - the last one is wanted
            pass
        return state

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome; None while the night has not ended."""
        return outcome_of(self.entries[-1].events) if self.entries else None

    def states(self) -> Iterator[tuple[Entry, State]]:
        """Yield each entry with the state after it, folded from the events."""
        state: State | None = None
        for entry in self.entries:
            for event in entry.events:
                state = evolve(state, event)
            if state is not None:
                yield entry, state

    def heard(self, seat: Seat) -> Iterator[tuple[Entry, tuple[Event, ...]]]:
        """Yield each entry with those of its events that *seat* could hear."""
        return ((entry, heard(entry.events, seat)) for entry in self.entries)


def outcome_of(events: Sequence[Event]) -> Outcome | None:
    """Return the outcome if *events* end the night, else None."""
    return next((Outcome(event.won, event.reason) for event in events if isinstance(event, NightEnded)), None)
