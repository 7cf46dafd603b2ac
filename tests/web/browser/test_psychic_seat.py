"""Psychics' phones: a night of four by touch, from the seats to the votes that the house reads."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.web.browser.conftest import PATIENCE
from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.seats import Ghost, Guest

PSYCHICS = ["blue", "white", "red"]


def seated(page: Page, house: SeanceProcess, psychic: str) -> Page:
    page.goto(f"{house.address}/seat")
    page.locator(f"[data-seat={psychic}]").tap()
    expect(page.locator("#seat")).to_be_visible()
    return page


def test_four_play_by_touch_and_the_house_reads_their_secret_votes(
    house: SeanceProcess, guest: Guest, ghost: Ghost, device: Callable[[str], BrowserContext]
) -> None:
    guest.begins("we are four, easy, the usual rules, blue, white and red play")
    phones = {psychic: seated(device("small").new_page(), house, psychic) for psychic in PSYCHICS}
    for hour in range(3):
        for psychic in PSYCHICS:
            ghost.gives(psychic)
        ghost.touches("turn")
        expect(ghost.phase).to_have_text("Vision interpretation")  # before it the house takes no choice
        for psychic, phone in phones.items():
            card = phone.locator(f"[data-card='{ghost.sought(psychic)}']")
            expect(card).to_be_visible()
            assert hour or out_of_sight(phone) == []
            card.tap()
            expect(card).to_have_attribute("aria-pressed", "true")
        agree = phones["blue"].locator(".right[data-on=red]")
        agree.tap()
        expect(agree).to_have_attribute("aria-pressed", "true")
        phones["white"].locator("#all-chosen").tap()
        for psychic in PSYCHICS:
            ghost.reveals(psychic)
    ghost.chooses("white")
    ghost.touches("culprit")
    ghost.means_it()
    ghost.touches("lay")
    ghost.means_it()
    vote_in_turn(phones)
    expect(guest.page.locator(".outcome")).to_contain_text("The culprit is found")
    expect(phones["red"].locator("#choose")).to_be_visible()


def out_of_sight(phone: Page) -> list[str]:
    """Return the cards that cannot be touched without scrolling; one look, for the page may draw itself anew."""
    script = """() => [...document.querySelectorAll(".card")]
        .filter((card) => card.getBoundingClientRect().bottom > innerHeight).map((card) => card.dataset.card)"""
    found: list[str] = phone.evaluate(script)
    return found


def vote_in_turn(phones: dict[str, Page]) -> None:
    """Let everybody vote for the second group, as their levels allow."""
    waiting = dict(phones)
    expect_one_of(waiting)
    while waiting:
        psychic = next(each for each, phone in waiting.items() if phone.locator("[data-group='2']").count())
        phone = waiting.pop(psychic)
        phone.locator("[data-group='2']").tap()
        phone.locator("#seal").tap()
        if waiting:
            expect(phone.locator(".sealed")).to_contain_text("group 2")
            expect_one_of(waiting)


def expect_one_of(waiting: dict[str, Page]) -> None:
    """Wait until somebody of the next level may vote."""
    for _ in range(PATIENCE // 100):
        if any(phone.locator("[data-group='2']").count() for phone in waiting.values()):
            return
        next(iter(waiting.values())).wait_for_timeout(100)
    raise AssertionError("nobody may vote")
