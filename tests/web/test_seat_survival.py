"""A psychic's seat over HTTP: it outlasts sleep, another network and a restart; another phone follows a dead one."""

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from seance.permissions import Source
from seance.rate_limiter import RateLimiter
from tests.web.running_evening import Phone, RunningEvening, running_evening

HERE, ELSEWHERE, ANOTHER = "127.0.0.1", "127.0.0.7", "127.0.0.8"


@pytest.fixture(autouse=True)
def network() -> Iterator[None]:
    """Every address but one is a phone's, and nobody is too fast."""
    far = mock.patch("seance.web.request_checks.is_loopback", lambda address: address == HERE)
    with far, mock.patch.object(RateLimiter, "allows", return_value=True):
        yield


@pytest.fixture
def red(night: RunningEvening) -> Iterator[Phone]:
    """A phone that plays for red."""
    with night.phone(address=ELSEWHERE) as phone:
        take(night, phone)
        yield phone


def take(house: RunningEvening, phone: Phone, answer: str = "taken") -> None:
    """Ask for red's seat."""
    house.until(lambda: house.parts.pages.latest.current.players_psychics != ())
    phone.get("/seat")
    assert phone.post("/seat/take", {"psychic": "red"}).json() == {"seat": answer}


def mine(phone: Phone) -> list[str]:
    """Return the psychics that *phone* plays for, as its stream tells it."""
    found: list[str] = phone.state("/seat/events")["mine"]
    return found


def choosing(house: RunningEvening) -> int:
    """Let the ghost serve everybody, and return a card that red may choose."""
    house.type("ghost vision red", "ghost vision blue", "ghost vision white", "ghost sand")
    assert house.evening.room is not None
    return house.evening.room.table.character[0]


def choice(house: RunningEvening) -> int | None:
    """Return the card that red has chosen."""
    assert house.evening.room is not None
    return next(each.intuition for each in house.evening.room.psychics if each.colour == "red")


def touch_card(phone: Phone, card: int) -> int:
    return phone.post("/seat/touch", {"intent": "place_intuition", "slots": {"card": card}}).status_code


def test_a_phone_that_slept_through_the_visions_chooses_at_its_seat(night: RunningEvening, red: Phone) -> None:
    with red.events("/seat/events") as events:
        next(events)
    card = choosing(night)
    assert mine(red) == ["red"]
    assert touch_card(red, card) == 202
    night.until(lambda: choice(night) == card)


def test_a_phone_that_comes_back_with_another_address_has_its_seat(night: RunningEvening, red: Phone) -> None:
    with night.phone(address=ANOTHER) as same:
        same.http.cookies.update(red.http.cookies)
        assert mine(same) == ["red"]
        assert same.get("/").headers["location"] == "/seat"


def test_a_phone_that_closes_its_browser_while_it_sleeps_keeps_its_cookie(night: RunningEvening) -> None:
    with night.phone(address=ELSEWHERE) as phone:
        phone.get("/seat")
        answer = phone.post("/seat/take", {"psychic": "red"})
        assert "Max-Age=86400" in answer.headers["set-cookie"]


def test_a_seat_outlasts_a_restart_of_the_house(tmp_path: Path) -> None:
    with running_evening(tmp_path) as house:
        house.begin()
        with house.phone(address=ELSEWHERE) as phone:
            take(house, phone)
            cookies = phone.http.cookies
    with running_evening(tmp_path) as house:
        house.type("yes")
        house.until(lambda: house.evening.state is not None)
        with house.phone(address=ELSEWHERE) as phone:
            phone.http.cookies.update(cookies)
            assert mine(phone) == ["red"]
            assert phone.post("/seat/touch", {"intent": "pause"}).status_code == 202


def test_another_phone_follows_a_dead_one_and_finds_its_choice(night: RunningEvening, red: Phone) -> None:
    card = choosing(night)
    touch_card(red, card)
    night.until(lambda: choice(night) == card)
    with night.phone(address=ANOTHER) as other:
        take(night, other, "asked")
        assert mine(other) == []
        night.type("yes")
        assert mine(other) == ["red"]
        assert choice(night) == card
        assert other.post("/seat/touch", {"intent": "take_back"}).status_code == 202
        night.until(lambda: choice(night) is None)
    assert touch_card(red, card) == 403
    assert mine(red) == []


@pytest.mark.parametrize("address", [HERE, ANOTHER], ids=[Source.KEYBOARD, Source.OTHER_PHONE])
def test_whoever_asks_for_a_taken_seat_never_says_yes(night: RunningEvening, red: Phone, address: str) -> None:
    """Neither in words nor by touch, not even at the house's own machine, whose word counts otherwise."""
    with night.phone(address=address) as asker:
        take(night, asker, "asked")
        asker.post("/table/say", {"text": "yes"})
        asker.post("/table/touch", {"intent": "yes"})
        asker.post("/seat/touch", {"intent": "yes"})
        night.type("what time is it")
        assert mine(asker) == []
        assert mine(red) == ["red"]
        night.type("yes")
        assert mine(asker) == ["red"]


def test_a_no_leaves_the_seat_where_it_is(night: RunningEvening, red: Phone) -> None:
    with night.phone(address=ANOTHER) as asker:
        take(night, asker, "asked")
        night.type("no")
        assert mine(asker) == []
        assert mine(red) == ["red"]
        assert asker.post("/seat/touch", {"intent": "pause"}).status_code == 403
