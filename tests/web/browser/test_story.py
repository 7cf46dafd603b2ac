"""The table's page while the long opening is told: anybody may skip it with one touch."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from seance.daemon.world.page_texts import load_page_words
from seance.languages import language_codes
from seance.narration.cues import Say
from seance.web.callbacks import Lookups
from tests.web.running_evening import RunningEvening, chosen, running_evening


@pytest.fixture(params=language_codes())
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[RunningEvening]:
    settings = msgspec.structs.replace(chosen(tmp_path), language=request.param)
    with running_evening(tmp_path, settings, Lookups()) as house:
        yield house


def test_a_guest_skips_the_story_with_one_touch(house: RunningEvening, chromium: Browser) -> None:
    words = load_page_words(house.parts.context.style.script.language).of("libellud")
    page = chromium.new_page()
    page.goto(f"{house.url}/table")
    button = page.locator("#skip-story")
    expect(button).to_be_hidden()
    house.parts.pages.publish_cue(Say("My dear Professor.", story=True))
    expect(button).to_be_visible()
    button.click()
    expect(button).to_be_hidden()
    expect(page.locator("#heard")).to_contain_text(words["table_skip_story_said"])
    house.parts.pages.publish_cue(Say("Characters, please, in a row."))
    expect(button).to_be_hidden()
