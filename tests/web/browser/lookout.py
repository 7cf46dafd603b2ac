"""Looks for the secrets of a whole night: on every page, in every stream and in the log."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.web.browser.phones import PhoneNight, Spy
from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.seats import Ghost
from tests.web.browser.secrets import Secrets

SEARCHING = ("visions", "interpretation", "manifestation")
"""Phases in which nobody but the ghost knows the cards; what is found is laid out afterwards."""


class Lookout:
    """Watches one night from the first hour on; its pages are those of everybody but the ghost."""

    def __init__(
        self, house: SeanceProcess, ghost: Ghost, pages: Sequence[Page], *, votes_are_open: bool = False
    ) -> None:
        self._house, self._pages, self._votes_are_open = house, list(pages), votes_are_open
        self._spies = [Spy(house.address, f"{urlsplit(page.url).path}/events", page.context) for page in pages]
        self._seated = Spy(house.address, "/ghost/events", ghost.page.context)
        rows = ghost.page.locator("[data-row]").all()
        trios = [row.locator(".card b").all_inner_texts() for row in rows]
        self._secrets = Secrets(trios, [ghost.page.context, *(page.context for page in pages)])
        self._secrets.ask(house.address)

    def look(self, night: PhoneNight) -> None:
        """Look at every page and at the log now."""
        sought = night.phase in SEARCHING
        for page in self._pages:
            self._secrets.look_at(page, trios=sought)
        self._secrets.read_log(self._house.log, trios=sought)

    def found(self) -> list[str]:
        """Return what has been seen too early, and what shows that the lookout itself was blind."""
        for spy in self._spies:
            self._secrets.read(spy.name, "\n".join(spy.lines))
        blind = [f"{spy.name}: nothing was sent" for spy in self._spies if not spy.states]
        if len(self._secrets.keys) < len(self._pages):
            blind.append("a device without a cookie")
        if not self._seated.secrets():
            blind.append("what the ghost is sent would not be found")
        sent = [secret for spy in self._spies for secret in spy.secrets(votes_are_open=self._votes_are_open)]
        return [*self._secrets.found, *blind, *sent]
