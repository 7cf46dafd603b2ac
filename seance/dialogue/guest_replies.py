"""Replies to what guests do beside the game: drawing the cards themselves.

Class names are keys in voices/*/script.toml.
"""

from dataclasses import dataclass

from seance.dialogue.reply_base import Reply
from seance.rules import Refusal


@dataclass(frozen=True, slots=True)
class WrongRow(Reply):
    """A row that the guests have drawn cannot be so, for the reason that the rules give."""

    refusal: Refusal
