"""Every page on every screen, in every language: nothing is cut off, nothing scrolls sideways, and axe is content.

One house and one night of seven players for each language: each page is looked at as the night goes by.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from seance.dialogue.phrasing import phrase_command, phrase_word
from seance.languages import language_codes
from seance.rules import Psychic
from seance.rules import commands as c
from tests.web.browser.conftest import PATIENCE
from tests.web.browser.moments import moments
from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.seats import Ghost, Guest
from tests.web.browser.test_access import troubles

SCREENS = ((360, 640), (390, 844), (768, 1024), (1366, 768), (1920, 1080))
TRIED_WITH_AXE = (SCREENS[0], SCREENS[-1])
TELEVISION = SCREENS[-1]

OVERFLOWS = """
(fits) => {
    const wide = document.documentElement.scrollWidth > innerWidth ? ["page is wider than the screen"] : [];
    const all = [...document.querySelectorAll("body *")];
    const sideways = all
        .filter((each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowX))
        .filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth)
        .map((each) => `#${each.id}.${each.className} scrolls sideways`);
    const high = fits && document.documentElement.scrollHeight > innerHeight ? ["page is higher than the screen"] : [];
    const hidden = [...document.querySelectorAll("#seat button.psychic, #seat #acts button")]
        .filter((each) => each.clientWidth)
        .filter((each) => {
            const box = each.getBoundingClientRect(), list = each.closest("ul")?.getBoundingClientRect();
            const bottom = list ? list.bottom + 1 : innerHeight;
            return box.bottom > bottom || box.right > innerWidth || box.top < 0;
        })
        .map((each) => `${each.id || each.dataset.row} is out of sight`);
    const cut = [...document.querySelectorAll("#seat #next, #seat #whisper, #seat #acts button")]
        .filter((each) => each.clientWidth)
        .filter((each) => each.scrollHeight > each.clientHeight || each.scrollWidth > each.clientWidth)
        .map((each) => `${each.id} is cut off: ${each.textContent}`);
    return [...wide, ...sideways, ...high, ...hidden, ...cut];
}
"""

MOVES = """
(still) => {
    const all = () => still.map((each) => {
        const box = document.querySelector(each)?.getBoundingClientRect();
        return box && box.height ? `${each} at ${Math.round(box.top)}` : "";
    });
    const before = all();
    for (const line of document.querySelectorAll("#said p:last-child, #heard, #next, #tower #told")) {
        const text = line.textContent;
        for (const other of ["so", "a long line ".repeat(20)]) {
            line.textContent = other;
            const moved = all().filter((each, at) => each !== before[at]);
            if (moved.length) return [`${moved} after ${line.id || "what is said"} has changed`];
        }
        line.textContent = text;
    }
    return [];
}
"""
STILL = ("#board", "#heard", "#next", "#answers", "#acts", "#always", "footer", ".ways")
"""What keeps its place when a line changes its length."""
TOO_SMALL_OR_CUT = """
() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (walk.nextNode()) {
        const at = walk.currentNode.parentElement, svg = at.ownerSVGElement, text = walk.currentNode.textContent;
        if (!text.trim() || at.closest(".unseen") || !at.getClientRects().length) continue;
        const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
        if (parseFloat(getComputedStyle(at).fontSize) * scale < 28) found.push(`too small: ${text}`);
        const box = at.getBoundingClientRect();
        if (box.bottom > innerHeight + 1 || box.right > innerWidth + 1) found.push(`out of sight: ${text}`);
    }
    for (const each of document.querySelectorAll(".card, .psychic, .suspect, #said, #next, #phase")) {
        if (each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 2) {
            found.push(`cut off: ${each.textContent}`);
        }
    }
    return found;
}
"""


class Inspection:
    """Collects what is wrong with pages, by place and screen."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, tuple[int, int]], list[str]] = {}
        self.cards_at: dict[str, set[int]] = {}
        """Where the first row of cards begins, on screens that show all of it."""

    def inspect(self, name: str, page: Page, *, fits_on: tuple[tuple[int, int], ...] = ()) -> None:
        """Look at *page* on every screen; on those of *fits_on* it must not scroll at all."""
        usual = page.viewport_size
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            wrong = page.evaluate(OVERFLOWS, (width, height) in fits_on)
            wrong += page.evaluate(MOVES, STILL)
            if (width, height) in TRIED_WITH_AXE:
                wrong += troubles(page)
            if wrong:
                self.found[name, (width, height)] = wrong
        page.set_viewport_size(usual)

    def inspect_television(self, moment: str, page: Page) -> None:
        """See that all on the television's *page* is read from the sofa."""
        if wrong := page.evaluate(TOO_SMALL_OR_CUT):
            self.found[f"television, {moment}", TELEVISION] = wrong

    def note_cards(self, screen: str, page: Page) -> None:
        """Note where the cards begin: they stay there, whatever is told of the psychics above them."""
        tops = page.locator("#board .cards").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
        self.cards_at.setdefault(screen, set()).update(map(round, tops))


