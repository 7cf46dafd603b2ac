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
