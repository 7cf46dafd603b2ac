"""What an evening is held with, as its owner wants it; nothing happens here."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from seance.dialogue.conversation import Defaults
from seance.dialogue.grammar.sentences import Sentences
from seance.journal import Journal
from seance.narration.staging import NarrationStyle


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What an evening is held with."""

    sentences: Sentences
    stage: NarrationStyle
    customs: Defaults
    journal: Journal
    seeds: Callable[[], int]
    """Draws a seed of 63 bits: as much as the wire takes."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What the owner calls psychics, by colour; only what differs from the box."""
    address: str | None = None
    """Where the ghost's page is, such as `seance.local:8013`; None where no page is served to others."""
    keys: Callable[[], str] = secrets.token_hex
    """Makes a key that nobody guesses, for the ghost's seat."""
