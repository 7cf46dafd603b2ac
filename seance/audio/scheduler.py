"""Calls things when their time has come, on one thread; it does not know what they are."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable


class Bell:
    """A thread that calls what was handed to it, each when it is due and in that order."""

    def __init__(self, name: str) -> None:
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def call_at(self, due: float, call: Callable[[], None]) -> None:
        """Have *call* called at the monotonic time *due*, or soon where that is over; at once when it is closed."""
        with self._changed:
            if not self._closed:
                heapq.heappush(self._due, (due, next(self._numbers), call))
                self._changed.notify()
                return
        call()

    def close(self) -> None:
        """Call all that is left without waiting for its time, and end."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _work(self) -> None:
        while (call := self._next()) is not None:
            call()

    def _next(self) -> Callable[[], None] | None:
        with self._changed:
            while True:
                left = self._due[0][0] - time.monotonic() if self._due else None
                if self._due and (self._closed or (left is not None and left <= 0)):
                    return heapq.heappop(self._due)[2]
                if self._closed:
                    return None
                self._changed.wait(left)