@pytest.fixture(scope="module", params=language_codes())
def shared_house(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[SeanceProcess]:
    """A house of a language, for the whole file."""
    folder: Path = tmp_path_factory.mktemp(request.param)
    house = SeanceProcess(folder, language=request.param)
    yield house
    house.end()
    assert "Traceback" not in "".join(house.log), "".join(house.log)


@pytest.fixture
def devices(chromium: Browser) -> Iterator[list[BrowserContext]]:
    """The ghost's device, the table's, a psychic's and a television, of any size."""
    made = [
        chromium.new_context(viewport={"width": 1366, "height": 768}, has_touch=True, reduced_motion="reduce")
        for _ in range(4)
    ]
    for each in made:
        each.set_default_timeout(PATIENCE)
    yield made
    for each in made:
        each.close()


@pytest.mark.timeout(900)  # a whole night, and axe at two sizes in each of its phases
def test_every_page_fits_on_every_screen_before_a_night_in_it_and_after_it(
    shared_house: SeanceProcess, devices: list[BrowserContext]
) -> None:
    language, address, inspection = shared_house.language, shared_house.address, Inspection()
    page, table, phone, television = (device.new_page() for device in devices)
    television.set_viewport_size({"width": TELEVISION[0], "height": TELEVISION[1]})
    television.goto(f"{address}/table?tv")
    for path in ("/", "/host", "/seat", "/ghost"):
        page.goto(f"{address}{path}", wait_until="load")
        expect(page.locator("h1").first).not_to_be_empty()
        if path == "/host":
            expect(page.locator("#checks li").first).to_be_visible()
        inspection.inspect(path, page)
    guest = Guest(table).sits(address)
    inspection.inspect("table before the night", guest.page, fits_on=(TELEVISION,))
    ghost = Ghost(page).asks(address)
    guest.says(phrase_word("yes", language))
    ghost.is_seated()
    for moment in moments(ghost, guest, language, tuple(Psychic)):
        inspection.inspect(f"table, {moment}", guest.page, fits_on=(TELEVISION,))
        inspection.inspect(f"ghost, {moment}", ghost.page, fits_on=SCREENS)
        if phone.url == "about:blank":
            phone.goto(f"{address}/seat")
            phone.locator("[data-seat=white]").tap()
        inspection.inspect(f"psychic, {moment}", phone)
        expect(television.locator("#phase")).to_have_text(guest.phase.inner_text())
        inspection.inspect_television(moment, television)
        for screen, shown in (("television", television), ("laptop", guest.page)):
            inspection.note_cards(screen, shown)
    _vote(guest, language)
    expect(guest.page.locator(".outcome")).to_be_visible()
    inspection.inspect("table, over", guest.page, fits_on=(TELEVISION,))
    expect(television.locator(".outcome")).to_be_visible()
    inspection.inspect_television("over", television)
    for path in ("/chronicle", "/replay"):
        guest.page.goto(f"{address}{path}", wait_until="load")
        expect(guest.page.locator("h1").first).not_to_be_empty()
        inspection.inspect(path, guest.page)
    assert inspection.found == {}
    assert [screen for screen, tops in inspection.cards_at.items() if len(tops) > 1] == []


def _vote(guest: Guest, language: str) -> None:
    """Let everybody vote on paper for the second group, and read the votes."""
    for _ in range(3):
        guest.says(phrase_command(c.ClosePoll(), language))
    for psychic in Psychic:
        guest.says(phrase_command(c.Vote(by=psychic, group=2), language))
        guest.says(phrase_word("yes", language))
