"""A bounded queue between threads that drops its oldest item when it is full."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedQueue(Generic[T]):
    """A queue of at most *capacity* items; when it is full, `put` drops the oldest item and counts it."""

    def __init__(self, capacity: int) -> None:
        self._items: deque[T] = deque()
        self._capacity = capacity
        self._changed = threading.Condition(threading.Lock())
        self._closed = False
        self._dropped = 0

    @property
    def dropped(self) -> int:
        """The number of items that were dropped because the queue was full."""
        return self._dropped

    @property
    def closed(self) -> bool:
        """Whether the queue was closed."""
        return self._closed

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: T) -> None:
        """Add *item* without blocking; a closed queue ignores it."""
        with self._changed:
            if self._closed:
                return
            if len(self._items) == self._capacity:
                self._items.popleft()
                self._dropped += 1
            self._items.append(item)
            self._changed.notify()

    def get(self, timeout: float | None = None) -> T | None:
        """Return the oldest item; None when the queue is closed and empty, or after *timeout* seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while not self._items:
                left = None if deadline is None else deadline - time.monotonic()
                if self._closed or (left is not None and left <= 0):
                    return None
                self._changed.wait(left)
            return self._items.popleft()

    def close(self, *, discard: bool = False) -> None:
        """Accept no more items and wake every waiting reader; *discard* also drops the items that are queued."""
        with self._changed:
            self._closed = True
            if discard:
                self._items.clear()
            self._changed.notify_all()
