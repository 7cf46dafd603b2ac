"""Whole nights with a ghost's phone, a phone for each player and a television; secrets stay where they belong."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.web.browser.conftest import Watch
from tests.web.browser.lookout import Lookout
from tests.web.browser.network import CuttableNetwork
from tests.web.browser.phones import PhoneNight, PsychicPhone
from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.seats import Ghost, Guest
from tests.web.browser.secrets import Secrets
from tests.web.browser.test_touch import answer, set_up

Device = Callable[[str], BrowserContext]
PSYCHICS = ("blue", "white", "red")
MINUTE_MS = 60_000


@pytest.fixture
def network(house: SeanceProcess) -> Iterator[CuttableNetwork]:
    network = CuttableNetwork(house.address)
    yield network
    network.close()


def test_five_play_at_phones_while_one_loses_the_network_for_a_minute_and_nothing_secret_gets_out(
    house: SeanceProcess, guest: Guest, ghost: Ghost, device: Device, watch: Watch, network: CuttableNetwork
) -> None:
    watch.addresses.append(network.address)
    television = device("television").new_page()
    television.goto(f"{house.address}/table?tv")
    guest.begins("we are five, easy, the usual rules, blue, white, red and yellow play")
    phones = [PsychicPhone(device("small").new_page(), house.address).sits(each) for each in PSYCHICS]
    lost_page = device("phone").new_page()
    lost_page.clock.install()
    lost = PsychicPhone(lost_page, network.address).sits("yellow")
    night = PhoneNight(ghost, [*phones, lost], edition="libellud")
    lookout = Lookout(house, ghost, [television, guest.page, lost.page, *(phone.page for phone in phones)])

    watch.excused |= {"/seat/events", "/seat/touch"}
    network.cut()
    expect(lost.page.locator("#answer")).to_contain_text("The house does not answer")
    lost.page.clock.fast_forward(MINUTE_MS)
    night.play_visions()
    night.until_not("visions")
    for phone in phones:
        phone.chooses(phone.psychics[0], ghost.sought(phone.psychics[0]))
    lost.touches("#undo")
    expect(lost.page.locator("#answer")).to_contain_text("The house does not answer")
    network.mend()
    expect(lost.page.locator("[data-card]").first).to_be_visible()
    expect(lost.page.locator("#answer")).to_be_empty()

    assert {"interpretation", "lineup", "shared_vision", "vote"} <= set(night.play(lambda: lookout.look(night)))
    expect(television.locator(".outcome")).to_contain_text("The culprit is found")
    assert lookout.found() == []


def test_three_play_from_an_empty_house_to_the_chronicle_by_touch_alone_each_player_with_two_psychics(
    house: SeanceProcess, device: Device, watch: Watch
) -> None:
    watch.excused.add("/seat/touch")  # both phones may say yes to one question, and the first ends the night
    tablet = device("tablet").new_page()
    said: list[str] = []
    tablet.on("request", lambda request: said.extend([request.url] if request.url.endswith("/table/say") else []))
    tablet.goto(f"{house.address}/table")
    ghost = Ghost(device("phone").new_page()).asks(house.address)
    answer(tablet, "yes")
    ghost.is_seated()
    answer(tablet, "begin")
    set_up(tablet, players=3, edition="libellud", level="easy", psychics=("blue", "white", "red", "yellow"))
    answer(tablet, "yes")
    expect(tablet.locator(".psychics")).to_be_visible()
    answer(tablet, "ready")
    phones = [PsychicPhone(device("small").new_page(), house.address).sits(each) for each in ("blue", "red")]
    assert [len(phone.psychics) for phone in phones] == [2, 2]
    night = PhoneNight(ghost, phones, edition="libellud")
    lookout = Lookout(house, ghost, [tablet, *(phone.page for phone in phones)], votes_are_open=True)
    night.play(lambda: lookout.look(night))
    expect(tablet.locator(".outcome")).to_contain_text("The culprit is found")
    tablet.locator("#to-chronicle").tap()
    expect(tablet.locator("h1")).to_contain_text("The night of")
    assert lookout.found() == []
    assert said == []


LEAKS = {"a star": "★", "a key": "0123456789abcdef", "cards": "you seek 3, 14, 15"}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
def test_a_secret_on_a_screen_is_found(chromium: Browser, leak: str) -> None:
    page = chromium.new_page()
    page.set_content(f"<p>{leak}</p>")
    secrets = Secrets([("3", "14", "15")], [])
    secrets.keys.append(LEAKS["a key"])
    secrets.look_at(page, trios=True)
    page.close()
    assert len(secrets.found) == 1


@pytest.mark.parametrize("line", ["handled Vote(by=<Psychic.RED: 'red'>, group=2)", "culprit=2", "3, 14, 15"])
def test_a_secret_in_the_log_is_found(line: str) -> None:
    secrets = Secrets([("3", "14", "15")], [])
    secrets.read_log([line], trios=True)
    assert len(secrets.found) == 1
