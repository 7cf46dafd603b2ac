"""The picture of who sits where: a host moves guests on it, by touch and by keys, and others only look."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from seance.daemon.chair_signals import ChairMove, ChairsKnown
from seance.rules import Psychic
from tests.web.running_evening import RunningEvening, running_evening


@pytest.fixture
def house(tmp_path: Path) -> Iterator[RunningEvening]:
    with running_evening(tmp_path) as house:
        context = house.evening._context
        devices = replace(context.devices, array=True, ghost_deg=180.0)
        house.evening._context = replace(context, devices=devices)
        house.begin()
        house.parts.inbox.put(ChairsKnown({Psychic.RED: 90.0}))
        yield house


@pytest.fixture
def page(chromium: Browser, house: RunningEvening) -> Iterator[Page]:
    size = {"width": 390, "height": 844}
    context = chromium.new_context(base_url=house.url, viewport=size, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert errors == []


def open_chairs(page: Page) -> None:
    page.goto("/table")
    page.locator("#chairs summary").tap()


def chair(page: Page, colour: str) -> Locator:
    return page.locator(f"[data-chair={colour}]")


def touch_table(page: Page, across: float, down: float) -> None:
    """Touch the picture at a share of its width and of its height."""
    picture = page.locator(".chairs")
    box = picture.bounding_box()
    assert box is not None
    picture.tap(position={"x": across * box["width"], "y": down * box["height"]})


def moved(house: RunningEvening) -> list[tuple[Psychic, float]]:
    return [(each.psychic, each.direction_deg) for each in house.followed if isinstance(each, ChairMove)]


def test_guests_whose_place_is_unknown_wait_below_a_line_that_says_so_until_all_are_known(page, house):
    open_chairs(page)
    expect(page.locator(".chairs-unknown")).to_be_visible()
    expect(page.locator(".chairs-waiting .chair")).to_have_count(2)
    house.parts.inbox.put(ChairsKnown({Psychic.RED: 90.0, Psychic.BLUE: 180.0, Psychic.WHITE: 270.0}))
    expect(page.locator(".chairs-unknown")).to_be_hidden()


def test_a_host_touches_a_guest_and_then_the_place(page, house):
    open_chairs(page)
    chair(page, "red").tap()
    expect(chair(page, "red")).to_have_attribute("aria-pressed", "true")
    touch_table(page, 0.5, 0.99)
    house.until(lambda: moved(house) == [(Psychic.RED, 180.0)])
    house.parts.inbox.put(ChairsKnown({Psychic.RED: 180.0}))
    expect(chair(page, "red")).to_have_attribute("aria-label", "Madam Wang (Red), at 180 degrees")


def test_a_host_moves_a_guest_with_the_arrow_keys(page, house):
    open_chairs(page)
    chair(page, "red").press("ArrowLeft")
    house.until(lambda: moved(house) == [(Psychic.RED, 95.0)])


def test_a_host_places_somebody_who_has_not_introduced_themselves(page, house):
    open_chairs(page)
    expect(page.locator(".chairs-waiting [data-chair=blue]")).to_be_visible()
    chair(page, "blue").tap()
    touch_table(page, 0.99, 0.5)
    house.until(lambda: moved(house) == [(Psychic.BLUE, 270.0)])


def test_a_guest_sees_who_sits_where_and_moves_nobody(page):
    with mock.patch("seance.web.request_checks.is_loopback", return_value=False):
        open_chairs(page)
        expect(page.get_by_role("img", name="Madam Wang (Red), at 90 degrees")).to_be_visible()
        expect(page.locator(".chairs button")).to_have_count(0)
        expect(chair(page, "blue")).to_have_count(0)
