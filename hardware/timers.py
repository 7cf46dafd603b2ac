"""Time for devices: now, and something later; it knows nothing of lights or coils.

A device asks for its time, so that real threads keep it in a house and a hand turns it in a test.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

Action = Callable[[], None]

log = logging.getLogger(__name__)


class Timers(Protocol):
    """What a device needs of time."""

    def now(self) -> float:
        """Return seconds since some moment; they only grow."""

    def after(self, seconds: float, action: Action) -> Timer:
        """Call *action* once in *seconds*, unless the timer is cancelled."""

    def close(self) -> None:
        """Forget everything that is still to come."""


@dataclass(order=True, slots=True)
class Timer:
    """Something that is still to come."""

    due: float
    """When, in the seconds of its timers."""
    number: int
    action: Action = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        """Let it not happen; too late, it does nothing."""
        self.cancelled = True


class ThreadTimers:
    """Real time, kept by one thread that starts with the first timer."""

    def __init__(self, name: str = "timers") -> None:
        self._name = name
        self._due: list[Timer] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def now(self) -> float:
        """Return seconds of the machine's monotonic clock."""
        return time.monotonic()

    def after(self, seconds: float, action: Action) -> Timer:
        """Call *action* once in *seconds* on the thread; one that raises is logged, and the others go on."""
        timer = Timer(self.now() + seconds, next(self._numbers), action)
        with self._changed:
            if self._closed:
                timer.cancel()
                return timer
            heapq.heappush(self._due, timer)
            if self._thread is None:
                self._thread = threading.Thread(target=self._keep_time, name=self._name, daemon=True)
                self._thread.start()
            elif self._due[0] is timer:
                self._changed.notify()
        return timer

    def close(self) -> None:
        """Forget everything and end the thread; a second time does nothing."""
        with self._changed:
            self._closed = True
            self._due.clear()
            self._changed.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _keep_time(self) -> None:
        while (timer := self._next()) is not None:
            try:
                timer.action()
            except Exception:
                log.exception("%s: an action failed", self._name)

    def _next(self) -> Timer | None:
        """Wait for the next timer that is due; None when closed."""
        with self._changed:
            while not self._closed:
                while self._due and self._due[0].cancelled:
                    heapq.heappop(self._due)
                if not self._due:
                    self._changed.wait()
                elif (left := self._due[0].due - self.now()) > 0:
                    self._changed.wait(left)
                else:
                    return heapq.heappop(self._due)
        return None


class HandTimers:
    """Time that stands still until a hand turns it: a whole evening in a moment, each run like the last."""

    def __init__(self) -> None:
        self._now = 0.0
        self._due: list[Timer] = []
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def now(self) -> float:
        """Return how many seconds it was turned so far."""
        return self._now

    def after(self, seconds: float, action: Action) -> Timer:
        """Call *action* when the time has been turned so far; what it raises reaches the turning hand."""
        with self._lock:
            timer = Timer(self._now + seconds, next(self._numbers), action)
            heapq.heappush(self._due, timer)
        return timer

    def advance(self, seconds: float) -> None:
        """Turn the time on, and do on the way what is due."""
        end = self._now + seconds
        while (timer := self._next(end)) is not None:
            if not timer.cancelled:
                timer.action()
        self._now = end

    def skip(self, seconds: float) -> None:
        """Turn the time on and do nothing on the way; what was due is done when it is turned again, late."""
        self._now += seconds

    def close(self) -> None:
        """Forget everything that is still to come."""
        self._due.clear()

    def _next(self, end: float) -> Timer | None:
        with self._lock:
            if not self._due or self._due[0].due > end:
                return None
            timer = heapq.heappop(self._due)
            self._now = max(self._now, timer.due)
            return timer
