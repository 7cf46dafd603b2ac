"""Animations of lamps: brightness as a pure function of the seconds since the animation began."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Levels = tuple[float, ...]
"""The brightness of each lamp, 0 to 1."""

FAINT_LEVEL = 0.2
"""The brightness of an hour that is over; bright enough to be on where lamps are only on or off."""

WINK_S = 0.6
"""Seconds from one wink to the next: half of them lit, and half dark."""
WINK_PAUSE_S = 1.8
"""Seconds of dark after the last wink, long enough to count by."""


@dataclass(frozen=True, slots=True)
class Animation:
    """The brightness of some lamps over time."""

    levels: Callable[[float], Levels]
    """The brightness of each lamp after so many seconds."""
    duration_s: float = math.inf
    """Seconds until the last frame, which then stays; 0 for a still picture."""
    frame_interval_s: Callable[[float], float] = lambda _: 0.05
    """Seconds from the frame after so many seconds to the next one."""


def still(levels: Sequence[float]) -> Animation:
    """Return a still picture of *levels*."""
    picture = tuple(levels)
    return Animation(lambda _: picture, duration_s=0.0)


def breath_level(seconds: float, period: float = 3.0, low: float = 0.05) -> float:
    """Return the brightness of a slow breath of *period* seconds, from 1 down to *low* and back."""
    return low + (1 - low) * (0.5 + 0.5 * math.cos(2 * math.pi * seconds / period))


def wink_level(seconds: float, times: int) -> float:
    """Return the brightness of a lamp that winks so many *times*, then pauses, and begins again."""
    phase = seconds % (times * WINK_S + WINK_PAUSE_S)
    return 1.0 if phase < times * WINK_S and phase % WINK_S < WINK_S / 2 else 0.0


def heartbeat_level(seconds: float) -> float:
    """Return the brightness of a heart that beats once a second: two strokes, then a pause."""
    phase = seconds % 1.0
    return max(0.05, _stroke_level(phase), 0.7 * _stroke_level(phase - 0.3))


def _stroke_level(seconds: float) -> float:
    """Return the brightness of a stroke: full for longer than a frame, so that none misses it, then fading."""
    return 0.0 if seconds < 0 else min(1.0, max(0.0, 1 - (seconds - 0.08) / 0.15))


def clock_face(count: int, hour: int) -> Animation:
    """Return *hour*, from 1, on a clock of *count* lamps, of which each shows one hour.

    Lamps before that of the hour are faint, it breathes, and later ones are dark. Hours for which there is no lamp
    are counted again from the first: all other lamps are faint, and that of the hour winks twice, in the next round
    three times, and so on.
    """
    if count == 0 or hour < 1:
        return still((0.0,) * count)
    rounds, index = divmod(hour - 1, count)
    if rounds == 0:
        before, after = (FAINT_LEVEL,) * index, (0.0,) * (count - index - 1)
        return Animation(lambda seconds: (*before, breath_level(seconds), *after))
    before, after = (FAINT_LEVEL,) * index, (FAINT_LEVEL,) * (count - index - 1)
    return Animation(lambda seconds: (*before, wink_level(seconds, rounds + 1), *after))


def sweep(count: int, seconds: float = 1.4) -> Animation:
    """Return a light that runs once over *count* lamps in *seconds*."""

    def levels(now: float) -> Levels:
        head = now / seconds * (count + 2) - 1
        return tuple(max(0.0, 1 - abs(index - head) / 1.5) for index in range(count))

    return Animation(levels, duration_s=seconds)


def sequence(first: Animation, second: Animation) -> Animation:
    """Return *first* until it ends, followed by *second*."""
    switch = first.duration_s
    return Animation(
        lambda now: first.levels(now) if now < switch else second.levels(now - switch),
        duration_s=switch + second.duration_s,
        frame_interval_s=lambda now: (
            first.frame_interval_s(now) if now < switch else second.frame_interval_s(now - switch)
        ),
    )


def bar_levels(count: int, fraction: float) -> Levels:
    """Return a bar of *count* lamps filled to *fraction*, the last lit lamp in part."""
    return tuple(min(1.0, max(0.0, fraction * count - index)) for index in range(count))


def draining_bar(count: int, seconds: float, *, total: float, alarm: float = 10.0) -> Animation:
    """Return a bar for a timer of *total* seconds with *seconds* left; it beats in the last *alarm* seconds."""

    def levels(now: float) -> Levels:
        left = max(0.0, seconds - now)
        if left > alarm or left == 0.0:
            return bar_levels(count, left / total)
        lit = max(1, math.ceil(left / total * count))
        return tuple(heartbeat_level(now) if index < lit else 0.0 for index in range(count))

    # A slow bar needs few frames: twenty while one lamp fades, but at least five a second.
    slow = min(0.2, max(0.05, total / max(1, count) / 20))
    return Animation(levels, duration_s=seconds, frame_interval_s=lambda now: slow if seconds - now > alarm else 0.05)
