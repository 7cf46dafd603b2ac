"""The address of the pages: by host name if Avahi runs, else by IP address."""

import fcntl
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

AVAHI_SOCKET = Path("/run/avahi-daemon/socket")
"""Exists while Avahi runs, which lets phones resolve `NAME.local`."""
INTERFACES = Path("/sys/class/net")
SIOCGIFADDR = 0x8915
"""The ioctl that returns the address of an interface."""
BACKLOG = 512
"""Connections that may wait to be accepted."""


class PortTaken(OSError):
    """The socket cannot be bound; the message is one sentence."""


def bind_socket(listen: Literal["network", "loopback"], port: int) -> socket.socket:
    """Return a socket bound to *port*, for the local network or for this machine alone; or raise PortTaken.

    IPv4 only: addresses in a home network are private there, which is how requests from elsewhere are refused.
    """
    host = "" if listen == "network" else "127.0.0.1"
    try:
        return socket.create_server((host, port), backlog=BACKLOG)
    except OSError as error:
        raise PortTaken(f"the pages cannot be served at port {port}: {error.strerror}") from None


def page_address(
    bound: tuple[str, int],
    name: str,
    *,
    has_names: Callable[[], bool] = AVAHI_SOCKET.exists,
    own: Callable[[], str | None] = lambda: own_address(),
) -> str:
    """Return the URL by which others reach a server whose socket is bound to *bound*."""
    host, port = bound[:2]
    if host != "0.0.0.0":  # noqa: S104 - it is compared, not bound
        host_or_ip = host
    elif has_names():
        host_or_ip = f"{name}.local"
    else:
        host_or_ip = own() or "127.0.0.1"
    return f"http://{host_or_ip}:{port}/"


def address_in_digits(bound: tuple[str, int], *, own: Callable[[], str | None] = lambda: own_address()) -> str | None:
    """Return the IP address and port by which others reach a server bound to *bound*; None without a network."""
    host, port = bound[:2]
    if host != "0.0.0.0":  # noqa: S104 - it is compared, not bound
        return None
    found = own()
    return None if found is None else f"{found}:{port}"


def host_names(name: str) -> frozenset[str]:
    """Return the host names that mean this machine, *name* among them."""
    its = socket.gethostname().lower()
    return frozenset({"localhost", name.lower(), its, its.partition(".")[0]})


def own_address() -> str | None:
    """Return this machine's IP address in the local network; None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # UDP sends nothing here: this only looks up the route
        host_or_ip: str = probe.getsockname()[0]
        return host_or_ip
    return _address_of_any_interface()


def _address_of_any_interface() -> str | None:
    """Return the address of the first interface but loopback: a hotspot has no default route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        # Not socket.if_nameindex(): it uses netlink, which the systemd unit forbids.
        for interface in sorted(INTERFACES.iterdir()):
            request = struct.pack("256s", interface.name.encode()[:15])
            with suppress(OSError):
                host_or_ip = socket.inet_ntoa(fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)[20:24])
                if not host_or_ip.startswith("127."):
                    return host_or_ip
    return None
