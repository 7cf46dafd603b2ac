"""The pages of an evening, served; all that they need of the house is handed to them here."""

import socket
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Literal

from seance.daemon.context import House
from seance.daemon.loop import Inbox
from seance.daemon.page_state import Pages, calls
from seance.web.address import bound
from seance.web.callbacks import Lookups
from seance.web.server import Server


@contextmanager
def served(
    listen: Literal["network", "loopback"],
    port: int,
    name: str | None,
    *,
    house: House,
    pages: Pages,
    inbox: Inbox,
    level: Callable[[], float | None],
    lookups: Lookups,
) -> Iterator[str]:
    """Serve the pages and yield where they are; or raise PortTaken."""
    own = bound(listen, port)
    its = words(house.stage.script.language)
    server = Server(
        own,
        pages.board,
        calls(inbox, pages.board, its, level=level, lookups=lookups, editions=house.customs.editions),
        name=name or socket.gethostname().partition(".")[0],
        words=its,
        names={str(psychic): called for psychic, called in house.stage.script.inflection.names.items()},
        cards={str(card): called for card, called in house.stage.script.inflection.cards.items()},
    )
    with server:
        yield server.address


def words(language: str) -> dict[str, str]:
    """Return the words on the pages."""
    return tomllib.loads(files("voices").joinpath(language, "pages.toml").read_text(encoding="utf-8"))
