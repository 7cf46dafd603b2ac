"""The duty limit that keeps a coil from overheating."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from hardware.rhythm import HARD_PULSE_S


@dataclass(frozen=True, slots=True)
class DutyLimit:
    """How much of the time a coil may be on."""

    share: float = 0.1
    """The share of any window, 0 to 1."""
    window_s: float = 10.0
    """The length of the window, in seconds."""
    rest_s: float = 0.06
    """Seconds of rest after each pulse, in which the rod falls back."""

    @property
    def max_on_s(self) -> float:
        """How many seconds of any window the coil may be on."""
        return self.share * self.window_s


class DutyLimiter:
    """Delays pulses so that they keep a duty limit in every window of time."""

    def __init__(self, limit: DutyLimit) -> None:
        if limit.max_on_s < HARD_PULSE_S:
            raise ValueError(f"a duty of {limit.share:.1%} in {limit.window_s} s allows not a single knock")
        self.limit = limit
        self._pulses: deque[tuple[float, float]] = deque()

    def add(self, now: float, pulse_s: float) -> None:
        """Record a pulse of *pulse_s* seconds that begins *now*."""
        self._pulses.append((now, pulse_s))

    def delay(self, now: float, pulse_s: float) -> float:
        """Return how many seconds after *now* a pulse of *pulse_s* seconds may begin; 0 for at once.

        Only the window that ends with the new pulse is checked, with every pulse that reaches into it counted whole:
        no other window can then hold more.
        """
        window_s = self.limit.window_s
        while self._pulses and self._end(0) <= now - window_s:
            self._pulses.popleft()
        if not self._pulses:
            return 0.0
        earliest = max(now, self._end(-1) + self.limit.rest_s)
        on_s = pulse_s + sum(length for _, length in self._pulses)
        for begin, length in self._pulses:
            if on_s <= self.limit.max_on_s + 1e-12:
                break
            earliest = max(earliest, begin + length + window_s - pulse_s)
            on_s -= length
        delay_s = earliest - now
        return delay_s if delay_s > 1e-9 else 0.0  # below the rounding error of sums of seconds

    def _end(self, index: int) -> float:
        begin, length = self._pulses[index]
        return begin + length
