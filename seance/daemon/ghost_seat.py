"""The ghost's seat at a page: which device asked for it, which one holds it, and whether its page is open."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from seance.dialogue import replies as r
from seance.web.page_state import SeatState

ATTEMPT_NOTICE_INTERVAL_S = 60.0
"""Least time between two announcements that somebody tried to take the seat."""
AWAY_TIMEOUT_S = 90.0
"""How long the ghost's page may be closed before the house answers in the ghost's place."""


class GhostSeat:
    """The seat of one night; each night has a new key, so that cookies of an earlier one are worthless."""

    def __init__(self, make_key: Callable[[], str]) -> None:
        self._make_key = make_key
        self.state = SeatState(key=make_key())
        self._open_pages: Counter[str] = Counter()
        self._closed_at = 0.0
        self._announced_at: float | None = None

    def restore(self, state: SeatState | None, now: float) -> None:
        """Continue with the seat of an interrupted night, whose page is not open yet."""
        if state is not None:
            self.state = replace(state, asked=None)
        self._closed_at = now

    def request(self, device: str | None) -> bool:
        """Note that *device* asks for the seat, and return whether it may: the seat must be free."""
        if device is None or self.state.status != "free":
            return False
        self.state = replace(self.state, asked=device)
        return True

    def should_announce_attempt(self, now: float) -> bool:
        """Tell whether to announce an attempt at *now*; True at most once in ATTEMPT_NOTICE_INTERVAL_S."""
        if self._announced_at is not None and now - self._announced_at < ATTEMPT_NOTICE_INTERVAL_S:
            return False
        self._announced_at = now
        return True

    def grant(self) -> None:
        """Give the seat to the device that asked."""
        self.state = replace(self.state, holder=self.state.asked, asked=None)

    def refuse(self) -> None:
        """Turn down the device that asked."""
        self.state = replace(self.state, asked=None)

    def release(self) -> None:
        """Take the seat from its holder and make its cookie worthless."""
        self.state = SeatState(key=self._make_key())

    def apply_reply(self, reply: r.Reply) -> None:
        """Grant, refuse or release the seat if *reply* says so."""
        if isinstance(reply, r.SeatTaken):
            self.grant()
        elif isinstance(reply, r.SeatRefused):
            self.refuse()
        elif isinstance(reply, r.SeatFreed):
            self.release()

    def set_page_open(self, device: str, is_open: bool, now: float) -> None:
        """Note that a page of *device* was opened or closed."""
        self._open_pages[device] += 1 if is_open else -1
        if self._open_pages[device] <= 0:
            del self._open_pages[device]
            if device == self.state.holder:
                self._closed_at = now

    def is_ghost_present(self, now: float) -> bool:
        """Tell whether the holder's page is open, or was within AWAY_TIMEOUT_S."""
        holder = self.state.holder
        return holder is not None and (holder in self._open_pages or now - self._closed_at < AWAY_TIMEOUT_S)
