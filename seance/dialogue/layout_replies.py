"""Replies about laying the table and about what hands do.

Class names are keys in voices/*/script.toml.
"""

from dataclasses import dataclass

from seance.dialogue.reply_base import Reply


@dataclass(frozen=True, slots=True)
class AskReady(Reply):
    """Is everything laid? The first turn begins when somebody says "ready"."""

    again: bool = False


class TakeYourTime(Reply):
    """The table is not laid yet, and the house waits."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class HandsAnswer(Reply):
    """What to do with a token, a card or visions now, how to bet, or who may look at what."""

    topic: str


@dataclass(frozen=True, slots=True)
class FirstTurn(Reply):
    """Everything is laid: the first hour strikes, or the first day begins."""

    is_called: bool = True
    """Whether somebody has called it, which cuts off the rows that are still being read."""
