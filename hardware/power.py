"""Estimates the current that lamps draw and keeps it within a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from hardware.animations import Levels

ON_LEVEL = 0.1
"""The brightness from which a lamp that can only be on or off is on."""


class Dimming(Enum):
    """How a lamp is dimmed, and so how its current depends on its brightness."""

    ON_OFF = "on or off"
    """Cannot be dimmed; draws its full current when on."""
    PWM = "pwm"
    """Dimmed by pulses: its full current flows during each one, however dim it is."""
    LINEAR = "linear"
    """Draws current in proportion to its brightness, as a pixel with its own driver and capacitor does."""


@dataclass(frozen=True, slots=True)
class LampLoad:
    """The current that one lamp draws."""

    full_ma: float
    """Milliamperes at full brightness."""
    dimming: Dimming = Dimming.PWM
    idle_ma: float = 0.0
    """Milliamperes when dark."""


def total_current(levels: Sequence[float], loads: Sequence[LampLoad]) -> float:
    """Return the highest current that flows while *levels* are shown, in milliamperes."""
    return sum(load.idle_ma + _active_ma(level, load) for level, load in zip(levels, loads, strict=True))


def limit_current(
    levels: Sequence[float], loads: Sequence[LampLoad], *, budget_ma: float, brightness: float = 1.0
) -> Levels:
    """Return *levels* at *brightness*, reduced so that the lamps draw at most *budget_ma* together.

    Lamps that draw all or nothing are served in order until the budget is used up; the rest dims the linear ones alike.
    """
    left_ma = budget_ma - sum(load.idle_ma for load in loads)
    shown = [_apply_brightness(level, load, brightness) for level, load in zip(levels, loads, strict=True)]
    linear_ma = 0.0
    for index, load in enumerate(loads):
        active_ma = _active_ma(shown[index], load)
        if load.dimming is Dimming.LINEAR:
            linear_ma += active_ma
        elif active_ma <= left_ma:
            left_ma -= active_ma
        else:
            shown[index] = 0.0
    if linear_ma > max(left_ma, 0.0):
        # Slightly less than what is left, so that rounding cannot lift the sum above the budget.
        share = max(left_ma, 0.0) / linear_ma * (1 - 1e-9)
        shown = [
            level * share if load.dimming is Dimming.LINEAR else level for level, load in zip(shown, loads, strict=True)
        ]
    return tuple(shown)


def _apply_brightness(level: float, load: LampLoad, brightness: float) -> float:
    if load.dimming is Dimming.ON_OFF:
        return 1.0 if level >= ON_LEVEL else 0.0
    return min(1.0, max(0.0, level)) * brightness


def _active_ma(level: float, load: LampLoad) -> float:
    """Return the milliamperes beyond the idle current."""
    if load.dimming is Dimming.LINEAR:
        return level * load.full_ma
    return load.full_ma if level > 0 else 0.0
