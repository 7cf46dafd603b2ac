"""The ghost's seat at a page: who asked, who holds it, whether anybody looks; who may have it is asked elsewhere."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from seance.dialogue import replies as r
from seance.web.page_state import Chair

TOLD_EVERY = 60.0
"""Seconds between two times that the room hears that somebody tried."""
AWAY_AFTER = 90.0
"""Seconds without the ghost's page after which the house answers in its place."""


class Seat:
    """One chair for one night; the next night has another, which no cookie of this one opens."""

    def __init__(self, keys: Callable[[], str]) -> None:
        self._keys = keys
        self.chair = Chair(key=keys())
        self._watching: Counter[str] = Counter()
        self._gone_at = 0.0
        self._told_at: float | None = None

    def restore(self, chair: Chair | None, now: float) -> None:
        """Go on with the chair of a night that was cut off; nobody looks at its page yet."""
        if chair is not None:
            self.chair = replace(chair, asked=None)
        self._gone_at = now

    def ask(self, device: str | None) -> bool:
        """Let *device* ask for the chair, and return whether it may: it is free, or its own already."""
        if device is None or self.chair.standing != "free":
            return False
        self.chair = replace(self.chair, asked=device)
        return True

    def may_be_told(self, now: float) -> bool:
        """Tell whether the room should hear that somebody tried; not more than now and then."""
        if self._told_at is not None and now - self._told_at < TOLD_EVERY:
            return False
        self._told_at = now
        return True

    def take(self) -> None:
        """Give the chair to whoever asked."""
        self.chair = replace(self.chair, holder=self.chair.asked, asked=None)

    def refuse(self) -> None:
        """Let nobody have it."""
        self.chair = replace(self.chair, asked=None)

    def free(self) -> None:
        """Take the chair from whoever has it; what opened it opens it no more."""
        self.chair = Chair(key=self._keys())

    def settle(self, reply: r.Reply) -> None:
        """Let it be as *reply* says."""
        if isinstance(reply, r.SeatTaken):
            self.take()
        elif isinstance(reply, r.SeatRefused):
            self.refuse()
        elif isinstance(reply, r.SeatFreed):
            self.free()

    def watch(self, device: str, watches: bool, now: float) -> None:
        """Note that a page of *device* is open, or open no more."""
        self._watching[device] += 1 if watches else -1
        if self._watching[device] <= 0:
            del self._watching[device]
            if device == self.chair.holder:
                self._gone_at = now

    def waits(self, now: float) -> bool:
        """Tell whether the house should wait for the ghost's taps: its page is open, or was a moment ago."""
        holder = self.chair.holder
        return holder is not None and (holder in self._watching or now - self._gone_at < AWAY_AFTER)
