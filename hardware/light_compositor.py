"""Composes the animations of all devices into frames, keeps them within the current budget and writes the lamps.

Only the compositor writes lamps. It draws frames only while an animation is running.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from hardware.animations import Animation, Levels, still
from hardware.lamps import Lamps
from hardware.power import limit_current, total_current
from hardware.timers import ThreadTimers, Timer, Timers

UNLIMITED_MA = float("inf")


class LightCompositor:
    """All lamps of a board, divided into segments that each play an animation."""

    def __init__(
        self, lamps: Lamps, *, budget_ma: float = UNLIMITED_MA, brightness: float = 1.0, timers: Timers | None = None
    ) -> None:
        """Keep the current of all *lamps* together below *budget_ma*; *brightness* is 0 to 1."""
        self.budget_ma = budget_ma
        self.brightness = brightness
        self._lamps = lamps
        self._timers: Timers = ThreadTimers("lights") if timers is None else timers
        self._own_timers = timers is None
        self._segments: list[Segment] = []
        self._shown: Levels = (0.0,) * len(lamps.loads)
        self._next_frame: Timer | None = None
        self._lock = threading.RLock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._lamps.loads)

    def segment(self, indexes: Iterable[int]) -> Segment:
        """Return the lamps at *indexes* as a segment that plays animations of its own."""
        with self._lock:
            segment = Segment(self, tuple(indexes))
            self._segments.append(segment)
        return segment

    @property
    def value(self) -> Levels:
        """The brightness of every lamp, as last written."""
        return self._shown

    @property
    def current_ma(self) -> float:
        """The highest current that the lamps can draw now, in milliamperes."""
        return total_current(self._shown, self._lamps.loads)

    def now(self) -> float:
        """Return the time by which animations are played, in seconds."""
        return self._timers.now()

    def play(self, segment: Segment, animation: Animation) -> None:
        """Start *animation* on *segment*."""
        with self._lock:
            segment.start(animation, self.now())
            self.draw()

    def draw(self) -> None:
        """Write the frame of this moment and schedule the next one if an animation is running."""
        with self._lock:
            if self._closed:
                return
            now = self.now()
            wanted = [0.0] * len(self)
            for segment in self._segments:
                for index, level in zip(segment.indexes, segment.levels_at(now), strict=True):
                    wanted[index] = level
            self._shown = limit_current(wanted, self._lamps.loads, budget_ma=self.budget_ma, brightness=self.brightness)
            self._lamps.write(self._shown)
            self._schedule_next_frame(now)

    def close(self) -> None:
        """Turn all lamps off and close them; safe to call twice."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._next_frame is not None:
                self._next_frame.cancel()
            self._shown = (0.0,) * len(self)
            self._lamps.close()
        if self._own_timers:
            self._timers.close()

    def _schedule_next_frame(self, now: float) -> None:
        if self._next_frame is not None:
            self._next_frame.cancel()
        intervals = [segment.frame_interval_at(now) for segment in self._segments if segment.is_running_at(now)]
        self._next_frame = self._timers.after(min(intervals), self.draw) if intervals else None


class Segment:
    """Some lamps of a compositor, in order, and the animation that they play."""

    def __init__(self, compositor: LightCompositor, indexes: tuple[int, ...]) -> None:
        self.compositor = compositor
        self.indexes = indexes
        self.animation = still((0.0,) * len(indexes))
        self._started_at = 0.0

    def __len__(self) -> int:
        return len(self.indexes)

    def play(self, animation: Animation) -> None:
        """Start *animation*."""
        self.compositor.play(self, animation)

    def start(self, animation: Animation, now: float) -> None:
        """Set the animation and its starting time without drawing a frame."""
        self.animation, self._started_at = animation, now

    @property
    def value(self) -> Levels:
        """The brightness of each lamp, as last written."""
        shown = self.compositor.value
        return tuple(shown[index] for index in self.indexes)

    def levels_at(self, now: float) -> Levels:
        """Return the brightness that the animation asks for at *now*."""
        return self.animation.levels(min(now - self._started_at, self.animation.duration_s))

    def frame_interval_at(self, now: float) -> float:
        """Return how many seconds after *now* the next frame is due."""
        return self.animation.frame_interval_s(now - self._started_at)

    def is_running_at(self, now: float) -> bool:
        """Return whether the animation has not ended by *now*."""
        return now - self._started_at < self.animation.duration_s
