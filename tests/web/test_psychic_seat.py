"""A psychic's page: who may take a seat, and what the phone that holds it may ask for."""

from collections.abc import Iterator
from itertools import product

import pytest

from seance.permissions import PSYCHIC_SEAT, Action, Permission, Source, intent_action, permission
from seance.rate_limiter import RateLimiter
from seance.web.touch import SEAT_TOUCHES, TOUCH_SLOTS
from tests.web.running_evening import Phone, RunningEvening

SLOTS = {
    "place_intuition": {"psychic": "red", "card": 1},
    "bet": {"by": "red", "on": "blue", "agrees": True},
    "withdraw_bet": {"by": "red", "on": "blue"},
    "vote": {"by": "red", "group": 1},
    "point_at": {"by": "red", "group": 1},
    "name_eldest": {"psychic": "blue"},
    "draw_row": {"row": [1, 2]},
    "number_groups": {"order": ["red", "blue", "white"]},
}


@pytest.fixture
def red(night, monkeypatch) -> Iterator[Phone]:
    """A phone that plays for red; nobody is too fast."""
    monkeypatch.setattr(RateLimiter, "allows", lambda *_: True)
    with night.phone() as phone:
        night.until(lambda: night.parts.pages.latest.current.players_psychics != ())
        phone.get("/seat")
        assert phone.post("/seat/take", {"psychic": "red"}).json() == {"seat": "taken"}
        yield phone


def test_a_free_seat_is_taken_by_the_phone_that_touches_it(red):
    state = red.state("/seat/events")
    assert state["mine"] == ["red"]
    assert {seat["psychics"][0]: seat["taken"] for seat in state["seats"]} == {
        "red": True,
        "blue": False,
        "white": False,
    }


def test_the_door_leads_back_to_the_seat(red):
    assert red.get("/").headers["location"] == "/seat"


def test_a_seated_phone_still_sees_the_table(red):
    assert red.state("/table/events")["night"]["psychics"]


def test_a_phone_has_one_seat(red):
    assert red.post("/seat/take", {"psychic": "blue"}).status_code == 409


def test_another_phone_gets_a_taken_seat_when_the_room_says_yes(night: RunningEvening, red):
    with night.phone() as other:
        other.get("/seat")
        assert other.post("/seat/take", {"psychic": "red"}).json() == {"seat": "asked"}
        assert other.state("/seat/events")["mark"]
        assert red.state("/seat/events")["mark"] is None
        night.type("yes")
        assert other.state("/seat/events")["mine"] == ["red"]
        assert red.state("/seat/events")["mine"] == []
        assert red.post("/seat/touch", {"intent": "pause"}).status_code == 403


@pytest.mark.usefixtures("red")
def test_while_the_room_is_asked_nobody_else_asks(night: RunningEvening):
    with night.phone() as other, night.phone() as third:
        for phone in (other, third):
            phone.get("/seat")
        other.post("/seat/take", {"psychic": "red"})
        assert third.post("/seat/take", {"psychic": "red"}).status_code == 409


def test_a_seat_that_is_given_back_is_free(night: RunningEvening, red):
    assert red.post("/seat/leave").status_code == 202
    night.until(lambda: not night.parts.pages.latest.current.psychic_seats.holders)
    assert red.post("/seat/leave").status_code == 403


def test_the_ghosts_phone_takes_no_psychics_seat(night: RunningEvening):
    with night.ghost() as ghost:
        ghost.get("/seat")
        assert ghost.post("/seat/take", {"psychic": "red"}).status_code == 403


def test_a_phone_that_has_opened_no_page_takes_no_seat(night: RunningEvening):
    with night.phone() as stranger:
        assert stranger.post("/seat/take", {"psychic": "red"}).status_code == 403


@pytest.mark.parametrize("body", [{}, {"psychic": "green"}, {"psychic": 1}, {"psychic": "red", "more": 1}])
def test_a_wish_for_no_seat_is_malformed(red, body):
    assert red.post("/seat/take", body).status_code == 400


@pytest.mark.parametrize("intent", TOUCH_SLOTS)
def test_a_seat_touches_what_is_its_own_and_nothing_else(red, intent):
    answer = red.post("/seat/touch", {"intent": intent, "slots": SLOTS.get(intent, {})})
    assert answer.status_code == (202 if intent in SEAT_TOUCHES else 403)


@pytest.mark.parametrize(
    ("intent", "slot"),
    [("place_intuition", "psychic"), ("bet", "by"), ("withdraw_bet", "by"), ("vote", "by"), ("point_at", "by")],
)
def test_a_seat_acts_for_no_other_psychic(red, intent, slot):
    answer = red.post("/seat/touch", {"intent": intent, "slots": {**SLOTS[intent], slot: "white"}})
    assert answer.status_code == 403
    assert "its own psychic" in answer.json()["message"]


def test_what_a_seat_may_touch_is_what_the_table_of_permissions_allows():
    for intent, seat in product(SEAT_TOUCHES, [PSYCHIC_SEAT]):
        assert permission(intent_action(intent), Source.SEATED_PHONE, seat=seat) is Permission.ALLOWED
    for action in (Action.ACT_AS_GHOST, Action.CONFIRM_SEAT, Action.FREE_SEAT, Action.END_NIGHT, Action.LANGUAGE):
        assert permission(action, Source.SEATED_PHONE, seat=PSYCHIC_SEAT) is Permission.NEVER


def test_a_phone_without_a_seat_touches_nothing(night: RunningEvening):
    with night.phone() as stranger:
        stranger.get("/seat")
        assert stranger.post("/seat/touch", {"intent": "pause"}).status_code == 403


def test_a_choice_by_touch_lies_on_the_table(night: RunningEvening, red):
    with night.ghost() as ghost:
        for psychic in ("red", "blue", "white"):
            ghost.ask("give_vision", psychic=psychic, count=1)
        ghost.ask("turn_sand")
        night.until(lambda: night.evening.room.phase == "interpretation")
        card = night.evening.room.table.character[0]
        red.post("/seat/touch", {"intent": "place_intuition", "slots": {"card": card}})
        night.until(lambda: night.evening.room.psychics[0].intuition == card)
