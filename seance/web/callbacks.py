"""What the pages need of the rest of the house, handed in as callables; none of them waits for the game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from seance.rules import EDITIONS, Command, Edition
from seance.web.requests import Do


def _nothing(*_: object) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookups:
    """What takes a moment to find out; each is called on a thread that nobody waits for."""

    chronicle: Callable[[], str | None] = _nothing
    """The last night that is over, as a page."""
    replay: Callable[[], Mapping[str, Any] | None] = _nothing
    """The last night that is over, step by step, as the room saw it."""
    checks: Callable[[], list[dict[str, str]]] = list
    """Whether all is well: name, state, told, fix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """What is done with what a page asks for; each is called on the server's thread."""

    say: Callable[[str, bool], None] = _nothing
    """Words typed at a table's page, and whether that page is open on this very machine."""
    sit: Callable[[str], None] = _nothing
    """A device wants the ghost's seat."""
    tried: Callable[[], None] = _nothing
    """A device wanted a seat that is taken."""
    ask: Callable[[str, Command], None] = _nothing
    """The device in the ghost's seat asks for something of the rules."""
    control: Callable[[str, str], None] = _nothing
    """The device in the ghost's seat wants a pause, or no more of it."""
    present: Callable[[str, bool], None] = _nothing
    """The page of a device is open, or no more."""
    do: Callable[[Do], str | None] = _nothing
    """What the host asks for; returns in words why not, if not."""
    level: Callable[[], float | None] = _nothing
    """How loud it is at the microphone (0 to 1); None without one."""
    lookups: Lookups = Lookups()
    editions: Mapping[str, Edition] = field(default_factory=lambda: EDITIONS)
