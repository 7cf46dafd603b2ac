"""The one slot between the house and its pages: the newest is there, whoever is slow misses what was between."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace

from seance.web.page_state import Shown


class Board:
    """Holds what is shown now. `change` may be called on any thread and never waits for a page."""

    def __init__(self, first: Shown) -> None:
        self._shown = first
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._woken = False
        self._closed = False

    @property
    def shown(self) -> Shown:
        """Return what is shown now."""
        return self._shown

    def change(self, how: Callable[[Shown], Shown]) -> None:
        """Show what *how* makes of what is shown now; nothing happens where it makes no difference."""
        with self._lock:
            after = how(self._shown)
            if after == self._shown:
                return
            self._shown = replace(after, n=self._shown.n + 1)
            loop = None if self._woken else self._loop
            self._woken = self._woken or loop is not None
        if loop is not None:
            self._wake(loop)

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wake readers on *loop* from now on; called there."""
        with self._lock:
            self._loop, self._changed, self._woken = loop, asyncio.Event(), False

    def detach(self) -> None:
        """Wake nobody any more."""
        with self._lock:
            self._loop = None

    def close(self) -> None:
        """Let everybody who waits go; called on the readers' loop."""
        self._closed = True
        self._told()

    async def newer(self, seen: int) -> Shown | None:
        """Return what is shown as soon as it is newer than *seen*; None when nothing more is shown."""
        while self._shown.n <= seen or self._closed:
            if self._closed:
                return None
            assert self._changed is not None  # noqa: S101 - whoever waits runs on the loop that was attached
            await self._changed.wait()
        return self._shown

    async def is_newer(self, seen: int, *, within: float) -> bool:
        """Tell whether something newer than *seen* is shown *within* so many seconds, or nothing more will be."""
        try:
            await asyncio.wait_for(self.newer(seen), within)
        except TimeoutError:
            return False
        return True

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            loop.call_soon_threadsafe(self._told)
        except RuntimeError:
            self.detach()  # the loop has just been closed

    def _told(self) -> None:
        """Let everybody who waits look; the next change wakes them again."""
        with self._lock:
            self._woken = False
            changed, self._changed = self._changed, asyncio.Event()
        if changed is not None:
            changed.set()
