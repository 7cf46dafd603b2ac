"""What an evening is run with: sentences, script, defaults and journal."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from seance.daemon.room_devices import RoomDevices
from seance.dialogue.conversation import Defaults
from seance.dialogue.grammar.sentences import Sentences
from seance.ghost_words import GhostWords
from seance.journal import Journal
from seance.narration.help_card import HelpTexts
from seance.narration.staging import NarrationStyle
from seance.permissions import Action


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningContext:
    """Everything an evening depends on, as its owner configured it."""

    sentences: Sentences
    style: NarrationStyle
    ghost_words: GhostWords
    """What the ghost may type."""
    help_texts: HelpTexts
    defaults: Defaults
    journal: Journal
    draw_seed: Callable[[], int]
    """Draws a seed of 63 bits, the most that the wire format takes."""
    psychic_names: Mapping[str, str] = field(default_factory=dict)
    """The owner's names for psychics, by colour; only those that differ from the box."""
    devices: RoomDevices = field(default_factory=RoomDevices)
    """The devices in the room as the evening opens."""
    pages_address: str | None = None
    """Host and port of the pages, such as `seance.local:8013`; None if they are not served to the network."""
    allowed_to_devices: frozenset[Action] = frozenset()
    """What other devices of the house may do, by MQTT."""
    remarks_on_ghost: bool = False
    """Whether the house remarks on what is said at the ghost's seat, where silence is the ghost's law."""
    make_key: Callable[[], str] = secrets.token_hex
    """Makes a secret key for seats."""
    make_digits: Callable[[], str] = lambda: f"{secrets.randbelow(100):02}"
    """Makes two digits that are told in the room alone."""
