"""A recorded night as a value; how it is kept on disk is said in `seance.journal.database`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from seance.rules import Command, Edition, Event, Outcome, Seat, State, evolve, heard
from seance.rules.events import NightEnded


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One command that was carried out, and what came of it."""

    seat: Seat
    """Who asked."""
    command: Command
    events: tuple[Event, ...]
    at: str
    """When, by the clock on the wall (ISO 8601 with its offset); the clock may jump, so nothing is ordered by it."""
    played: float
    """How long the night had been played (seconds), pauses and interruptions left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """All that was written down of one night, secrets included."""

    uid: str
    """Its name for ever, in every journal that it is imported to."""
    number: int | None = None
    """What this journal calls it, from 1; None until it is written."""
    begun: str
    """When, by the clock on the wall (ISO 8601 with its offset)."""
    language: str
    edition: Edition
    """As it was played: with the owner's cards and limits of that evening, and without the variant."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What the owner called psychics, by colour; only what differs from the box."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What else must be known to go on, in JSON's types."""
    imported: bool = False
    """Whether it came from another journal: such a night is not gone on with."""
    entries: tuple[Entry, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    """What stood beside the rules when the last entry was made, in JSON's types."""

    @property
    def played(self) -> float:
        """Return how long the night has been played (seconds)."""
        return self.entries[-1].played if self.entries else 0.0

    @property
    def state(self) -> State | None:
        """Return how the night stands; None before it has begun."""
        state = None
        for _, state in self.states():  # noqa: B007 - the last one is wanted
            pass
        return state

    @property
    def outcome(self) -> Outcome | None:
        """Return how the night ended; None while it has not."""
        return outcome_of(self.entries[-1].events) if self.entries else None

    def states(self) -> Iterator[tuple[Entry, State]]:
        """Yield each entry and how the night stood after it, by its events alone."""
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
    """Return how *events* ended the night, if they did."""
    return next((Outcome(event.won, event.reason) for event in events if isinstance(event, NightEnded)), None)
