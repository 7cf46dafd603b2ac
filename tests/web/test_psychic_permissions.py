"""Every cell of a psychic's phone in the table of who may do what, and every route that changes something, by HTTP."""

from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import httpx
import pytest

from seance.permissions import PSYCHIC_SEAT, Action, Permission, Source, permission
from seance.rate_limiter import RateLimiter
from seance.web.callbacks import Lookups
from seance.web.site import Site
from tests.web.running_evening import Phone, running_evening
from tests.web.test_permissions import ASKER, CONTROLS, OF_DEVICES, PATH, Tried, became_host, looked_up, talked

RED = "127.0.0.7"
TOUCHES: dict[Action, dict[str, Any]] = {
    Action.SAY: {"intent": "call_time"},
    Action.CHOOSE: {"intent": "place_intuition", "slots": {"card": 7}},
    Action.BET: {"intent": "bet", "slots": {"on": "blue", "agrees": True}},
    Action.VOTE: {"intent": "vote", "slots": {"group": 2}},
    Action.UNDO: {"intent": "take_back"},
    Action.PAUSE: {"intent": "pause"},
    Action.END_NIGHT: {"intent": "end"},
    Action.FREE_SEAT: {"intent": "free_seat"},
}
ANSWERS: dict[str, tuple[dict[str, Any], int]] = {
    "/table/say": ({"text": "what time is it"}, 202),
    "/table/typing": ({"begun": False}, 202),
    "/table/touch": ({"intent": "ask_next"}, 202),
    "/table/chair": ({"psychic": "red", "direction_deg": 90}, 403),
    "/seat/take": ({"psychic": "red"}, 202),
    "/seat/touch": ({"intent": "take_back"}, 202),
    "/seat/talk": ({"held": False}, 202),
    "/seat/leave": ({}, 202),
    "/ghost/sit": ({}, 202),
    "/ghost/command": ({"command": "turn_sand"}, 403),
    "/ghost/control": ({"control": "pause"}, 403),
    "/host/do": (CONTROLS[Action.PACE], 403),
    "/host/enter": ({"code": "000000"}, 403),
    "/host/code": ({}, 202),
}
"""What a phone that plays for red sends, and the status of the answer; at the table's page it is a guest's."""


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tried]:
    """One night for all cells; every address but 127.0.0.1 is a phone's, and nobody is too fast."""
    checks = Lookups(checks=lambda: [{"name": "journal", "state": "good", "told": PATH, "fix": ""}])
    far = mock.patch("seance.web.request_checks.is_loopback", lambda address: address == "127.0.0.1")
    unlimited = mock.patch.object(RateLimiter, "allows", return_value=True)
    with (
        far,
        unlimited,
        running_evening(tmp_path_factory.mktemp("cells"), lookups=checks, with_keyboard=False) as house,
    ):
        house.begin()
        yield Tried(house)


@pytest.fixture
def red(tried: Tried) -> Iterator[Phone]:
    """A phone that plays for red."""
    tried.calm()
    with tried.house.phone(address=RED) as phone:
        phone.get("/seat")
        assert phone.post("/seat/take", {"psychic": "red"}).json() == {"seat": "taken"}
        yield phone
        phone.post("/seat/leave")
    tried.calm()


def allowed(done: bool) -> Permission:
    return Permission.ALLOWED if done else Permission.NEVER


def touched(tried: Tried, red: Phone, action: Action) -> Permission:
    """Touch what *action* is on a psychic's page, and see whether the house does anything."""
    return allowed(tried.answers(lambda: red.post("/seat/touch", TOUCHES[action])))


def controlled(tried: Tried, red: Phone, action: Action) -> Permission:
    wish = CONTROLS.get(action, {"do": "louder"})
    return allowed(tried.answers(lambda: red.post("/host/do", wish)))


def placed(tried: Tried, red: Phone, _: Action) -> Permission:
    return allowed(tried.answers(lambda: red.post("/table/chair", {"psychic": "red", "direction_deg": 90})))


def confirmed(tried: Tried, red: Phone, _: Action) -> Permission:
    """Let another phone ask for the ghost's seat, and touch yes."""
    with tried.house.phone(address=ASKER) as asker:
        asker.post("/ghost/sit")
        tried.house.until(lambda: tried.house.evening.conversation.sitting is not None)
        red.post("/seat/touch", {"intent": "yes"})
        tried.settle()
    return allowed(tried.house.evening.conversation.sitting is None)


def acted(tried: Tried, red: Phone, _: Action) -> Permission:
    return allowed(tried.answers(lambda: red.post("/ghost/command", {"command": "turn_sand"})))


def asked_by_device(tried: Tried, _: Phone, action: Action) -> Permission:
    return allowed(tried.answers(lambda: tried.put(OF_DEVICES[action](source=Source.SEATED_PHONE))))


Observer = Callable[[Tried, Phone, Action], Permission]
OBSERVERS: dict[Action, Observer] = {
    **dict.fromkeys(TOUCHES, touched),
    **dict.fromkeys((Action.VOLUME, *CONTROLS), controlled),
    **dict.fromkeys(OF_DEVICES, asked_by_device),
    Action.SIT: lambda _, red, __: allowed(red.post("/seat/take", {"psychic": "red"}).status_code == 202),
    Action.MOVE_CHAIR: placed,
    Action.CONFIRM_SEAT: confirmed,
    Action.ACT_AS_GHOST: acted,
    Action.TALK: lambda tried, red, _: talked(tried, Source.SEATED_PHONE, red),
    Action.DOCTOR: lambda _, red, __: looked_up(red),
    Action.PATHS: lambda _, red, __: looked_up(red),
    Action.BECOME_HOST: lambda tried, red, _: became_host(tried, red),
}


@pytest.mark.parametrize("action", Action)
def test_the_house_does_at_a_psychics_seat_what_the_table_says(tried: Tried, red: Phone, action: Action) -> None:
    expected = permission(action, Source.SEATED_PHONE, seat=PSYCHIC_SEAT)
    assert OBSERVERS[action](tried, red, action) is expected


def test_every_route_that_changes_something_is_tried() -> None:
    site = Site(*(mock.MagicMock() for _ in range(5)))
    posts = {route.path for route in site.app().routes if "POST" in (getattr(route, "methods", None) or ())}
    assert posts == set(ANSWERS)


@pytest.mark.parametrize("path", ANSWERS)
def test_a_psychics_phone_is_answered_as_its_seat_allows(red: Phone, path: str) -> None:
    body, status = ANSWERS[path]
    answer: httpx.Response = red.post(path, body)
    assert answer.status_code == status, answer.text
