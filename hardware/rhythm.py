"""Knocks as data: beats and the rhythms made of them."""

from __future__ import annotations

from dataclasses import dataclass

SOFT_PULSE_S = 0.03
"""The pulse of the softest knock, in seconds."""
HARD_PULSE_S = 0.06
"""The pulse of the hardest knock, in seconds."""


@dataclass(frozen=True, slots=True)
class Beat:
    """One knock of a rhythm."""

    gap: float = 0.0
    """Seconds since the previous knock of the rhythm; for the first one, since the rhythm was asked for."""
    force: float = 1.0
    """0 for the softest knock, 1 for the hardest."""

    def __post_init__(self) -> None:
        if not (0 <= self.gap <= 60 and 0 <= self.force <= 1):
            raise ValueError(f"no knock: gap {self.gap} must be 0 to 60 seconds, force {self.force} from 0 to 1")

    @property
    def pulse_s(self) -> float:
        """How long the coil is on, in seconds."""
        return SOFT_PULSE_S + (HARD_PULSE_S - SOFT_PULSE_S) * self.force


Rhythm = tuple[Beat, ...]
"""Knocks in order; any tuple of beats is a rhythm."""


def knocks(count: int, gap: float = 0.4, force: float = 1.0) -> Rhythm:
    """Return *count* knocks, *gap* seconds apart."""
    return tuple(Beat(gap if number else 0.0, force) for number in range(count))


def rhythm(*gaps: float) -> Rhythm:
    """Return a knock at once and one more after each of *gaps* (seconds)."""
    return (Beat(), *(Beat(gap) for gap in gaps))


YES = knocks(1)
NO = knocks(2)
HEARTBEAT: Rhythm = tuple(beat for _ in range(4) for beat in (Beat(0.72, 0.7), Beat(0.28, 0.0)))


def hour_knocks(hour: int) -> Rhythm:
    """Return the slow knocks that strike *hour*, one for each hour."""
    return knocks(hour, gap=0.9)
