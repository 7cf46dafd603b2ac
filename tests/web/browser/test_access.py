"""Pages for everybody: a keyboard alone, a screen reader, eyes that see no colours; tried with axe."""

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from tests.web.browser.moments import moments
from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.seats import Ghost, Guest

AXE = Axe()
Device = Callable[[str], BrowserContext]


def troubles(page: Page) -> list[str]:
    """Return what axe finds serious or critical on *page*."""
    found = AXE.run(page).response["violations"]
    return [
        f"{each['id']}: {node['html']} {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def test_axe_finds_nothing_serious_in_any_phase_at_the_table_and_at_the_seat_nor_afterwards(
    ghost: Ghost, guest: Guest
) -> None:
    found = {}
    for moment in moments(ghost, guest):
        found[f"table, {moment}"], found[f"seat, {moment}"] = troubles(guest.page), troubles(ghost.page)
    guest.votes(2)
    expect(guest.page.locator(".outcome")).to_be_visible()
    found["table, over"], found["seat, over"] = troubles(guest.page), troubles(ghost.page)
    for way in ("#to-chronicle", "#to-replay"):
        guest.page.locator(way).click()
        expect(guest.page.locator("h1").first).not_to_be_empty()
        found[way] = troubles(guest.page)
        guest.page.go_back()
    assert {where: what for where, what in found.items() if what} == {}


def test_axe_finds_nothing_serious_before_the_night(house: SeanceProcess, device: Device) -> None:
    found = {}
    for size in ("small", "television"):
        page = device(size).new_page()
        for path in ("/", "/ghost", "/table", "/host"):
            page.goto(f"{house.address}{path}", wait_until="load")
            expect(page.locator("h1").first).not_to_be_empty()
            found[size, path] = troubles(page)
    assert {where: what for where, what in found.items() if what} == {}


def test_a_night_can_be_begun_with_the_keyboard_alone(house: SeanceProcess, device: Device) -> None:
    page = device("laptop").new_page()
    page.goto(f"{house.address}/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    four = "we are four, easy, the usual rules, blue, white and red play"
    for sentence in ("begin the séance", four, "without the story", "yes", "ready"):
        heard = page.locator("#heard").get_attribute("data-n") or "0"
        expect(page.locator("#words")).to_be_focused()
        page.keyboard.type(sentence)
        page.keyboard.press("Enter")
        expect(page.locator("#heard")).not_to_have_attribute("data-n", heard)
    expect(page.locator(".psychics")).to_be_visible()


def test_the_ghost_can_give_a_vision_with_the_keyboard_alone(ghost: Ghost, guest: Guest) -> None:
    guest.begins("we are four, easy, the usual rules, blue, white and red play")
    page = ghost.page
    ghost.row("white").focus()
    page.keyboard.press("Space")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "vision":
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    page.keyboard.press("Enter")
    expect(ghost.row("white").locator(".served")).to_contain_text("served")
    assert outline == "solid"


def test_the_lines_of_the_house_are_read_aloud_once_each(guest: Guest) -> None:
    said = guest.page.get_by_role("log", name="What the house says")
    expect(said).to_have_attribute("aria-live", "polite")
    guest.page.evaluate(
        """() => {
            window.added = [];
            const note = one => one.addedNodes.forEach(node => window.added.push(node.textContent));
            const said = document.querySelector("#said");
            new MutationObserver(all => all.forEach(note)).observe(said, { childList: true });
        }"""
    )
    guest.begins("we are four, easy, the usual rules, blue, white and red play")
    expect(said.locator("p").last).to_contain_text("One o'clock")
    added = guest.page.evaluate("window.added")
    assert len(added) == len(set(added))


def test_psychics_are_told_apart_by_their_shapes(guest: Guest) -> None:
    guest.begins("we are seven, easy, the usual rules")
    shapes = guest.page.locator(".lamp path").evaluate_all("paths => paths.map(path => path.getAttribute('d'))")
    assert len(set(shapes)) == 6


def test_a_knock_is_seen_and_spoken_not_only_heard(guest: Guest) -> None:
    guest.page.evaluate(
        """() => {
            window.knocks = [];
            new MutationObserver(() => window.knocks.push(document.querySelector("#knock").innerText))
                .observe(document.querySelector("#knock"), { childList: true });
        }"""
    )
    guest.begins("we are four, easy, the usual rules, blue, white and red play")
    guest.page.wait_for_function("() => window.knocks.includes('The clock strikes 1')")
    expect(guest.page.locator("#knock")).to_have_attribute("role", "status")


def test_the_page_of_a_television_needs_no_scrolling(
    house: SeanceProcess, guest: Guest, ghost: Ghost, device: Device
) -> None:
    television = Guest(device("television").new_page()).sits(house.address).page
    for _ in moments(ghost, guest):
        expect(television.locator("#phase")).to_have_text(guest.phase.inner_text())
        height = television.evaluate("document.documentElement.scrollHeight")
        assert height <= 1080
