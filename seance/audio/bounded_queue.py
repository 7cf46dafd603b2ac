"""A bounded queue that forgets the oldest rather than let anybody wait; it knows nothing of sound."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Backlog(Generic[T]):
    """What was put and not yet taken: *room* items at most, the oldest dropped and counted."""

    def __init__(self, room: int) -> None:
        self._items: deque[T] = deque()
        self._room = room
        self._changed = threading.Condition(threading.Lock())
        self._closed = False
        self._dropped = 0

    @property
    def dropped(self) -> int:
        """How many items nobody took in time."""
        return self._dropped

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: T) -> None:
        """Add *item* without waiting; a closed backlog ignores it."""
        with self._changed:
            if self._closed:
                return
            if len(self._items) == self._room:
                self._items.popleft()
                self._dropped += 1
            self._items.append(item)
            self._changed.notify()

    def get(self, timeout: float | None = None) -> T | None:
        """Return the oldest item; None when it is closed and empty, or after *timeout* seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while not self._items:
                left = None if deadline is None else deadline - time.monotonic()
                if self._closed or (left is not None and left <= 0):
                    return None
                self._changed.wait(left)
            return self._items.popleft()

    def close(self, *, forget: bool = False) -> None:
        """Wake who waits: nothing more comes. What is there can still be taken unless it is to be forgotten."""
        with self._changed:
            self._closed = True
            if forget:
                self._items.clear()
            self._changed.notify_all()
