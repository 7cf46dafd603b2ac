"""The sand of an hour as a value; whoever holds it says what time it is."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from seance.rules import Event
from seance.rules import events as e

TOLD_AT = (60, 30, 10)
"""Seconds left at which the house says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sand:
    """So much sand, of so much, at one moment; it runs from then on or stands."""

    left: float
    """Seconds left at `at`."""
    of: float
    """Seconds of a whole turn."""
    at: float
    """The moment (seconds of a clock that never jumps)."""
    runs: bool = True

    def left_at(self, now: float) -> float:
        """Return the seconds left at *now*."""
        return max(0.0, self.left - (now - self.at)) if self.runs else self.left

    def held(self, now: float) -> "Sand":
        """Return the sand laid on its side."""
        return replace(self, left=self.left_at(now), at=now, runs=False)

    def running(self, now: float) -> "Sand":
        """Return the sand standing upright again."""
        return replace(self, left=self.left_at(now), at=now, runs=True)

    def passed(self, before: float, now: float) -> int | None:
        """Return what there is to tell between two moments: the seconds left, of those that are told."""
        was, left = self.left_at(before), self.left_at(now)
        told = [mark for mark in TOLD_AT if left <= mark < was and mark < self.of]
        return min(told, default=None)


def turned(sand: Sand | None, events: Iterable[Event], now: float) -> Sand | None:
    """Return what *sand* is after *events*: turned, or gone."""
    for event in events:
        if isinstance(event, e.SandTurned):
            sand = Sand(left=float(event.seconds), of=float(event.seconds), at=now)
        elif isinstance(event, e.TimeCalled | e.NightEnded | e.NightBegun):
            sand = None
    return sand
