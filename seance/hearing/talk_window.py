"""The stretch of sound in which somebody talks to the house by a button, and which utterances belong to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

PRESS_MARGIN_S = 0.4
"""Seconds by which an utterance may begin before its press: 0.25 s of its lead, and the time of a contact to settle."""


@dataclass(frozen=True, slots=True)
class TalkWindow:
    """From the press to the release, in seconds of sound; an utterance belongs to it by where it begins."""

    opened_s: float
    closed_s: float = inf
    speaker: str | None = None
    """Who has pressed, if known."""
    one_command: bool = False
    """Whether it closes by itself after one command."""

    def takes(self, began_s: float) -> bool:
        """Tell whether an utterance that began at *began_s* belongs to the window, however late it ends."""
        return self.opened_s - PRESS_MARGIN_S <= began_s <= self.closed_s

    def close(self, at_s: float) -> TalkWindow:
        """Return the window closed at *at_s*, if it was open."""
        return replace(self, closed_s=min(self.closed_s, at_s))
