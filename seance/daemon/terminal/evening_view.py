"""What a terminal shows of an evening at one moment; it has no field for what the room may not know."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from seance.narration.help_card import HelpCard
from seance.rules import Psychic, RoomView


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningView:
    """Everything on the screen but the talk and the line that is being typed."""

    room: RoomView | None = None
    """The table as far as it has been told."""
    next_step: str = ""
    """What the house is waiting for."""
    help_card: HelpCard | None = None
    setup: tuple[tuple[str, str], ...] = ()
    """What the room has said so far about the night that it wants to play: each matter and its value."""
    sand_left_s: int | None = None
    """Seconds of sand left; None when no sand is turned."""
    sand_turn_s: int = 0
    """Seconds of a whole turn."""
    paused: bool = False
    laying: bool = False
    """Whether the table is being laid, and the first hour has not struck."""
    turns: int = 7
    """Hours of this edition."""
    order: tuple[str, ...] = ("character", "location", "object")
    """The kinds of cards in the order of the search."""
    shared_vision_cards: int = 3
    culprit: int | None = None
    """The culprit's group, once the table has been told how the night ended."""
    words: Mapping[str, str] = field(default_factory=dict)
    """The words of the pages in this edition."""
    names: Mapping[Psychic, str] = field(default_factory=dict)
    """What each psychic is called."""
    address: str | None = None
    """The address of the pages; None if there are none."""
    qr_code: tuple[str, ...] = ()
    """The address as lines of block characters; empty if no phone could open it."""
    host_code: str | None = None
    """The code that makes a phone the host's."""
    seat_is_free: bool = True
    """Whether the ghost may still sit down at a page."""
