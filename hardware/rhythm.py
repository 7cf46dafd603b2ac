"""Knocks as data, and the rule that keeps a coil cool; nothing is struck here."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

SHORTEST, LONGEST = 0.03, 0.06
"""Seconds of a pulse, from the softest knock to the hardest."""
NEVER_LONGER = 0.2
"""Seconds after which a coil must be off, whatever happens."""


@dataclass(frozen=True, slots=True)
class Beat:
    """One knock."""

    gap: float = 0.0
    """Seconds from the knock before it in the rhythm; of the first one, from when it is asked for."""
    force: float = 1.0
    """0 for the softest knock, 1 for the hardest."""

    def __post_init__(self) -> None:
        if not (0 <= self.gap <= 60 and 0 <= self.force <= 1):
            raise ValueError(f"no knock: gap {self.gap} must be 0 to 60 seconds, force {self.force} from 0 to 1")

    @property
    def pulse(self) -> float:
        """How long the coil is on (seconds)."""
        return SHORTEST + (LONGEST - SHORTEST) * self.force


Rhythm = tuple[Beat, ...]
"""Knocks in order; any tuple of beats is one."""


def knocks(count: int, gap: float = 0.4, force: float = 1.0) -> Rhythm:
    """Return *count* even knocks."""
    return tuple(Beat(gap if number else 0.0, force) for number in range(count))


def rhythm(*gaps: float) -> Rhythm:
    """Return a knock at once and one more after each gap (seconds)."""
    return (Beat(), *(Beat(gap) for gap in gaps))


YES = knocks(1)
NO = knocks(2)
HEARTBEAT: Rhythm = tuple(beat for _ in range(4) for beat in (Beat(0.72, 0.7), Beat(0.28, 0.0)))


def hour(number: int) -> Rhythm:
    """Return the knocks of an hour: slow, and as many."""
    return knocks(number, gap=0.9)


@dataclass(frozen=True, slots=True)
class Duty:
    """How much a coil may be on."""

    share: float = 0.1
    """Of any *window*, 0 to 1."""
    window: float = 10.0
    """Seconds."""
    rest: float = 0.06
    """Seconds after each pulse, in which the rod falls back."""

    @property
    def allowed(self) -> float:
        """Seconds on in any window."""
        return self.share * self.window


class Warmth:
    """The pulses that a coil has not cooled from yet."""

    def __init__(self, duty: Duty) -> None:
        if duty.allowed < LONGEST:
            raise ValueError(f"a duty of {duty.share:.1%} in {duty.window} s allows not a single knock")
        self.duty = duty
        self._pulses: deque[tuple[float, float]] = deque()

    def add(self, now: float, pulse: float) -> None:
        """Remember a pulse of so many seconds that begins *now*."""
        self._pulses.append((now, pulse))

    def wait(self, now: float, pulse: float) -> float:
        """Return how many seconds from *now* a pulse may begin; 0 for at once.

        Whoever ends a window with a pulse counts all others that reach into it: then no other window holds more.
        """
        window = self.duty.window
        while self._pulses and self._end(0) <= now - window:
            self._pulses.popleft()
        if not self._pulses:
            return 0.0
        earliest = max(now, self._end(-1) + self.duty.rest)
        on = pulse + sum(length for _, length in self._pulses)
        for begin, length in self._pulses:
            if on <= self.duty.allowed + 1e-12:
                break
            earliest = max(earliest, begin + length + window - pulse)
            on -= length
        wait = earliest - now
        return wait if wait > 1e-9 else 0.0  # less than the hair by which sums of seconds differ

    def _end(self, index: int) -> float:
        begin, length = self._pulses[index]
        return begin + length
