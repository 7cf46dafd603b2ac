"""What all replies have in common."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reply:
    """Something that the house says without any change to the game."""
