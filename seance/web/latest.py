"""The latest page state, handed from the evening's threads to the web server; slow readers skip versions."""

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from seance.web.page_state import PageState


class LatestState:
    """Holds the current page state. `update` may be called on any thread and never waits for a page."""

    def __init__(self, first: PageState) -> None:
        self.when_changed: Callable[[PageState], None] = lambda _: None
        """Called with each new state, in their order; it must not block."""
        self._current = first
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._wake_pending = False
        self._closed = False

    @property
    def current(self) -> PageState:
        """Return the current state."""
        return self._current

    def update(self, change: Callable[[PageState], PageState]) -> None:
        """Replace the current state by what *change* makes of it, with a new version if it differs."""
        with self._lock:
            after = change(self._current)
            if after == self._current:
                return
            self._current = replace(after, version=self._current.version + 1)
            self.when_changed(self._current)
            loop = None if self._wake_pending else self._loop
            self._wake_pending = self._wake_pending or loop is not None
        if loop is not None:
            self._wake(loop)

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wake readers on *loop* from now on; called on that loop."""
        with self._lock:
            self._loop, self._changed, self._wake_pending = loop, asyncio.Event(), False

    def detach(self) -> None:
        """Stop waking readers."""
        with self._lock:
            self._loop = None

    def close(self) -> None:
        """Release all waiting readers; called on their loop."""
        self._closed = True
        self._wake_readers()

    async def wait_for_newer(self, version: int) -> PageState | None:
        """Return the state as soon as it is newer than *version*; None once this is closed."""
        while self._current.version <= version or self._closed:
            if self._closed:
                return None
            assert self._changed is not None  # noqa: S101 - readers run on the attached loop
            await self._changed.wait()
        return self._current

    async def changes_within(self, version: int, timeout_s: float) -> bool:
        """Tell whether the state becomes newer than *version*, or this is closed, within *timeout_s*."""
        try:
            await asyncio.wait_for(self.wait_for_newer(version), timeout_s)
        except TimeoutError:
            return False
        return True

    async def becomes(self, wanted: Callable[[PageState], bool], timeout_s: float) -> bool:
        """Tell whether the state is *wanted*, or becomes so within *timeout_s*."""
        deadline = time.monotonic() + timeout_s
        while not wanted(page := self._current):
            left = deadline - time.monotonic()
            if left <= 0 or self._closed or not await self.changes_within(page.version, left):
                return False
        return True

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            loop.call_soon_threadsafe(self._wake_readers)
        except RuntimeError:
            self.detach()  # the loop has just been closed

    def _wake_readers(self) -> None:
        with self._lock:
            self._wake_pending = False
            changed, self._changed = self._changed, asyncio.Event()
        if changed is not None:
            changed.set()
