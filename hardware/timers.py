"""Timers for devices: on a thread in real time, or turned by hand in tests and demonstrations."""

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
    """A monotonic clock that can call back later."""

    def now(self) -> float:
        """Return the monotonic time in seconds."""

    def after(self, seconds: float, action: Action) -> Timer:
        """Call *action* once after *seconds*, unless the timer is cancelled."""

    def close(self) -> None:
        """Drop all pending timers."""


@dataclass(order=True, slots=True)
class Timer:
    """One pending call."""

    due: float
    """The time of the call, in seconds of its timers' clock."""
    number: int
    """Keeps calls that are due at the same time in the order in which they were asked for."""
    action: Action = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        """Prevent the call; does nothing if it has been made."""
        self.cancelled = True


class ThreadTimers:
    """Timers in real time, run by one thread that starts with the first of them."""

    def __init__(self, name: str = "timers") -> None:
        self._name = name
        self._pending: list[Timer] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def now(self) -> float:
        """Return `time.monotonic()`."""
        return time.monotonic()

    def after(self, seconds: float, action: Action) -> Timer:
        """Call *action* once after *seconds* on the timer thread; an exception is logged and stops no other call."""
        timer = Timer(self.now() + seconds, next(self._numbers), action)
        with self._changed:
            if self._closed:
                timer.cancel()
                return timer
            heapq.heappush(self._pending, timer)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            elif self._pending[0] is timer:
                self._changed.notify()
        return timer

    def close(self) -> None:
        """Drop all pending timers and end the thread; safe to call twice."""
        with self._changed:
            self._closed = True
            self._pending.clear()
            self._changed.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        while (timer := self._wait_for_next()) is not None:
            try:
                timer.action()
            except Exception:
                log.exception("%s: an action failed", self._name)

    def _wait_for_next(self) -> Timer | None:
        """Wait until a timer is due and return it; None when closed."""
        with self._changed:
            while not self._closed:
                while self._pending and self._pending[0].cancelled:
                    heapq.heappop(self._pending)
                if not self._pending:
                    self._changed.wait()
                elif (left := self._pending[0].due - self.now()) > 0:
                    self._changed.wait(left)
                else:
                    return heapq.heappop(self._pending)
        return None


class ManualTimers:
    """Timers whose time moves only when `advance` or `skip` is called, so that every run is the same."""

    def __init__(self) -> None:
        self._now = 0.0
        self._pending: list[Timer] = []
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def now(self) -> float:
        """Return how many seconds the time has been advanced so far."""
        return self._now

    def after(self, seconds: float, action: Action) -> Timer:
        """Call *action* from `advance` once *seconds* have passed; its exceptions reach the caller of `advance`."""
        with self._lock:
            timer = Timer(self._now + seconds, next(self._numbers), action)
            heapq.heappush(self._pending, timer)
        return timer

    def advance(self, seconds: float) -> None:
        """Advance the time by *seconds* and make each call at the time at which it is due."""
        end = self._now + seconds
        while (timer := self._pop_due(end)) is not None:
            if not timer.cancelled:
                timer.action()
        self._now = end

    def skip(self, seconds: float) -> None:
        """Advance the time by *seconds* without any call; overdue calls are made, late, by the next `advance`."""
        self._now += seconds

    def close(self) -> None:
        """Drop all pending timers."""
        self._pending.clear()

    def _pop_due(self, end: float) -> Timer | None:
        with self._lock:
            if not self._pending or self._pending[0].due > end:
                return None
            timer = heapq.heappop(self._pending)
            self._now = max(self._now, timer.due)
            return timer
