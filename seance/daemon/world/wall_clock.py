"""The clock on the wall, which the network may set at any time; no time of the game is taken from it."""

import time
from collections.abc import Callable

JUMP = 30.0
"""Seconds by which it must have been set for anybody to notice."""


class WallClock:
    """Watches the clock on the wall by one that never jumps."""

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic) -> None:
        self._wall, self._steady = wall, steady
        self._apart = wall() - steady()

    def has_jumped(self) -> bool:
        """Tell whether it was set since it was last asked."""
        before, self._apart = self._apart, self._wall() - self._steady()
        return abs(self._apart - before) >= JUMP
