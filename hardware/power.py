"""How much current lamps draw, and the one place that keeps it within a budget; it lights nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from hardware.scenes import Levels

LIT = 0.1
"""From this brightness on, a lamp that can only be on or off is on."""


class Kind(Enum):
    """How a lamp turns brightness into current."""

    SWITCHED = "switched"
    """On or off; all of its current when on."""
    PULSED = "pulsed"
    """Dimmed by pulses: however short they are, all of its current flows during one."""
    METERED = "metered"
    """Half the brightness takes half of the current, as a pixel with a driver and a capacitor of its own does."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What one lamp draws."""

    milliamperes: float
    """At full brightness."""
    kind: Kind = Kind.PULSED
    idle: float = 0.0
    """Milliamperes when dark."""


def current(levels: Sequence[float], draws: Sequence[Draw]) -> float:
    """Return the milliamperes that flow at most while *levels* are shown."""
    return sum(draw.idle + _flow(level, draw) for level, draw in zip(levels, draws, strict=True))


def within(levels: Sequence[float], draws: Sequence[Draw], *, budget: float, brightness: float = 1.0) -> Levels:
    """Return *levels* at *brightness*, no more of them than *budget* milliamperes can feed.

    Lamps that draw all or nothing are lit from the first on, as far as it goes; what is left dims the others alike.
    """
    left = budget - sum(draw.idle for draw in draws)
    shown = [_dimmed(level, draw, brightness) for level, draw in zip(levels, draws, strict=True)]
    metered = 0.0
    for place, draw in enumerate(draws):
        flow = _flow(shown[place], draw)
        if draw.kind is Kind.METERED:
            metered += flow
        elif flow <= left:
            left -= flow
        else:
            shown[place] = 0.0
    if metered > max(left, 0.0):
        # A hair less than what is left: the sum of the parts must not be more because of rounding.
        share = max(left, 0.0) / metered * (1 - 1e-9)
        shown = [
            level * share if draw.kind is Kind.METERED else level for level, draw in zip(shown, draws, strict=True)
        ]
    return tuple(shown)


def _dimmed(level: float, draw: Draw, brightness: float) -> float:
    if draw.kind is Kind.SWITCHED:
        return 1.0 if level >= LIT else 0.0
    return min(1.0, max(0.0, level)) * brightness


def _flow(level: float, draw: Draw) -> float:
    """Return the milliamperes beyond what it draws when dark."""
    if draw.kind is Kind.METERED:
        return level * draw.milliamperes
    return draw.milliamperes if level > 0 else 0.0
