"""What stands beside the rules and is restored with them, as the journal keeps it; when to keep it is not said here."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from seance.dialogue.conversation import Conversation
from seance.narration.script import Memory
from seance.web.page_state import Chair

KEY = "evening"
"""Under which the journal keeps them."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """An evening at one moment, without what the rules know."""

    conversation: Conversation = field(default_factory=Conversation)
    told: Memory = field(default_factory=Memory)
    sand_left: float | None = None
    """Seconds; None where no sand is turned."""
    sand_of: float = 0.0
    """Seconds of a whole turn."""
    told_to: int | None = None
    """The last step of the night that was told to the room; None where nobody kept count: all of it."""
    counted: int = 0
    """How often the ghost has pressed a button to count."""
    chair: Chair | None = None
    """Who sits in the ghost's seat."""

    def say_more_than(self, other: "Notes") -> bool:
        """Tell whether anything but the time is other than in *other*."""
        return _timeless(self) != _timeless(other)


def written(notes: Notes) -> dict[str, Any]:
    """Return *notes* under their key, in JSON's types."""
    return {KEY: msgspec.to_builtins(notes)}


def read(kept: Mapping[str, Any]) -> Notes:
    """Return the notes among what was *kept*; those of another version are left out: the night is in its events."""
    try:
        notes = msgspec.convert(kept.get(KEY, {}), Notes)
    except msgspec.ValidationError as error:
        log.warning("the notes of the night are of another version and left out: %s", error)
        return Notes()
    return replace(notes, conversation=replace(notes.conversation, quiet=0.0))


def _timeless(notes: Notes) -> Notes:
    return replace(notes, conversation=replace(notes.conversation, quiet=0.0), sand_left=None)
