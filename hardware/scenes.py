"""What lamps show over time, as pure functions of the seconds since a scene began; nothing is lit here."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Levels = tuple[float, ...]
"""The brightness of each lamp, 0 to 1."""

FAINT = 0.2
"""A lamp that is still there; on or off, it is on."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Brightness over time."""

    levels: Callable[[float], Levels]
    """The brightness after so many seconds."""
    lasts: float = math.inf
    """Seconds until it stands still; 0 for a still picture."""
    frame: Callable[[float], float] = lambda _: 0.05
    """Seconds from the picture after so many seconds to the next one."""


def still(levels: Sequence[float]) -> Scene:
    """Return a picture that does not move."""
    picture = tuple(levels)
    return Scene(lambda _: picture, lasts=0.0)


def breath(seconds: float, period: float = 3.0, low: float = 0.05) -> float:
    """Return the brightness of something that breathes, from full down to *low* and back."""
    return low + (1 - low) * (0.5 + 0.5 * math.cos(2 * math.pi * seconds / period))


def heartbeat(seconds: float) -> float:
    """Return the brightness of a heart that beats once a second: two strokes, then rest."""
    phase = seconds % 1.0
    return max(0.05, _stroke(phase), 0.7 * _stroke(phase - 0.3))


def _stroke(seconds: float) -> float:
    """Return a stroke that is full long enough for any picture to catch it, and fades."""
    return 0.0 if seconds < 0 else min(1.0, max(0.0, 1 - (seconds - 0.08) / 0.15))


def hours(count: int, hour: int) -> Scene:
    """Return a clock of *count* hours: those gone are faint, the current one breathes, the others are dark."""
    if not 1 <= hour <= count:
        return still((FAINT if hour > count else 0.0,) * count)
    gone, ahead = (FAINT,) * (hour - 1), (0.0,) * (count - hour)
    return Scene(lambda seconds: (*gone, breath(seconds), *ahead))


def sweep(count: int, seconds: float = 1.4) -> Scene:
    """Return a light that runs once over all lamps, as when an hour strikes."""

    def levels(now: float) -> Levels:
        head = now / seconds * (count + 2) - 1
        return tuple(max(0.0, 1 - abs(place - head) / 1.5) for place in range(count))

    return Scene(levels, lasts=seconds)


def in_turn(first: Scene, then: Scene) -> Scene:
    """Return *first* until it stands still, and *then* from there."""
    return Scene(
        lambda now: first.levels(now) if now < first.lasts else then.levels(now - first.lasts),
        lasts=first.lasts + then.lasts,
        frame=lambda now: first.frame(now) if now < first.lasts else then.frame(now - first.lasts),
    )


def heap(count: int, fraction: float) -> Levels:
    """Return a bar that is filled to *fraction*, its topmost lamp in part."""
    return tuple(min(1.0, max(0.0, fraction * count - place)) for place in range(count))


def draining(count: int, seconds: float, *, whole: float, alarm: float = 10.0) -> Scene:
    """Return sand of *whole* seconds that drains from where *seconds* are left; the last ones beat like a heart."""

    def levels(now: float) -> Levels:
        left = max(0.0, seconds - now)
        if left > alarm or left == 0.0:
            return heap(count, left / whole)
        lit = max(1, math.ceil(left / whole * count))
        return tuple(heartbeat(now) if place < lit else 0.0 for place in range(count))

    # Slow sand needs few pictures: twenty while one lamp fades, and no more than five a second.
    slow = min(0.2, max(0.05, whole / max(1, count) / 20))
    return Scene(levels, lasts=seconds, frame=lambda now: slow if seconds - now > alarm else 0.05)
