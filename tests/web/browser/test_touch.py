"""The table's page by touch: a set-up and an hour without a word, on every size of screen, and no secret on it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from seance.daemon.signals import Typing
from seance.daemon.world.page_texts import load_page_words
from seance.dialogue.phrasing import phrase_word
from seance.languages import language_codes
from seance.narration.cues import Knock
from seance.rules import Phase
from tests.web.running_evening import RunningEvening, chosen, running_evening

SCREENS = {"small": (360, 640), "phone": (390, 844), "tablet": (768, 1024), "laptop": (1366, 768), "tv": (1920, 1080)}
LEAST_FIELD_PX = 200
"""In which a short sentence can be read while it is typed."""


@pytest.fixture(params=language_codes())
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[RunningEvening]:
    settings = msgspec.structs.replace(chosen(tmp_path), language=request.param)
    with running_evening(tmp_path, settings) as house:
        yield house


@pytest.fixture
def tablet(chromium: Browser, house: RunningEvening) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 768, "height": 1024}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{house.url}/table")
    yield page
    context.close()
    assert errors == []


def answer(page: Page, intent: str) -> None:
    page.locator(f"#answers [data-intent={intent}]").tap()


def set_up(page: Page, **wishes: object) -> None:
    """Touch each of *wishes*, and see it marked."""
    for slot, value in wishes.items():
        for each in value if isinstance(value, tuple) else (value,):
            button = page.locator(f"[data-slot={slot}][data-value='{each}']")
            button.tap()
            expect(button).to_have_attribute("aria-pressed", "true")


def begin(page: Page) -> None:
    """Begin a night of red, blue and white by touch."""
    answer(page, "begin")
    set_up_all(page)


def set_up_all(page: Page) -> None:
    """Touch what is missing once a set-up is open, and begin."""
    touch_wishes(page)
    answer(page, "ready")


def touch_wishes(page: Page) -> None:
    """Touch what is missing once a set-up is open, until the table is being laid."""
    set_up(page, players=4, edition="libellud", level="easy", psychics=("blue", "white", "red"), story="skipped")
    answer(page, "yes")
    expect(page.locator(".psychics")).to_be_visible()


def ghost(house: RunningEvening, *orders: str) -> None:
    for order in orders:
        house.type(f"ghost {order}")


def served(house: RunningEvening) -> None:
    house.until(lambda: not house.evening.conversation.laying_out)
    ghost(house, "vision blue", "vision white", "vision red", "sand")


def choose(page: Page, card: int, psychic: str) -> None:
    page.locator(f"[data-card='{card}'] .cover").tap()
    page.locator(f"#sheet [data-psychic={psychic}]").tap()
    expect(page.locator(f"[data-card='{card}'] .token > .mark.{psychic}")).to_be_visible()


def test_a_night_is_set_up_and_an_hour_played_by_touch(house: RunningEvening, tablet: Page) -> None:
    begin(tablet)
    served(house)
    row = house.evening.room.table.character
    for card, psychic in zip(row, ("blue", "white", "red"), strict=False):
        choose(tablet, card, psychic)
    tablet.locator("[data-psychic=red] .cover").tap()
    tablet.locator("#sheet [data-by=blue][data-agrees=true]").tap()
    expect(tablet.locator(".bet.agrees .mark.blue")).to_be_visible()
    tablet.locator("#actions [data-intent=take_back]").tap()
    expect(tablet.locator(".bet")).to_have_count(0)
    tablet.locator("#actions [data-intent=call_time]").tap()
    house.until(lambda: house.evening.room.phase is not Phase.INTERPRETATION)


def test_a_question_is_answered_by_touch(house: RunningEvening, tablet: Page) -> None:
    begin(tablet)
    house.until(lambda: not house.evening.conversation.laying_out)
    tablet.locator("#actions [data-intent=end]").tap()
    answer(tablet, "no")
    expect(tablet.locator("#answers [data-intent=no]")).to_have_count(0)
    tablet.locator("#actions [data-intent=pause]").tap()
    expect(tablet.locator("body")).to_have_class("manor paused")
    answer(tablet, "resume")
    expect(tablet.locator("body")).to_have_class("manor")


def test_what_is_said_in_the_setup_is_marked_on_the_page(house: RunningEvening, tablet: Page) -> None:
    answer(tablet, "begin")
    house.type(phrase_word("yes", house.parts.context.style.script.language))
    tablet.locator("[data-slot=players][data-value='5']").tap()
    expect(tablet.locator("[data-slot=players][data-value='5']")).to_have_attribute("aria-pressed", "true")
    expect(tablet.locator(".matter.asked")).to_have_count(1)


def field_width(page: Page) -> float:
    box = page.locator("#words").bounding_box()
    return box["width"] if box else 0.0


def test_the_house_knows_that_a_line_is_being_typed(house: RunningEvening, tablet: Page) -> None:
    def typing() -> list[bool]:
        return [signal.is_begun for signal in house.seen if isinstance(signal, Typing)]

    tablet.locator("#words").press_sequentially("what time is it")
    house.until(lambda: typing() == [True])
    tablet.locator("#words").press("Enter")
    house.until(lambda: typing() == [True, False])


def test_one_button_says_that_the_table_is_laid(tablet: Page) -> None:
    answer(tablet, "begin")
    touch_wishes(tablet)
    language = tablet.locator("html").get_attribute("lang") or ""
    expect(tablet.locator("#phase")).to_have_text(load_page_words(language).of("libellud")["phase_laying"])
    ready = tablet.locator("[data-intent=ready]")
    expect(tablet.get_by_role("button", name=ready.text_content() or "", exact=True)).to_have_count(1)


@pytest.mark.parametrize("size", SCREENS)
def test_no_page_is_wider_than_its_screen(house: RunningEvening, tablet: Page, size: str) -> None:
    width, height = SCREENS[size]
    tablet.set_viewport_size({"width": width, "height": height})
    fits = "document.documentElement.scrollWidth <= window.innerWidth"
    assert tablet.evaluate(fits)
    answer(tablet, "begin")
    expect(tablet.locator(".setup")).to_be_visible()
    assert tablet.evaluate(fits)
    set_up_all(tablet)
    served(house)
    choose(tablet, house.evening.room.table.character[0], "red")
    assert tablet.evaluate(fits)
    assert field_width(tablet) >= LEAST_FIELD_PX


SMALL_TEXTS = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), small = [];
  while (walk.nextNode()) {
    const at = walk.currentNode.parentElement, svg = at.ownerSVGElement;
    if (!walk.currentNode.textContent.trim() || at.closest(".unseen") || !at.getClientRects().length) continue;
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    if (parseFloat(getComputedStyle(at).fontSize) * scale < 28) small.push(walk.currentNode.textContent);
  }
  return small;
}"""


def test_a_television_is_read_from_the_sofa(house: RunningEvening, tablet: Page, chromium: Browser) -> None:
    """No text is under 28 px, and all of it is on the screen, in the set-up and while the sand runs."""
    television = chromium.new_page(viewport={"width": 1920, "height": 1080})
    television.goto(f"{house.url}/table?tv")
    answer(tablet, "begin")
    expect(television.locator(".setup")).to_be_visible()
    assert television.evaluate(SMALL_TEXTS) == []
    set_up_all(tablet)
    served(house)
    choose(tablet, house.evening.room.table.character[0], "red")
    expect(television.locator(".token")).to_be_visible()
    assert television.evaluate(SMALL_TEXTS) == []
    assert television.evaluate("document.documentElement.scrollHeight <= window.innerHeight")
    house.told()
    house.parts.pages.publish_cue(Knock("no", 2))
    expect(television.locator("#knock[data-says=no] i")).to_have_count(2)
    box = television.locator("#knock").bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (1920, 1080)
    television.close()
