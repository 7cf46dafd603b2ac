"""The web server, on a thread with its own event loop."""

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
from seance.web.access import AccessGuard
from seance.web.callbacks import Callbacks
from seance.web.host_access import HostAccess
from seance.web.latest import LatestState
from seance.web.limits import MAX_CONNECTIONS, LimitedConnection
from seance.web.page_json import StaticPageData
from seance.web.page_words import PageWords
from seance.web.qr import qr_path
from seance.web.site import Site

_JOIN_TIMEOUT_S = 5.0
_MAX_HEADER_BYTES = 16_384
"""Of a request's head."""


class Server:
    """Serves the pages while it is entered."""

    def __init__(
        self,
        own_socket: socket.socket,
        latest: LatestState,
        callbacks: Callbacks,
        *,
        name: str,
        words: PageWords,
        names: Mapping[str, str],
        cards: Mapping[str, str],
        marks: Mapping[str, str],
        languages: Mapping[str, str],
        host_access: HostAccess,
    ) -> None:
        """Take over *own_socket*, which is bound; *name* is the machine's host name."""
        self._socket, self._latest = own_socket, latest
        self.address = a.page_address(own_socket.getsockname(), name)
        static = StaticPageData(
            words={name: msgspec.Raw(msgspec.json.encode(texts)) for name, texts in words.editions.items()},
            names=names,
            cards=cards,
            marks=marks,
            address=self.address,
            address_in_digits=a.address_in_digits(own_socket.getsockname()),
            qr=None if "//127." in self.address else qr_path(self.address),
            languages=languages,
        )
        site = Site(latest, callbacks, static, words, host_access)
        guarded = AccessGuard(site.app(), names=a.host_names(name), word=site.check.word)
        config = uvicorn.Config(
            guarded,
            http=LimitedConnection,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=MAX_CONNECTIONS,
            backlog=a.BACKLOG,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=2,
            h11_max_incomplete_event_size=_MAX_HEADER_BYTES,
        )
        # It logs every event at DEBUG, secrets included.
        logging.getLogger("sse_starlette").setLevel(logging.WARNING)
        self._server = _UvicornServer(config, latest)
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._latest.detach()
        self._server.should_exit = True
        self._thread.join(timeout=_JOIN_TIMEOUT_S)
        self._socket.close()

    def _serve(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))


class _UvicornServer(uvicorn.Server):
    """A server that aborts all connections and requests when it ends."""

    def __init__(self, config: uvicorn.Config, latest: LatestState) -> None:
        super().__init__(config)
        self._latest = latest

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Attach the latest state to this loop, and begin to serve."""
        self._latest.attach(asyncio.get_running_loop())
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Abort all connections and the requests that are being answered, and end."""
        self._latest.close()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        # Until the connections know that they are lost, uvicorn would complain of requests without an answer.
        await asyncio.sleep(0)
        for request in list(self.server_state.tasks):
            request.cancel()
        await super().shutdown(sockets)
