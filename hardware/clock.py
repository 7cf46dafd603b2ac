"""A clock of LEDs that shows the hour it is given, also with fewer LEDs than hours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardware import animations
from hardware.lamp_device import LampDevice
from hardware.light_compositor import Segment
from hardware.timers import Timers


class LedClock(LampDevice):
    """Hours in a row: past ones are faint, the current one breathes slowly, and a light sweeps over when one strikes.

    An hour beyond the last lamp is counted again from the first; `animations.clock_face` says how it looks.

    >>> clock = LedClock([4, 5, 6])
    >>> clock.strike(2)
    """

    def __init__(
        self, lamps: Segment | Sequence[int] = (), *, timers: Timers | None = None, pin_factory: Any = None
    ) -> None:
        super().__init__(lamps, timers=timers, pin_factory=pin_factory)
        self._hour = 0

    def __repr__(self) -> str:
        return f"<LedClock of {len(self)} lamps, at {self._hour}>"

    @property
    def value(self) -> int:
        """The current hour, from 1; 0 before the first."""
        return self._hour

    def show(self, hour: int) -> None:
        """Show *hour* without a sweep."""
        self._hour = hour
        self._segment.play(animations.clock_face(len(self), hour))

    def strike(self, hour: int) -> None:
        """Sweep a light over all hours, then show *hour*."""
        self._hour = hour
        self._segment.play(animations.sequence(animations.sweep(len(self)), animations.clock_face(len(self), hour)))

    def off(self) -> None:
        """Turn all hours off."""
        self._hour = 0
        super().off()


def explain_missing_lamps(lamps: int, hours: int) -> str | None:
    """Return how a clock of *lamps* shows so many *hours*; None where each hour has a lamp, or none has."""
    if lamps == 0 or lamps >= hours:
        return None
    later = f"hours {lamps + 1} to {hours} are" if hours > lamps + 1 else f"hour {hours} is"
    thrice = "" if hours <= 2 * lamps else f" (three times from hour {2 * lamps + 1} on, and so forth)"
    return (
        f"the clock has {lamps} lamp{'s' * (lamps > 1)} for {hours} hours: {later} counted again from the first lamp; "
        f"the lamp of the hour then winks twice{thrice}, and the others are lit"
    )
