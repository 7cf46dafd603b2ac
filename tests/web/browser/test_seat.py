"""Who holds the ghost's seat, also after phones sleep and the program restarts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.web.browser.conftest import Watch
from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.seats import Ghost, Guest

Device = Callable[[str], BrowserContext]
FOUR = "we are four, easy, the usual rules, blue, white and red play"


def test_a_phone_waits_until_the_table_has_said_that_it_is_the_ghosts(
    house: SeanceProcess, guest: Guest, device: Device
) -> None:
    ghost = Ghost(device("small").new_page()).asks(house.address)
    expect(ghost.page.locator("#sit-told")).to_contain_text("One of them must say yes")
    expect(ghost.page.locator("#seat")).to_be_hidden()
    guest.says("no")
    expect(ghost.page.locator("#sit-down")).to_be_visible()
    ghost.page.locator("#sit-down").tap()
    expect(ghost.page.locator("#sit-down")).to_be_hidden()
    guest.says("yes")
    ghost.is_seated()


def test_a_second_phone_is_refused_and_the_table_is_told(
    house: SeanceProcess, guest: Guest, ghost: Ghost, device: Device, watch: Watch
) -> None:
    watch.excused.add("/ghost/sit")
    second = Ghost(device("phone").new_page()).asks(house.address)
    expect(second.page.locator("#sit-told")).to_contain_text("Somebody is already sitting there")
    expect(second.page.locator("#seat")).to_be_hidden()
    expect(guest.page.locator("#said p").last).to_contain_text("the ghost's chair")
    ghost.is_seated()


def test_when_the_ghost_changes_seats_the_first_phone_is_shown_nothing_more(
    house: SeanceProcess, guest: Guest, ghost: Ghost, device: Device
) -> None:
    guest.begins(FOUR)
    guest.says("the ghost must change seats")
    expect(ghost.page.locator("#seat")).to_be_hidden()
    expect(ghost.page.locator("#sit-down")).to_be_visible()
    second = Ghost(device("small").new_page()).asks(house.address)
    guest.says("yes")
    second.is_seated()
    assert second.sought("red")


def test_a_phone_that_slept_shows_the_present_state(guest: Guest, ghost: Ghost, watch: Watch) -> None:
    watch.excused.add("/ghost/command")
    guest.begins(FOUR)
    ghost.gives("blue")
    ghost.page.context.set_offline(True)
    ghost.touches("more")
    ghost.chooses("white")
    ghost.touches("vision")
    expect(ghost.whisper).to_contain_text("The house does not answer")
    guest.says("blue chooses the first character")
    ghost.page.context.set_offline(False)
    expect(ghost.row("blue").locator(".guess")).to_contain_text("token on")
    ghost.gives("red")


def test_a_page_that_was_frozen_and_comes_back_is_not_behind(guest: Guest, ghost: Ghost) -> None:
    guest.begins(FOUR)
    ghost.gives("blue")
    session = ghost.page.context.new_cdp_session(ghost.page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    guest.says("blue chooses the first character")
    expect(guest.page.locator(".card.taken")).to_have_count(1)
    session.send("Page.setWebLifecycleState", {"state": "active"})
    expect(ghost.row("blue").locator(".guess")).to_contain_text("token on")


def test_two_tabs_of_the_ghosts_phone_show_the_same(house: SeanceProcess, guest: Guest, ghost: Ghost) -> None:
    guest.begins(FOUR)
    other = Ghost(ghost.page.context.new_page())
    other.page.goto(f"{house.address}/")
    expect(other.page).to_have_url(f"{house.address}/ghost")
    other.is_seated()
    other.gives("white", 2)
    expect(ghost.row("white").locator(".served")).to_contain_text("served")
    ghost.chooses("white")
    ghost.touches("vision")
    expect(ghost.whisper).to_contain_text("white", ignore_case=True)
    expect(other.whisper).to_contain_text("white", ignore_case=True)


def test_a_night_goes_on_at_the_same_pages_when_the_plug_was_pulled(
    house: SeanceProcess, guest: Guest, ghost: Ghost, watch: Watch
) -> None:
    watch.excused |= {"/table/events", "/ghost/command"}
    guest.begins(FOUR)
    sought = ghost.sought("red")
    ghost.gives("red")
    house.pull_the_plug()
    ghost.chooses("blue")
    ghost.touches("vision")
    expect(ghost.whisper).to_contain_text("The house does not answer")
    house.start()
    expect(ghost.whisper).not_to_contain_text("The house does not answer")
    expect(ghost.row("red").locator(".served")).to_contain_text("served")
    assert ghost.sought("red") == sought
    ghost.gives("blue")
    ghost.gives("white")
    expect(guest.page.locator("[data-psychic=blue] .light")).to_have_text("has a vision")


def test_a_refusal_is_shown_to_the_ghost_in_place_and_in_words(guest: Guest, ghost: Ghost) -> None:
    guest.begins(FOUR)
    ghost.page.locator("#turn").dispatch_event("click")
    expect(ghost.whisper).to_contain_text("Blue, White and Red")
    expect(guest.page.locator("#said")).to_contain_text("One o'clock.")  # the last that is said at the beginning
    said = guest.page.locator("#said").inner_text()
    ghost.page.locator("#lay").dispatch_event("click")
    expect(ghost.whisper).to_have_text("The shared vision comes after the culprit is chosen.")
    assert guest.page.locator("#said").inner_text() == said


def test_what_was_asked_back_can_be_left(guest: Guest, ghost: Ghost) -> None:
    guest.begins(FOUR)
    crows = ghost.page.locator("#crows").inner_text()
    ghost.touches("crow")
    ghost.touches("do-not")
    expect(ghost.page.locator("#do-it")).to_have_attribute("aria-disabled", "true")
    expect(ghost.page.locator("#crows")).to_have_text(crows)
    ghost.touches("crow")
    ghost.means_it()
    expect(ghost.page.locator("#crows")).not_to_have_text(crows)


def test_a_pause_of_the_ghost_holds_the_night_and_it_goes_on(guest: Guest, ghost: Ghost) -> None:
    guest.begins(FOUR)
    ghost.touches("pause")
    expect(guest.phase).to_have_text("The night is paused")
    expect(ghost.page.locator("#vision")).to_have_attribute("aria-disabled", "true")
    ghost.touches("pause")
    expect(guest.phase).to_have_text("The visions")
    ghost.gives("red")


def test_a_ghost_who_does_not_know_whom_to_serve_next_is_told_on_a_touch_and_why(guest: Guest, ghost: Ghost) -> None:
    guest.begins(FOUR)
    expect(ghost.page.locator("#next")).to_have_text("Touch a psychic, then Vision.")
    ghost.gives("blue")
    ghost.touches("serve")
    expect(ghost.whisper).to_contain_text("White: all who are waiting have come equally far")
    expect(ghost.row("white")).to_have_attribute("aria-pressed", "true")
    ghost.gives("white")
    ghost.touches("serve")
    expect(ghost.whisper).to_have_text("Red: nobody else is waiting.")
    ghost.gives("red")
    expect(ghost.page.locator("#next")).to_have_text("All have a vision. Turn the sand.")
    ghost.page.locator("#serve").dispatch_event("click")
    expect(ghost.whisper).to_have_text("Nobody is waiting for a vision now.")


def test_a_ghost_who_takes_long_is_told_to_take_the_time_and_nobody_else_is_told(guest: Guest, ghost: Ghost) -> None:
    ghost.page.clock.install()
    ghost.page.reload()
    guest.begins(FOUR)
    hint = ghost.page.locator("#next")
    expect(hint).to_have_text("Touch a psychic, then Vision.")
    expect(guest.page.locator("#said")).to_contain_text("One o'clock.")  # the last that is said at the beginning
    said = guest.page.locator("#said").inner_text()
    ghost.page.clock.fast_forward(61_000)
    expect(hint).to_have_text("Take your time. The house can suggest somebody.")
    assert guest.page.locator("#said").inner_text() == said
    ghost.gives("red")
    expect(hint).to_have_text("Touch a psychic, then Vision.")


@pytest.mark.parametrize("house", [{"visions": "dealt"}], indirect=True)
def test_a_dealt_vision_is_said_to_need_a_second_touch(guest: Guest, ghost: Ghost) -> None:
    guest.begins(FOUR)
    expect(ghost.page.locator("#next")).to_contain_text("then Do it.")
    ghost.chooses("red")
    ghost.page.locator("#hand button").first.tap()
    ghost.touches("vision")
    expect(ghost.page.locator("#next")).to_have_text("Touch Do it, or Leave it.")
    expect(ghost.whisper).to_contain_text("Touch Do it.")


def test_a_seated_ghost_reads_the_help_card(ghost: Ghost) -> None:
    ghost.is_seated()
    ghost.page.locator("#seat [data-help]").tap()
    expect(ghost.page.locator("dialog.help dt").first).to_be_visible()
    ghost.page.keyboard.press("Escape")
    expect(ghost.page.locator("dialog.help")).to_be_hidden()
