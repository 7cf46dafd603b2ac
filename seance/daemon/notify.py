"""What systemd is told of the house: that it is ready, how the night stands, that the loop lives; it asks nothing.

The protocol is one datagram of a few words, so no library is needed for it.
"""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress

from seance.rules import RoomView

MOST_STATUS = 200
"""Characters of a line for `systemctl status`."""


class Notifier:
    """Tells the service manager; where there is none, nobody is told."""

    def __init__(self, address: str | None) -> None:
        """Tell the socket at *address*; one that begins with @ has no place in the file system."""
        self._address = f"\0{address[1:]}" if address and address.startswith("@") else address
        self._status = ""

    @classmethod
    def of(cls, environ: Mapping[str, str] = os.environ) -> "Notifier":
        """Return the one that the environment names."""
        return cls(environ.get("NOTIFY_SOCKET"))

    def ready(self, status: str) -> None:
        """Tell that the house is ready."""
        self._tell("READY=1", self._news(status))

    def waking(self, status: str) -> None:
        """Tell what the start is busy with."""
        self._tell(self._news(status))

    def alive(self, status: str) -> None:
        """Tell that the loop has come round once more, and how the night stands if that has changed."""
        self._tell("WATCHDOG=1", self._news(status))

    def stopping(self, status: str) -> None:
        """Tell that the house goes to sleep."""
        self._tell("STOPPING=1", self._news(status))

    def _news(self, status: str) -> str:
        if status == self._status:
            return ""
        self._status = status
        return f"STATUS={' '.join(status.split())[:MOST_STATUS]}"

    def _tell(self, *words: str) -> None:
        told = "\n".join(filter(None, words))
        if self._address is None or not told:
            return
        # Who feeds a watchdog must not die of it: if the manager is gone, so is its watchdog. Nor wait for it.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as way:
            way.sendto(told.encode(), self._address)


def status_of(room: RoomView | None) -> str:
    """Return how the night stands in a line, as everybody at the table may know it."""
    if room is None:
        return "ready: no night has begun"
    if room.outcome is not None:
        return f"ready: the last night was {'won' if room.outcome.won else 'lost'}"
    return f"{room.edition}, {room.players} players: hour {room.hour}, {room.phase.replace('_', ' ')}"
