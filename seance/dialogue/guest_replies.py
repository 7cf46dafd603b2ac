"""Replies to what guests do or ask beside the game: drawing the cards themselves, cards tried in vain.

Class names are keys in voices/*/script.toml.
"""

from dataclasses import dataclass

from seance.dialogue.reply_base import Reply
from seance.rules import Category, Psychic, Refusal


@dataclass(frozen=True, slots=True)
class WrongRow(Reply):
    """A row that the guests have drawn cannot be so, for the reason that the rules give."""

    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Tried(Reply):
    """The wrong cards of a psychic in the row that is searched now; `kind` is None when the psychic is done."""

    psychic: Psychic
    kind: Category | None
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NotASuspect(Reply):
    """A card was accused, or pointed at, that belongs to no group of the line-up."""

    card: int


@dataclass(frozen=True, slots=True)
class GuestLeft(Reply):
    """Whoever plays a psychic leaves; nothing changes in the game."""

    psychic: Psychic
    heir: Psychic | None = None
    """Whose player plays on for both: the next in seat order; None where one player plays everybody."""


@dataclass(frozen=True, slots=True)
class TellStory(Reply):
    """A part of the long story is asked for, or a psychic's portrait."""

    edition: str
    part: str = ""
    """The beginning of the part's name in the lore."""
    psychic: Psychic | None = None


@dataclass(frozen=True, slots=True)
class GuestBack(Reply):
    """A psychic is played again by a guest who came back, or by a new one."""

    psychic: Psychic
