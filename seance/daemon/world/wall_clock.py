"""Notices when the system clock is set."""

import time
from collections.abc import Callable

JUMP_S = 30.0
"""The least change of the system clock that counts as a jump."""


class WallClock:
    """Compares the system clock with a monotonic one."""

    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._offset_s = wall() - monotonic()

    def has_jumped(self) -> bool:
        """Tell whether the clock was set since the last call."""
        before, self._offset_s = self._offset_s, self._wall() - self._monotonic()
        return abs(self._offset_s - before) >= JUMP_S
