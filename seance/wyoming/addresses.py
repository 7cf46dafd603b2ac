"""Where a Wyoming server listens, as it is written in the settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

SCHEME = "wyoming://"


@dataclass(frozen=True, slots=True)
class Address:
    """Host and TCP port of a server; without a host, any server that is found on the network."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


ANYWHERE = Address("", 0)


def parse_address(url: str) -> Address:
    """Return the address in *url*, `wyoming://host:port` or only `wyoming://`, or raise ValueError."""
    if url == SCHEME:
        return ANYWHERE
    parts = urlsplit(url)
    if (
        not url.startswith(SCHEME)
        or not parts.hostname
        or not parts.port
        or parts.path
        or parts.query
        or parts.username
    ):
        raise ValueError(f"{url[:60]!r} is not wyoming://host:port")
    return Address(parts.hostname, parts.port)


def check_server(key: str, url: str, others: Sequence[str] = ()) -> None:
    """Raise ValueError where *url*, the value of *key*, is no address; *others* are what else it could have been."""
    try:
        parse_address(url)
    except ValueError:
        choices = ", ".join([*others, "wyoming://host:port"])
        problem = f"{url[:60]!r} cannot be used: one of {choices}, or wyoming:// for a server that is found by itself"
        raise ValueError(f"`{key}`: {problem}") from None
