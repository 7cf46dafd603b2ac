"""Serves the pages of an evening."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from seance.daemon.context import EveningContext
from seance.daemon.loop import Inbox
from seance.daemon.page_callbacks import page_callbacks
from seance.daemon.page_publisher import PagePublisher
from seance.daemon.world.page_texts import load_page_words
from seance.languages import language_names
from seance.web.address import bind_socket
from seance.web.callbacks import Lookups
from seance.web.host_access import HostAccess
from seance.web.server import Server


@contextmanager
def serve_pages(
    listen: Literal["network", "loopback"],
    port: int,
    name: str | None,
    *,
    context: EveningContext,
    pages: PagePublisher,
    inbox: Inbox,
    level: Callable[[], float | None],
    lookups: Lookups,
    host_access: HostAccess,
) -> Iterator[str]:
    """Serve the pages and yield their URL, or raise PortTaken."""
    own_socket = bind_socket(listen, port)
    script = context.style.script
    editions = context.defaults.editions
    words = load_page_words(script.language, editions)
    server = Server(
        own_socket,
        pages.latest,
        page_callbacks(inbox, pages.latest, words, microphone_level=level, lookups=lookups, editions=editions),
        name=name or socket.gethostname().partition(".")[0],
        words=words,
        names={str(psychic): called for psychic, called in script.inflection.names.items()},
        cards={str(card): called for card, called in script.inflection.cards.items()},
        marks=script.inflection.called["marks"],
        languages=language_names(),
        host_access=host_access,
    )
    with server:
        yield server.address
