"""The sand timer of an hour, as an immutable value."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from seance.rules import Event
from seance.rules import events as e

ANNOUNCED_AT_S = (60, 30, 10)
"""Seconds left at which the house says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandTimer:
    """How much sand was left at one moment, and whether it has been running since."""

    left_s: float
    """Seconds left at `at`."""
    turn_s: float
    """Seconds of a whole turn."""
    at: float
    """When that was, in seconds of a monotonic clock."""
    running: bool = True

    def left_at(self, now: float) -> float:
        """Return the seconds left at *now*."""
        return max(0.0, self.left_s - (now - self.at)) if self.running else self.left_s

    def paused(self, now: float) -> "SandTimer":
        """Return the timer paused at *now*."""
        return replace(self, left_s=self.left_at(now), at=now, running=False)

    def resumed(self, now: float) -> "SandTimer":
        """Return the timer running from *now*, unless it has run out."""
        left_s = self.left_at(now)
        return replace(self, left_s=left_s, at=now, running=left_s > 0)

    def with_left(self, left_s: float, now: float) -> "SandTimer":
        """Return the timer with *left_s* seconds left at *now*; a whole turn is as long, at least."""
        return replace(self, left_s=left_s, turn_s=max(self.turn_s, left_s), at=now)

    def announcement_between(self, before: float, now: float) -> int | None:
        """Return the last mark of ANNOUNCED_AT_S that was passed between two moments, if any."""
        was, left = self.left_at(before), self.left_at(now)
        passed = [mark for mark in ANNOUNCED_AT_S if left <= mark < was and mark < self.turn_s]
        return min(passed, default=None)


def sand_after_events(sand: SandTimer | None, events: Iterable[Event], now: float) -> SandTimer | None:
    """Return the timer after *events*: a new one if the sand was turned, None if time was called."""
    for event in events:
        if isinstance(event, e.SandTurned):
            sand = SandTimer(left_s=float(event.seconds), turn_s=float(event.seconds), at=now)
        elif isinstance(event, e.TimeCalled | e.NightEnded | e.NightBegun):
            sand = None
    return sand
