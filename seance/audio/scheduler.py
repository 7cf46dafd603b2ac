"""A thread that makes calls at given times."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable


class Scheduler:
    """A thread called *name* that makes each call when it is due, in the order of the due times."""

    def __init__(self, name: str) -> None:
        self._calls: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def call_at(self, due: float, call: Callable[[], None]) -> None:
        """Schedule *call* for the monotonic time *due*; once the scheduler is closed, make it immediately."""
        with self._changed:
            if not self._closed:
                heapq.heappush(self._calls, (due, next(self._numbers), call))
                self._changed.notify()
                return
        call()

    def close(self) -> None:
        """Make every call that is left without waiting for its time, and end the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _work(self) -> None:
        while (call := self._next_call()) is not None:
            call()

    def _next_call(self) -> Callable[[], None] | None:
        """Return the next call when it is due; None when the scheduler is closed and has none left."""
        with self._changed:
            while True:
                left = self._calls[0][0] - time.monotonic() if self._calls else None
                if self._calls and (self._closed or (left is not None and left <= 0)):
                    return heapq.heappop(self._calls)[2]
                if self._closed:
                    return None
                self._changed.wait(left)
