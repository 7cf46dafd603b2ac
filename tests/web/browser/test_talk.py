"""The button to talk on a psychic's phone: held, tapped, pressed on a keyboard, and let go of when the phone sleeps."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from seance.daemon.signals import HearingChange, SeatTalk
from seance.rules import Psychic
from tests.web.running_evening import RunningEvening, running_evening


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningEvening]:
    """A night of red, blue and white, in a house that says that it hears."""
    with running_evening(tmp_path_factory.mktemp("talk")) as house:
        house.begin()
        house.parts.inbox.put(HearingChange(True))
        yield house


@pytest.fixture
def phone(chromium: Browser, house: RunningEvening) -> Iterator[Page]:
    """A phone that plays for red."""
    context = chromium.new_context(viewport={"width": 360, "height": 640}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{house.url}/seat")
    page.locator("[data-seat=red]").tap()
    expect(page.locator("#talk")).to_be_visible()
    yield page
    page.locator("#leave").click()
    expect(page.locator("#choose")).to_be_visible()
    context.close()


def pressed(house: RunningEvening) -> list[bool]:
    """Return each press and release that the house was told of, for red."""
    return [each.is_held for each in house.followed if isinstance(each, SeatTalk) and each.psychic is Psychic.RED]


def until_told(house: RunningEvening, *held: bool) -> None:
    house.until(lambda: pressed(house)[-len(held) :] == list(held))


def press(phone: Page) -> None:
    """Put a finger on the button."""
    phone.locator("#talk").hover()
    phone.mouse.down()


def test_while_the_button_is_held_the_house_listens_to_that_psychic(house: RunningEvening, phone: Page) -> None:
    table = phone.context.new_page()
    table.goto(f"{house.url}/table")
    press(phone)
    expect(phone.locator("#talk")).to_have_text("The house listens")
    expect(table.locator("#heard")).to_have_text("Listening to Madam Wang (Red)")
    phone.mouse.up()
    until_told(house, True, False)


@pytest.mark.parametrize("how", ["tap", "keyboard", "screen reader"])
def test_a_tap_opens_the_ear_for_one_command(house: RunningEvening, phone: Page, how: str) -> None:
    before = len(pressed(house))
    match how:
        case "tap":
            phone.locator("#talk").tap()
        case "keyboard":
            phone.locator("#talk").press("Enter")
        case _:
            phone.locator("#talk").dispatch_event("click")
    house.until(lambda: len(pressed(house)) == before + 2)
    assert pressed(house)[-2:] == [True, False]


def test_a_phone_that_falls_asleep_lets_go(house: RunningEvening, phone: Page) -> None:
    press(phone)
    until_told(house, True)
    phone.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { get: () => true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    until_told(house, True, False)
    phone.mouse.up()


def test_there_is_no_button_where_the_house_cannot_hear(house: RunningEvening, phone: Page) -> None:
    house.parts.inbox.put(HearingChange(False))
    expect(phone.locator("#talk")).to_be_hidden()
    house.parts.inbox.put(HearingChange(True))
    expect(phone.locator("#talk")).to_be_visible()
