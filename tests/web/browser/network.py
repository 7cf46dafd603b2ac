"""A network between a phone and the house that can be cut: a relay of TCP connections on loopback."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

CHUNK_BYTES = 65_536


class CuttableNetwork:
    """Relays connections to one address; while it is cut, open ones are reset and new ones are dropped."""

    def __init__(self, address: str) -> None:
        to = urlsplit(address)
        self._to = (to.hostname or "", to.port or 80)
        self._entrance = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._entrance.getsockname()[1]}"
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._is_cut = False
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def cut(self) -> None:
        """Lose every connection, until `mend`."""
        with self._lock:
            self._is_cut = True
            for each in self._open:
                _lose(each)

    def mend(self) -> None:
        self._is_cut = False

    def close(self) -> None:
        """Lose every connection for good, and wait until all sockets are closed."""
        _lose(self._entrance)
        self.cut()
        self._accepting.join()

    def _accept(self) -> None:
        relays = []
        with self._entrance, suppress(OSError):
            while True:
                near, _ = self._entrance.accept()
                relays.append(threading.Thread(target=self._relay, args=(near,), daemon=True))
                relays[-1].start()
        for relay in relays:
            relay.join()

    def _relay(self, near: socket.socket) -> None:
        with near, suppress(OSError), self._joined(near) as far:
            back = threading.Thread(target=_copy, args=(far, near), daemon=True)
            back.start()
            _copy(near, far)
            back.join()

    @contextmanager
    def _joined(self, near: socket.socket) -> Iterator[socket.socket]:
        with socket.create_connection(self._to) as far:
            pair = {near, far}
            with self._lock:
                if self._is_cut:
                    raise ConnectionResetError
                self._open |= pair
            try:
                yield far
            finally:
                with self._lock:
                    self._open -= pair


def _copy(source: socket.socket, to: socket.socket) -> None:
    """Pass on what comes from *source* until either side is gone, and end the other."""
    with suppress(OSError):
        while chunk := source.recv(CHUNK_BYTES):
            to.sendall(chunk)
    _lose(to)


def _lose(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
