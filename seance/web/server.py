"""The server on a thread of its own, with a loop of its own; the house neither waits for it nor fails with it."""

import asyncio
import logging
import socket
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import msgspec
import uvicorn

from seance.web import address as a
from seance.web.access import Guard
from seance.web.callbacks import Calls
from seance.web.latest import Board
from seance.web.limits import MOST_CONNECTIONS, Bounded
from seance.web.page_json import Furniture
from seance.web.site import Site

_FAREWELL_SECONDS = 5.0
_MOST_HEADERS = 16_384
"""Bytes of a request before its body."""


class Server:
    """Serves the pages at *listen* until it is closed."""

    def __init__(
        self,
        listen: socket.socket,
        board: Board,
        calls: Calls,
        *,
        name: str,
        words: Mapping[str, str],
        names: Mapping[str, str],
        cards: Mapping[str, str],
    ) -> None:
        """Take over *listen*, which is bound; *name* is what the machine is called."""
        self._socket, self._board = listen, board
        self.address = a.address(listen.getsockname(), name)
        furniture = Furniture(
            words=msgspec.Raw(msgspec.json.encode(words)), names=names, cards=cards, address=self.address
        )
        site = Site(board, calls, furniture, words)
        guarded = Guard(site.app(), names=a.names(name), word=lambda key: words.get(key, key))
        config = uvicorn.Config(
            guarded,
            http=Bounded,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            backlog=a.BACKLOG,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=2,
            h11_max_incomplete_event_size=_MOST_HEADERS,
        )
        # It writes every frame into its log at DEBUG, secrets among them.
        logging.getLogger("sse_starlette").setLevel(logging.WARNING)
        self._server = _Uvicorn(config, board)
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._board.detach()
        self._server.should_exit = True
        self._thread.join(timeout=_FAREWELL_SECONDS)
        self._socket.close()

    def _serve(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))


class _Uvicorn(uvicorn.Server):
    """A server that lets nobody keep it when it ends."""

    def __init__(self, config: uvicorn.Config, board: Board) -> None:
        super().__init__(config)
        self._board = board

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        self._board.attach(asyncio.get_running_loop())
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Hang up on everybody, and end."""
        self._board.close()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await super().shutdown(sockets)
