"""A clock of LEDs, one per hour; it shows the time that it is told and keeps none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardware import scenes
from hardware.lamp_device import Fixture
from hardware.light_compositor import Strip
from hardware.timers import Timers


class LedClock(Fixture):
    """Hours in a row: those gone are faint, the current one breathes slowly, and a light sweeps over when one strikes.

    >>> clock = LedClock([4, 5, 6])
    >>> clock.strike(2)
    """

    def __init__(
        self, lamps: Strip | Sequence[int] = (), *, timers: Timers | None = None, pin_factory: Any = None
    ) -> None:
        super().__init__(lamps, timers=timers, pin_factory=pin_factory)
        self._hour = 0

    def __repr__(self) -> str:
        return f"<LedClock of {len(self)} hours, at {self._hour}>"

    @property
    def value(self) -> int:
        """The current hour, from 1; 0 before the first, one more than there are when all are gone."""
        return self._hour

    def show(self, hour: int) -> None:
        """Show *hour* without a sweep."""
        self._hour = hour
        self._strip.play(scenes.hours(len(self), hour))

    def strike(self, hour: int) -> None:
        """Let *hour* strike: a light sweeps over all hours, then it breathes."""
        self._hour = hour
        self._strip.play(scenes.in_turn(scenes.sweep(len(self)), scenes.hours(len(self), hour)))

    def off(self) -> None:
        """Show no hour."""
        self._hour = 0
        super().off()
