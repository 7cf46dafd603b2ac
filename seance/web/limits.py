"""How much of everything a page may have: connections, requests, time; nothing of what they are for is known here."""

import asyncio
import ipaddress
import socket
import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 96
"""To the whole house: seven phones with a few each, and as many again."""
MOST_FROM_ONE = 32
"""From one address."""
FIRST_REQUEST_WITHIN = 10.0
"""Seconds in which whoever connects must have asked for something."""
_MOST_ADDRESSES = 256

_from: Counter[str] = Counter()


class Bounded(H11Protocol):
    """A connection that is hung up at once where there are too many, or where nothing is asked for."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to read, unless there are too many."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        _from[self._address] += 1
        if _from[self._address] > MOST_FROM_ONE or len(self.connections) > MOST_CONNECTIONS:
            self.hang_up()
            return
        self._late = self.loop.call_later(FIRST_REQUEST_WITHIN, self._hang_up_if_nothing_came)
        app = self.app

        async def with_receiver(scope: Any, receive: Any, send: Any) -> None:
            await app({**scope, HANG_UP: self.hang_up}, receive, send)

        self.app = with_receiver

    def connection_lost(self, exc: Exception | None) -> None:
        """Count one less."""
        _from[self._address] -= 1
        if not _from[self._address]:
            del _from[self._address]
        if hasattr(self, "_late"):
            self._late.cancel()
        super().connection_lost(exc)

    def hang_up(self) -> None:
        """End the connection at once, whatever is still to be sent; the system keeps nothing of it either."""
        own = self.transport.get_extra_info("socket")
        if own is not None and own.fileno() >= 0:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def _hang_up_if_nothing_came(self) -> None:
        if self.cycle is None:
            self.hang_up()


HANG_UP = "seance.hang_up"
"""Where a request finds the way to end its connection at once, whatever is still to be sent."""


class Patience:
    """So many at once from one address, and one more every so many seconds; a part of it for all together."""

    def __init__(self, *, at_once: int, every: float, clock: Callable[[], float], of_all: int | None = None) -> None:
        """Allow *at_once* and one more *every* (seconds); all addresses together may have *of_all* at once."""
        self._most, self._every, self._clock, self._of_all = at_once, every, clock, of_all
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Count one more from *address*, and tell whether that is not too many."""
        if not self._take(address, self._most):
            return False
        return self._of_all is None or self._take("", self._of_all)

    def _take(self, address: str, most: int) -> bool:
        now = self._clock()
        left, at = self._left.pop(address, (float(most), now))
        left = min(float(most), left + (now - at) / self._every)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        while len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)
        return left >= 1


def is_near(address: str) -> bool:
    """Tell whether *address* is of this machine or of a local network."""
    try:
        its = ipaddress.ip_address(address)
    except ValueError:
        return False
    return its.is_private or its.is_link_local or its.is_loopback


def is_here(address: str) -> bool:
    """Tell whether *address* is this machine's own."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
