"""Where the pages are: by a name where the network knows names, else by a number."""

import fcntl
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

AVAHI = Path("/run/avahi-daemon/socket")
"""There while Avahi runs, which lets phones find a machine by its name."""
INTERFACES = Path("/sys/class/net")
SIOCGIFADDR = 0x8915
"""Asks Linux for the address of an interface."""
BACKLOG = 512
"""How many may wait to be let in, or hung up on."""


class PortTaken(OSError):
    """The pages cannot be served there; the message is one sentence."""


def bound(listen: Literal["network", "loopback"], port: int) -> socket.socket:
    """Return a socket at *port* of this machine, for the local network or for itself alone; or raise PortTaken.

    By IPv4 alone: there a home's addresses are private ones, and whoever comes from elsewhere can be told by that.
    """
    host = "" if listen == "network" else "127.0.0.1"
    try:
        return socket.create_server((host, port), backlog=BACKLOG)
    except OSError as error:
        raise PortTaken(f"the pages cannot be served at port {port}: {error.strerror}") from None


def address(
    listens: tuple[str, int],
    name: str,
    *,
    has_names: Callable[[], bool] = AVAHI.exists,
    own: Callable[[], str | None] = lambda: own_address(),
) -> str:
    """Return where the page of a server that *listens* there is found by others."""
    host, port = listens[:2]
    if host != "0.0.0.0":  # noqa: S104 - it is compared, not bound
        found = host
    elif has_names():
        found = f"{name}.local"
    else:
        found = own() or "127.0.0.1"
    return f"http://{found}:{port}/"


def names(name: str) -> frozenset[str]:
    """Return what this machine may be called."""
    its = socket.gethostname().lower()
    return frozenset({"localhost", name.lower(), its, its.partition(".")[0]})


def own_address() -> str | None:
    """Return this machine's address in the local network; None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks for the way
        found: str = probe.getsockname()[0]
        return found
    return _address_of_any_interface()


def _address_of_any_interface() -> str | None:
    """Return the address of the first interface that is not the machine's own: a hotspot leads nowhere else."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        # Not socket.if_nameindex(): that asks by netlink, which the service may not.
        for interface in sorted(INTERFACES.iterdir()):
            asked = struct.pack("256s", interface.name.encode()[:15])
            with suppress(OSError):
                found = socket.inet_ntoa(fcntl.ioctl(probe.fileno(), SIOCGIFADDR, asked)[20:24])
                if not found.startswith("127."):
                    return found
    return None
