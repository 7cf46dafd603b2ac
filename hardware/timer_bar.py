"""Sand that drains on a bar of LEDs; it shows what is left and decides nothing when it is empty."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from hardware import scenes
from hardware.lamp_device import Fixture
from hardware.light_compositor import Strip
from hardware.timers import Timers


class TimerBar(Fixture):
    """A bar that drains from its end; its last seconds beat like a heart, and a pause holds it.

    >>> bar = TimerBar([4, 5, 6, 7])
    >>> bar.drain(120)
    """

    def __init__(
        self,
        lamps: Strip | Sequence[int] = (),
        *,
        alarm: float = 10.0,
        timers: Timers | None = None,
        pin_factory: Any = None,
    ) -> None:
        """Beat like a heart when *alarm* seconds are left."""
        super().__init__(lamps, timers=timers, pin_factory=pin_factory)
        self._alarm = alarm
        self._lock = threading.RLock()
        self._whole = 1.0
        self._left = 0.0
        self._since: float | None = None

    def __repr__(self) -> str:
        how = "draining" if self.is_draining else "held"
        return f"<TimerBar of {len(self)} lamps, {self.value:.0%} left, {how}>"

    @property
    def value(self) -> float:
        """The fraction that is left, 0 to 1."""
        return self.seconds_left / self._whole

    @property
    def seconds_left(self) -> float:
        """How long it drains yet, if nobody holds it."""
        with self._lock:
            if self._since is None:
                return self._left
            return max(0.0, self._left - (self._strip.stage.now() - self._since))

    @property
    def is_draining(self) -> bool:
        """Whether sand is running just now."""
        return self._since is not None and self.seconds_left > 0

    def drain(self, seconds: float, *, left: float | None = None) -> None:
        """Drain a full bar in *seconds*, from where *left* seconds are left; from the brim without."""
        if seconds <= 0:
            raise ValueError(f"sand of {seconds} seconds cannot drain: it takes more than none")
        with self._lock:
            self._whole, self._left = seconds, min(seconds, max(0.0, seconds if left is None else left))
            self._run()

    def pause(self) -> None:
        """Hold the sand where it is."""
        with self._lock:
            self._left, self._since = self.seconds_left, None
            self._strip.play(scenes.still(scenes.heap(len(self), self.value)))

    def resume(self) -> None:
        """Let the sand run on."""
        with self._lock:
            if self._since is None and self._left > 0:
                self._run()

    def fill(self, fraction: float) -> None:
        """Show *fraction* of the bar, and hold it."""
        with self._lock:
            self._whole, self._left, self._since = 1.0, min(1.0, max(0.0, fraction)), None
            self._strip.play(scenes.still(scenes.heap(len(self), self._left)))

    def off(self) -> None:
        """Let the bar be empty."""
        self.fill(0.0)

    def _run(self) -> None:
        self._since = self._strip.stage.now()
        self._strip.play(scenes.draining(len(self), self._left, whole=self._whole, alarm=self._alarm))
