"""Guests who left or came during a night, as the journal keeps them beside its events."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from seance.rules import Psychic

JOURNAL_KEY = "guests"
"""The key of the note under which the journal stores them."""


@dataclass(frozen=True, slots=True)
class GuestChange:
    """Whoever played a psychic left, or the psychic was played by a guest again."""

    psychic: Psychic
    hour: int
    """The turn in which it was said."""
    has_left: bool
    heir: Psychic | None = None
    """Whose player plays on for both; None where nobody was named."""

    def to_note(self) -> dict[str, Any]:
        """Return it in JSON's types."""
        return asdict(self)


def read_guest_changes(notes: Mapping[str, Any]) -> tuple[GuestChange, ...]:
    """Return the changes among a night's *notes*, without what cannot be read."""
    stored = notes.get(JOURNAL_KEY)
    return tuple(_read_changes(stored if isinstance(stored, list) else ()))


def _read_changes(stored: Iterable[Any]) -> Iterator[GuestChange]:
    for each in stored:
        match each:
            case {"psychic": str(psychic), "hour": int(hour), "has_left": bool(has_left)} if psychic in set(Psychic):
                heir = each.get("heir")
                yield GuestChange(Psychic(psychic), hour, has_left, Psychic(heir) if heir in set(Psychic) else None)
