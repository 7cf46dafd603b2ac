"""The host's page: checks, tests and pace."""

from playwright.sync_api import Page, expect

from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.test_access import Device, troubles


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
