"""The help card on the pages: one touch opens it, Esc and its button close it, and it fits a small phone."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from seance.languages import language_codes
from seance.web.callbacks import Lookups
from tests.web.running_evening import RunningEvening, chosen, running_evening

SMALL = {"width": 360, "height": 640}
LEAST_TOUCH_PX = 44


@pytest.fixture(params=language_codes())
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[RunningEvening]:
    settings = msgspec.structs.replace(chosen(tmp_path), language=request.param)
    with running_evening(tmp_path, settings, Lookups()) as house:
        yield house


@pytest.mark.parametrize("path", ["/table", "/seat"])
def test_a_guest_reads_the_help_card(house: RunningEvening, chromium: Browser, path: str) -> None:
    page = chromium.new_page(viewport=SMALL)
    page.goto(f"{house.url}{path}")
    button, card = page.locator("[data-help]:visible").first, page.locator("dialog.help")
    expect(button).to_be_visible()
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= LEAST_TOUCH_PX
    button.click()
    expect(card).to_be_visible()
    told = house.parts.pages.latest.current.help
    expect(card.locator("h2")).to_have_text(told.title)
    expect(card.locator("li")).to_have_count(len(told.rules) + len(told.sentences))
    expect(card.locator("dt")).to_have_count(len(told.words))
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= SMALL["width"]
    assert box["y"] + box["height"] <= SMALL["height"]
    assert card.locator(".help-body").evaluate("each => each.scrollWidth <= each.clientWidth")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    button.click()
    card.get_by_role("button").click()
    expect(card).to_be_hidden()
