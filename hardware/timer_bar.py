"""A bar of LEDs that drains like a sand timer."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from hardware import animations
from hardware.lamp_device import LampDevice
from hardware.light_compositor import Segment
from hardware.timers import Timers


class TimerBar(LampDevice):
    """A timer shown as a bar that drains from its end and beats like a heart in its last seconds.

    >>> bar = TimerBar([4, 5, 6, 7])
    >>> bar.drain(120)
    """

    def __init__(
        self,
        lamps: Segment | Sequence[int] = (),
        *,
        alarm_s: float = 10.0,
        timers: Timers | None = None,
        pin_factory: Any = None,
    ) -> None:
        """Beat like a heart once *alarm_s* seconds are left."""
        super().__init__(lamps, timers=timers, pin_factory=pin_factory)
        self._alarm_s = alarm_s
        self._lock = threading.RLock()
        self._total_s = 1.0
        self._left_s = 0.0
        self._running_since: float | None = None

    def __repr__(self) -> str:
        state = "draining" if self.is_draining else "held"
        return f"<TimerBar of {len(self)} lamps, {self.value:.0%} left, {state}>"

    @property
    def value(self) -> float:
        """The fraction that is left, 0 to 1."""
        return self.seconds_left / self._total_s

    @property
    def seconds_left(self) -> float:
        """How many seconds it has left to run."""
        with self._lock:
            if self._running_since is None:
                return self._left_s
            return max(0.0, self._left_s - (self._segment.compositor.now() - self._running_since))

    @property
    def is_draining(self) -> bool:
        """Whether it is running."""
        return self._running_since is not None and self.seconds_left > 0

    def drain(self, seconds: float, *, left: float | None = None) -> None:
        """Start a timer of *seconds* with *left* seconds left, by default all of them."""
        if seconds <= 0:
            raise ValueError(f"sand of {seconds} seconds cannot drain: it takes more than none")
        with self._lock:
            self._total_s, self._left_s = seconds, min(seconds, max(0.0, seconds if left is None else left))
            self._run()

    def pause(self) -> None:
        """Stop the timer where it is."""
        with self._lock:
            self._left_s, self._running_since = self.seconds_left, None
            self._segment.play(animations.still(animations.bar_levels(len(self), self.value)))

    def resume(self) -> None:
        """Let a paused timer run on."""
        with self._lock:
            if self._running_since is None and self._left_s > 0:
                self._run()

    def fill(self, fraction: float) -> None:
        """Show a still bar filled to *fraction*."""
        with self._lock:
            self._total_s, self._left_s, self._running_since = 1.0, min(1.0, max(0.0, fraction)), None
            self._segment.play(animations.still(animations.bar_levels(len(self), self._left_s)))

    def off(self) -> None:
        """Empty the bar."""
        self.fill(0.0)

    def _run(self) -> None:
        self._running_since = self._segment.compositor.now()
        self._segment.play(animations.draining_bar(len(self), self._left_s, total=self._total_s, alarm=self._alarm_s))
