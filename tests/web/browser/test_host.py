"""The host's page: checks, tests and pace for the host; the volume and a way in for guests."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from seance.daemon.world.page_texts import load_page_words
from seance.languages import language_codes
from seance.web import request_checks
from seance.web.callbacks import Lookups
from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.test_access import Device, troubles
from tests.web.running_evening import RunningEvening, chosen, running_evening


def host(house: SeanceProcess, device: Device) -> Page:
    page = device("phone").new_page()
    page.goto(f"{house.address}/host")
    return page


def test_the_host_sees_at_a_glance_what_is_well_and_what_to_do(house: SeanceProcess, device: Device) -> None:
    page = host(house, device)
    checks = page.locator("#checks li")
    expect(checks.first).to_be_visible()
    states = checks.evaluate_all("all => all.map(each => each.className)")
    assert states == sorted(states, key=["bad", "warn", "good"].index)
    expect(page.locator("#checks .warn, #checks .bad").first.locator(".fix")).not_to_be_empty()
    expect(page.locator("#level-none")).to_be_visible()
    assert troubles(page) == []


def test_the_host_tries_the_lights_and_changes_how_much_is_told(house: SeanceProcess, device: Device) -> None:
    page = host(house, device)
    expect(page.locator("[data-value=brisk]")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Show every light").tap()
    expect(page.locator("#told")).to_have_text("Done.")
    page.get_by_role("button", name="Sounds only").tap()
    expect(page.locator("[data-value=silent]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-value=brisk]")).to_have_attribute("aria-pressed", "false")


@pytest.fixture(params=language_codes())
def far_house(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RunningEvening]:
    """A house to which this machine's browser is a guest's phone."""
    monkeypatch.setattr(request_checks, "is_loopback", lambda _: False)
    checks = Lookups(
        checks=lambda: [{"name": "journal", "title": "Nights", "state": "good", "told": "12 nights", "fix": ""}]
    )
    settings = msgspec.structs.replace(chosen(tmp_path), language=request.param)
    with running_evening(tmp_path, settings, checks) as house:
        yield house


def test_a_guests_phone_becomes_the_hosts_with_the_code(far_house: RunningEvening, chromium: Browser) -> None:
    words = load_page_words(far_house.parts.context.style.script.language).of("libellud")
    device = chromium.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    page = device.new_page()
    page.goto(f"{far_house.url}/host")
    expect(page.get_by_role("heading", name=words["host_enter"])).to_be_visible()
    expect(page.get_by_role("button", name=words["host_louder"])).to_be_visible()
    for hidden in ("#checks", "[data-do=pace]", "[data-do=language]", "[data-do=lights_test]"):
        expect(page.locator(hidden).first).to_be_hidden()
    assert troubles(page) == []
    page.locator("#tell-code").tap()
    expect(page.locator("#entered")).to_have_text(words["host_code_told"])
    page.locator("#code").fill("12")
    page.locator("#enter button").tap()
    expect(page.locator("#entered")).to_have_text(words["wrong_code"])
    code = far_house.parts.host_access.code
    page.locator("#code").fill(f"{code[:3]} {code[3:]}")
    page.locator("#enter button").tap()
    expect(page.locator("#checks li")).to_have_count(1)
    expect(page.locator("#enter")).to_be_hidden()
    expect(page.locator("[data-do=pace]").first).to_be_visible()
    assert troubles(page) == []
    device.close()
