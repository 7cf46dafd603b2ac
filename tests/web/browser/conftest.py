"""One Chromium for all tests, a process of its own for each, and a watch for errors and foreign requests."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from seance.dialogue.phrasing import phrase_word
from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.seats import Ghost, Guest

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
]
CHROMIUM = shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
"""Chromium's engine alone, where the system has it: each window of the whole program draws its own bars, too."""
PATIENCE = 45_000
"""Milliseconds for whatever is awaited, on a busy machine."""
expect.set_options(timeout=PATIENCE)
SIZES = {
    "small": (360, 640),
    "phone": (390, 760),
    "tablet": (768, 1024),
    "laptop": (1366, 768),
    "television": (1920, 1080),
}


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; its driver keeps a loop running on this thread, which no other test may find there."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Watch:
    """Errors on any page, and requests to other hosts."""

    house: SeanceProcess
    excused: set[str] = field(default_factory=set)
    """Paths whose requests may fail, because the test means it."""
    seen: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    """Where else the house can be reached."""

    def over(self, page: Page) -> None:
        """Watch *page*."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.seen.append(f"error: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and urlsplit(message.location["url"]).path not in self.excused:
            self.seen.append(f"{message.type}: {message.text} ({message.location['url']})")

    def _request(self, request: Request) -> None:
        own = tuple(f"{each}/" for each in (self.house.address, *self.addresses))
        if not request.url.startswith((*own, "data:", "blob:")):
            self.seen.append(f"went elsewhere: {request.url}")


Opens = Callable[..., Page]


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SeanceProcess]:
    """A process that has just started; `@pytest.mark.parametrize("house", [{...}], indirect=True)` configures it."""
    house = SeanceProcess(tmp_path, **getattr(request, "param", {}))
    yield house
    if house.process.poll() is None:
        house.end()
    assert "Traceback" not in "".join(house.log), "".join(house.log)


@pytest.fixture
def watch(house: SeanceProcess) -> Iterator[Watch]:
    """No page may raise an error or send a request to another host."""
    watch = Watch(house, {"/ghost/events"})  # refused until this device has asked for the seat
    yield watch
    assert watch.seen == []


@pytest.fixture
def device(chromium: Browser, watch: Watch) -> Iterator[Callable[[str], BrowserContext]]:
    """Makes devices: each has cookies of its own."""
    devices: list[BrowserContext] = []

    def device(size: str) -> BrowserContext:
        width, height = SIZES[size]
        touch = size in ("small", "phone", "tablet")
        made = chromium.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch, reduced_motion="reduce"
        )
        made.set_default_timeout(PATIENCE)
        made.on("page", watch.over)
        devices.append(made)
        return made

    yield device
    for made in devices:
        for page in made.pages:
            if page.url.endswith("/host"):  # nobody ends the house in the middle of its checks
                expect(page.locator("#checks li").first).to_be_visible()
        made.close()


@pytest.fixture
def guest(device: Callable[[str], BrowserContext], house: SeanceProcess) -> Guest:
    """Somebody at the table's page, on a laptop."""
    return Guest(device("laptop").new_page()).sits(house.address)


@pytest.fixture
def ghost(device: Callable[[str], BrowserContext], house: SeanceProcess, guest: Guest) -> Ghost:
    """Somebody with a phone who holds the seat."""
    ghost = Ghost(device("phone").new_page()).asks(house.address)
    guest.says(phrase_word("yes", house.language))
    ghost.is_seated()
    return ghost
