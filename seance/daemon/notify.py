"""Notifies systemd: that the service is ready, how the night stands, that the loop is alive.

The protocol (sd_notify) is one short datagram, so no library is needed for it.
"""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress

from seance.daemon.terminal_texts import TerminalTexts
from seance.rules import RoomView

MAX_STATUS_CHARS = 200
"""Of a line in `systemctl status`."""


class Notifier:
    """Sends notifications to the service manager, if there is one."""

    def __init__(self, address: str | None) -> None:
        """Send to the socket at *address*; a leading @ means the abstract namespace."""
        self._address = f"\0{address[1:]}" if address and address.startswith("@") else address
        self._status = ""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Notifier":
        """Return a notifier for the socket that `NOTIFY_SOCKET` names."""
        return cls(environ.get("NOTIFY_SOCKET"))

    def ready(self, status: str) -> None:
        """Notify that the service has started."""
        self._send("READY=1", self._status_line(status))

    def starting(self, status: str) -> None:
        """Notify what the start is busy with."""
        self._send(self._status_line(status))

    def ping_watchdog(self, status: str) -> None:
        """Notify that the loop is alive, and the status if it has changed."""
        self._send("WATCHDOG=1", self._status_line(status))

    def stopping(self, status: str) -> None:
        """Notify that the service stops."""
        self._send("STOPPING=1", self._status_line(status))

    def _status_line(self, status: str) -> str:
        if status == self._status:
            return ""
        self._status = status
        return f"STATUS={' '.join(status.split())[:MAX_STATUS_CHARS]}"

    def _send(self, *lines: str) -> None:
        message = "\n".join(filter(None, lines))
        if self._address is None or not message:
            return
        # The loop must neither fail nor wait here: if the manager is gone, so is its watchdog.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as manager:
            manager.sendto(message.encode(), self._address)


def status_line(room: RoomView | None, terminal_texts: TerminalTexts) -> str:
    """Return how the night stands in one line, without secrets, in the words of its edition."""
    texts = terminal_texts.of(None if room is None else room.edition)
    if room is None:
        return texts("status.ready")
    if room.outcome is not None:
        return texts("status.won" if room.outcome.won else "status.lost")
    players, phase = texts.count("players.count", room.players), texts(f"phases.{room.phase}")
    edition, turn = terminal_texts.title(room.edition), terminal_texts.turn(room.edition, room.hour)
    return texts("status.playing", edition=edition, players=players, turn=turn, phase=phase)
