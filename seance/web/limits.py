"""Limits on connections and waiting times, and which addresses are local."""

import asyncio
import ipaddress
import socket
import struct
from collections import Counter
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS = 96
"""In total: seven phones with a few each, and as many again."""
MAX_CONNECTIONS_PER_ADDRESS = 32
RESERVED_CONNECTIONS = 32
"""How many of them no anonymous event stream may hold: they are for the ghost's seat, the host and this machine."""
REQUEST_TIMEOUT_S = 10.0
"""How long the head of a request may take, on a new connection or a kept-open one."""
HANG_UP_KEY = "seance.hang_up"
"""The key of an ASGI scope under which a request finds the function that aborts its connection."""
_connections_by_address: Counter[str] = Counter()


class LimitedConnection(H11Protocol):
    """A connection that is aborted at once if there are too many, or if no request comes."""

    _request_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to read, unless there are too many connections."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        _connections_by_address[self._address] += 1
        from_address, in_total = _connections_by_address[self._address], len(self.connections)
        if from_address > MAX_CONNECTIONS_PER_ADDRESS or in_total > MAX_CONNECTIONS:
            self.hang_up()
            return
        self._start_request_timer()
        app = self.app

        async def app_with_hang_up(scope: Any, receive: Any, send: Any) -> None:
            # Only the server's end cancels a request, and nobody waits for the answer then.
            with suppress(asyncio.CancelledError):
                await app({**scope, HANG_UP_KEY: self.hang_up}, receive, send)

        self.app = app_with_hang_up

    def connection_lost(self, exc: Exception | None) -> None:
        """Count one connection less."""
        _connections_by_address[self._address] -= 1
        if not _connections_by_address[self._address]:
            del _connections_by_address[self._address]
        self._cancel_request_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse *data*; a request that has begun must be whole in time, the second on a connection like the first."""
        super().data_received(data)
        if not self._is_between_requests():
            self._cancel_request_timer()
        elif self._request_timer is None and not self.transport.is_closing():
            self._start_request_timer()

    def hang_up(self) -> None:
        """Abort the connection and discard what is still to be sent, in the kernel too."""
        own = self.transport.get_extra_info("socket")
        if own is not None and own.fileno() >= 0:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def _is_between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _start_request_timer(self) -> None:
        self._request_timer = self.loop.call_later(REQUEST_TIMEOUT_S, self._hang_up_without_request)

    def _cancel_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def _hang_up_without_request(self) -> None:
        if self._is_between_requests():
            self.hang_up()


def is_local_network(address: str) -> bool:
    """Tell whether *address* is of this machine or of a local network."""
    try:
        its = ipaddress.ip_address(address)
    except ValueError:
        return False
    return its.is_private or its.is_link_local or its.is_loopback


def is_loopback(address: str) -> bool:
    """Tell whether *address* is this machine's own."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
