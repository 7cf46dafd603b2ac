"""Asks a Wyoming server on another machine, within a deadline and without trust in its answers."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from wyoming.error import Error
from wyoming.event import Event, Eventable, read_event, write_event
from wyoming.info import Describe, Info

from seance.wyoming.addresses import Address

MAX_ANSWER_BYTES = 32_000_000
"""All that one connection takes: ten minutes of speech."""
MAX_LINE_BYTES = 1_000_000
CONNECT_TIMEOUT_S = 3.0
"""Seconds in which a server takes a connection, however long its answer may take."""


class WyomingTrouble(RuntimeError):
    """A server is gone, too slow, or answers nonsense; the message names it."""


class Connection:
    """One conversation with a server, which must be over *timeout_s* seconds after it began."""

    def __init__(self, address: Address, *, timeout_s: float) -> None:
        self._address, self._timeout_s = address, timeout_s
        self._ends_s = time.monotonic() + timeout_s
        self._left_bytes = MAX_ANSWER_BYTES
        self._buffer = bytearray()
        self._socket: socket.socket | None = None

    def __enter__(self) -> Self:
        timeout_s = min(self._timeout_s, CONNECT_TIMEOUT_S)
        try:
            self._socket = socket.create_connection((self._address.host, self._address.port), timeout_s)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise WyomingTrouble(f"no Wyoming server answers at {self._address}: {error}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up; whoever waits for an answer gets WyomingTrouble."""
        if self._socket is not None:
            with suppress(OSError):  # the server has hung up already
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()

    def send(self, messages: Iterable[Eventable]) -> None:
        """Send *messages*, or raise WyomingTrouble."""
        for message in messages:
            write_event(message.event(), self)  # type: ignore[arg-type]  # it calls writelines, write and flush

    def receive(self) -> Event:
        """Return the next message of the server, or raise WyomingTrouble."""
        try:
            event = read_event(self)  # type: ignore[arg-type]  # it calls readline and read
        except (AttributeError, KeyError, TypeError) as error:
            raise self._nonsense(f"a message without {error}") from None
        if event is None or not isinstance(event.type, str) or not isinstance(event.data, dict):
            raise self._nonsense("no message")
        if Error.is_type(event.type):
            raise WyomingTrouble(f"the Wyoming server at {self._address} says: {event.data.get('text')!s:.200}")
        return event

    def writelines(self, lines: Iterable[bytes]) -> None:
        """Send *lines*."""
        self.write(b"".join(lines))

    def write(self, data: bytes) -> None:
        """Send *data*."""
        self._with_deadline("sendall", data)

    def flush(self) -> None:
        """Do nothing: what is written is sent."""

    def readline(self) -> bytes:
        """Return the bytes to the end of the line."""
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > MAX_LINE_BYTES:
                raise self._nonsense("a line without an end")
            self._fill()
        return self._take(end + 1)

    def read(self, count: int) -> bytes:
        """Return the next *count* bytes."""
        if count > self._left_bytes + len(self._buffer):
            raise self._nonsense(f"{count} bytes at once")
        while len(self._buffer) < count:
            self._fill()
        return self._take(count)

    def _take(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _fill(self) -> None:
        received: bytes = self._with_deadline("recv", 65_536)
        if not received:
            raise WyomingTrouble(f"the Wyoming server at {self._address} hung up before it had answered")
        self._left_bytes -= len(received)
        if self._left_bytes < 0:
            raise self._nonsense(f"more than {MAX_ANSWER_BYTES} bytes")
        self._buffer += received

    def _with_deadline(self, method: str, argument: object) -> Any:
        """Return what *method* of the socket returns, or raise WyomingTrouble at the deadline or where it fails."""
        left_s = self._ends_s - time.monotonic()
        if self._socket is None or left_s <= 0:
            raise self._too_slow()
        try:
            self._socket.settimeout(left_s)
            return getattr(self._socket, method)(argument)
        except TimeoutError:
            raise self._too_slow() from None
        except OSError as error:
            raise WyomingTrouble(f"the Wyoming server at {self._address} went away: {error}") from None

    def _too_slow(self) -> WyomingTrouble:
        return WyomingTrouble(f"the Wyoming server at {self._address} took longer than {self._timeout_s:g} s")

    def _nonsense(self, what: str) -> WyomingTrouble:
        return WyomingTrouble(f"the Wyoming server at {self._address} answers nonsense: {what}")


def describe(address: Address, *, timeout_s: float) -> Info:
    """Return what the server at *address* says that it can do, or raise WyomingTrouble."""
    with Connection(address, timeout_s=timeout_s) as connection:
        connection.send([Describe()])
        while not Info.is_type((event := connection.receive()).type):
            pass
    try:
        return Info.from_event(event)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise WyomingTrouble(f"the Wyoming server at {address} does not say what it can do: {error!r}") from None


def languages_of(programs: Iterable[Any]) -> frozenset[str]:
    """Return the languages of the installed voices or models of *programs*, without their regions: en, fr."""
    kinds = [each for program in programs for each in getattr(program, "voices", None) or program.models]
    return frozenset(
        language.replace("_", "-").partition("-")[0].lower() for kind in kinds for language in kind.languages
    )
