"""Finds Wyoming servers on the local network by zeroconf; needs the extra `zeroconf`."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Literal

from seance.wyoming.addresses import Address
from seance.wyoming.connection import WyomingTrouble, describe, languages_of

SERVICE = "_wyoming._tcp.local."
SEARCH_S = 2.0
"""How long the network is asked; servers answer within a second."""
DESCRIBE_TIMEOUT_S = 2.0

Skill = Literal["tts", "asr"]
"""What a server is wanted for: to speak or to recognise speech."""

log = logging.getLogger(__name__)


def resolve(address: Address, skill: Skill, language: str) -> Address:
    """Return *address*, or the first server found that has *skill* in *language* where it has no host.

    Raise WyomingTrouble where none is found.
    """
    if address.host:
        return address
    for found in find_servers():
        with suppress(WyomingTrouble):
            if language.partition("-")[0] in languages_of(
                getattr(describe(found, timeout_s=DESCRIBE_TIMEOUT_S), skill)
            ):
                log.info("a Wyoming server for %s in %s is at %s", skill, language, found)
                return found
    what = {"tts": "speaks", "asr": "recognises"}[skill]
    raise WyomingTrouble(f"no Wyoming server that {what} '{language}' was found: name it, as wyoming://host:port")


def find_servers(search_s: float = SEARCH_S, interfaces: Sequence[str] | None = None) -> tuple[Address, ...]:
    """Return the servers that announce themselves within *search_s* seconds, or raise WyomingTrouble.

    *interfaces* are the addresses of those of this machine that are searched; all of them without.
    """
    try:
        from zeroconf import InterfaceChoice, ServiceBrowser, Zeroconf
    except ModuleNotFoundError:
        remedy = "run `pip install 'seance[zeroconf]'`, or name the server, as wyoming://host:port"
        raise WyomingTrouble(f"zeroconf is not installed: {remedy}") from None
    names: list[str] = []

    def on_change(*, name: str, **_: object) -> None:
        names.append(name)

    try:
        with Zeroconf(interfaces or InterfaceChoice.All) as network:
            ServiceBrowser(network, SERVICE, handlers=[on_change])
            time.sleep(search_s)
            return tuple(dict.fromkeys(address for name in names for address in _addresses(network, name)))
    except OSError as error:
        raise WyomingTrouble(f"the network cannot be searched for Wyoming servers: {error}") from None


def _addresses(network: object, name: str) -> Iterator[Address]:
    info = network.get_service_info(SERVICE, name)  # type: ignore[attr-defined]  # imported only where it is used
    if info is not None and info.port is not None:
        for host in info.parsed_addresses()[:1]:
            yield Address(host, info.port)
