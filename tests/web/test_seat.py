"""Who may take the ghost's seat: the device that the room confirms, for one night."""

from collections.abc import Iterator

import pytest

from seance.daemon.signals import ButtonPress, GhostCommand, SeatRequest, TypedOnPage
from seance.web import request_checks
from tests.web.running_evening import Phone, RunningEvening, running_evening

FAR = "127.0.0.2"
"""The address of a phone; 127.0.0.1 is this machine's own browser."""


def said(house: RunningEvening) -> list[str]:
    """Return the last lines that the room heard."""
    house.told()
    return [line.text for line in house.parts.pages.latest.current.said]


def test_the_first_device_that_asks_sits_there_when_the_room_says_yes(night):
    with night.ghost() as ghost:
        state = ghost.state("/ghost/events")
        assert state["mine"]
        assert state["seat"] == "taken"
        assert set(state["secret"]) == {"red", "blue", "white"}
        assert state["may"] == ["give_vision", "use_crow"]


def test_until_the_room_has_answered_a_device_sees_no_secret(night):
    with night.phone() as phone:
        assert phone.post("/ghost/sit").json() == {"seat": "asked"}
        state = phone.state("/ghost/events")
        assert not state["mine"]
        assert (state["secret"], state["hand"], state["culprit"], state["may"]) == (None, None, None, [])


def test_a_no_leaves_the_seat_free(night):
    with night.phone() as phone:
        phone.post("/ghost/sit")
        night.until(lambda: night.seat.asked is not None)
        night.type("no")
        state = phone.state("/ghost/events")
        assert (state["mine"], state["seat"]) == (False, "free")


def test_a_button_under_the_table_says_yes(night):
    with night.phone() as phone:
        phone.post("/ghost/sit")
        night.until(lambda: night.seat.asked is not None)
        night.parts.inbox.put(ButtonPress("yes"))
        night.until(lambda: night.seat.holder is not None)
        assert phone.state("/ghost/events")["given"]
        phone.post("/ghost/sit")
        assert phone.state("/ghost/events")["mine"]


def test_another_device_is_refused_and_the_room_hears_that_somebody_tried(night):
    with night.ghost(), night.phone() as other:
        answer = other.post("/ghost/sit")
        assert answer.status_code == 409
        assert answer.json()["seat"] == "taken"
        assert other.get("/ghost/events").status_code == 403
        night.until(lambda: SeatRequest(None) in night.followed)
        assert any("ghost's chair" in line for line in said(night)[-1:])


def test_the_room_is_not_told_of_every_try(night):
    with night.ghost(), night.phone() as other:
        before = len(said(night))
        for _ in range(3):
            other.post("/ghost/sit")
        night.until(lambda: night.followed.count(SeatRequest(None)) == 3)
        assert len(said(night)) <= before + 1


def test_who_asks_too_often_must_wait(night):
    with night.phone() as phone:
        answers = [phone.post("/ghost/sit").status_code for _ in range(8)]
        assert answers[-1] == 429


def test_the_ghost_must_change_seats_frees_it_for_another(night):
    with night.ghost() as first, first.events("/ghost/events") as events:
        assert next(events)[1]["mine"]
        night.type("the ghost must change seats")
        assert next(state["seat"] for kind, state in events if kind == "state" and not state["mine"]) == "free"
        assert first.ask("use_crow").status_code == 403
        with night.ghost() as second:
            assert second.state("/ghost/events")["mine"]


def test_a_cookie_of_another_night_opens_nothing(night):
    with night.ghost() as ghost:
        night.type("end the séance", "yes")
        night.until(lambda: night.seat.holder is None)
        assert ghost.get("/ghost/events").status_code == 403
        assert ghost.ask("use_crow").status_code == 403


def test_a_house_that_comes_back_in_the_middle_of_the_night_knows_its_ghost(tmp_path):
    with running_evening(tmp_path) as house:
        house.begin()
        with house.ghost() as ghost:
            cookies = ghost.http.cookies
    with running_evening(tmp_path) as house, house.phone() as phone:
        phone.http.cookies = cookies
        assert phone.state("/ghost/events")["mine"]


def test_a_yes_from_somebody_elses_page_seats_nobody(night):
    with night.phone() as phone:
        phone.post("/ghost/sit")
        night.until(lambda: night.seat.asked is not None)
        night.parts.inbox.put(TypedOnPage("yes"))
        night.until(lambda: TypedOnPage("yes") in night.followed)
        night.type("what time is it")
        assert night.seat.status == "asked"


def test_a_yes_to_a_later_question_seats_nobody(night):
    with night.phone() as phone:
        phone.post("/ghost/sit")
        night.until(lambda: night.seat.asked is not None)
        night.type("end the séance")
        night.type("yes")
        assert night.evening.state.outcome is not None
        assert night.seat.holder is None
        night.until(lambda: night.seat.asked is None)
        assert phone.get("/ghost/events").status_code != 200


# Whoever asks may never answer


@pytest.fixture
def far(monkeypatch) -> None:
    """Take every address but 127.0.0.1 for a phone in the network."""
    monkeypatch.setattr(request_checks, "is_loopback", lambda address: address == "127.0.0.1")


@pytest.fixture
def service(tmp_path, request) -> Iterator[RunningEvening]:
    """A house with neither microphone nor keyboard."""
    request.getfixturevalue("far")
    with running_evening(tmp_path, with_keyboard=False) as house:
        yield house


def asking(house: RunningEvening, **more) -> Phone:
    """Return a phone that has asked for the seat, and was asked about."""
    phone = house.phone(**({"address": FAR} | more))
    assert phone.post("/ghost/sit").json() == {"seat": "asked"}
    house.until(lambda: house.seat.asked is not None)
    return phone


def typed(house: RunningEvening, phone: Phone, text: str) -> None:
    """Type *text* at the table's page of *phone*, and wait until the house has read it."""
    before = sum(isinstance(signal, TypedOnPage) for signal in house.followed)
    assert phone.say(text).status_code == 202
    house.until(lambda: sum(isinstance(signal, TypedOnPage) for signal in house.followed) > before)


def test_in_a_service_without_a_microphone_no_phone_seats_itself(service):
    with asking(service) as phone:
        for text in ("yes", "yes", str(service.evening.seat.digits)):
            typed(service, phone, text)
        assert service.seat.status == "asked"
        assert not phone.state("/ghost/events")["mine"]


def test_there_another_phone_types_the_digits_that_are_told_in_the_room(service):
    with asking(service) as phone, service.phone(address="127.0.0.3") as other:
        typed(service, other, "yes")
        assert service.seat.status == "asked"
        typed(service, other, service.evening.seat.digits)
        assert service.seat.status == "taken"
        phone.post("/ghost/sit")
        assert phone.state("/ghost/events")["mine"]


def test_two_wrong_digits_close_the_question(service):
    with asking(service), service.phone(address="127.0.0.3") as other:
        wrong = f"{(int(service.evening.seat.digits) + 1) % 100:02}"
        typed(service, other, wrong)
        typed(service, other, wrong)
        assert service.seat.status == "free"
        typed(service, other, service.evening.seat.digits or "00")
        assert service.seat.status == "free"


def test_the_digits_leave_the_house_for_its_own_screen_alone(service):
    with asking(service) as phone, service.phone() as screen:
        digits = service.evening.seat.digits
        service.told()
        far_away = phone.state("/table/events")
        assert far_away["seat_code"] == {"digits": None}
        assert digits not in [line["text"] for line in far_away["said"]]
        assert all(not line["text"].lower().startswith(("the digits", "here they are")) for line in far_away["said"])
        assert screen.state("/table/events")["seat_code"] == {"digits": digits}


def test_this_machines_own_browser_says_yes_for_another_but_not_for_itself(service):
    with asking(service, address="127.0.0.1") as screen:
        typed(service, screen, "yes")
        assert service.seat.status == "asked"
        typed(service, screen, "no")
    with asking(service), service.phone() as screen:
        typed(service, screen, "yes")
        assert service.seat.status == "taken"


@pytest.mark.usefixtures("far")
def test_of_eight_who_ask_at_once_the_one_is_seated_that_the_question_names(night):
    phones = [night.phone(address=f"127.0.0.{n}") for n in range(2, 10)]
    answers = [phone.post("/ghost/sit") for phone in phones]
    night.until(lambda: night.seat.asked is not None)
    states = [phone.state("/ghost/events") for phone, answer in zip(phones, answers, strict=True) if answer.is_success]
    shown = [state["mark"] for state in states if state["mark"]]
    assert len(shown) == 1
    assert shown[0] in said(night)[-1]
    assert all("Another phone" in answer.json()["message"] for answer in answers if not answer.is_success)
    night.type("yes")
    given = [phone for phone in phones if phone.get("/ghost").is_success and _is_given(phone)]
    assert [phone.post("/ghost/sit").status_code for phone in given] == [202]
    for phone in phones:
        phone.http.close()


def _is_given(phone: Phone) -> bool:
    with phone.http.stream("GET", "/ghost/events") as response:
        if response.status_code != 200:
            return False
    return bool(phone.state("/ghost/events")["given"])


def test_the_next_phone_that_asks_shows_another_word(night):
    marks = []
    for _ in range(2):
        with asking(night) as phone:
            marks.append(phone.state("/ghost/events")["mark"])
            night.type("no")
    assert len(set(marks)) == 2


# The cookie is made anew


def test_the_seats_cookie_is_made_anew_when_it_is_given(night):
    with asking(night) as phone, night.phone() as thief:
        thief.http.cookies.update(phone.http.cookies)
        night.type("yes")
        assert phone.ask("use_crow").status_code == 403, "nothing before the new cookie"
        assert phone.post("/ghost/sit").status_code == 202
        assert phone.http.cookies["seat"] != thief.http.cookies["seat"]
        assert phone.state("/ghost/events")["mine"]
        assert not thief.state("/ghost/events")["mine"]
        assert thief.ask("use_crow").status_code == 403
        assert thief.post("/ghost/sit").status_code == 409


def test_a_cookie_that_was_there_before_is_not_taken_over(night):
    with asking(night) as first, night.phone() as second:
        night.type("no")
        second.http.cookies.update(first.http.cookies)
        second.post("/ghost/sit")
        assert second.http.cookies["seat"] != first.http.cookies["seat"]


# Who frees it


@pytest.mark.usefixtures("far")
def test_a_guest_far_away_frees_the_seat_only_with_the_rooms_yes(night):
    with night.ghost() as ghost, night.phone(address=FAR) as guest:
        typed(night, guest, "free the seat")
        typed(night, guest, "yes")
        assert night.seat.status == "taken"
        assert ghost.state("/ghost/events")["mine"]
        night.type("no")
        assert night.seat.status == "taken"
        typed(night, guest, "free the seat")
        night.type("yes")
        assert night.seat.status == "free"


def test_in_a_service_the_digits_of_another_phone_free_it(service):
    with asking(service), service.phone(address="127.0.0.3") as guest, service.phone(address="127.0.0.4") as other:
        typed(service, other, service.evening.seat.digits)
        typed(service, guest, "free the seat")
        typed(service, guest, service.evening.seat.digits)
        assert service.seat.status == "taken"
        typed(service, other, service.evening.seat.digits)
        assert service.seat.status == "free"


@pytest.mark.usefixtures("far")
def test_at_this_machine_the_seat_is_freed_at_once(night):
    with night.ghost(), night.phone() as screen:
        typed(night, screen, "free the seat")
        assert night.seat.status == "free"


def test_what_the_ghost_touches_makes_no_frame_at_the_table(night):
    with night.ghost() as ghost, night.phone() as guest:
        night.told()
        with guest.events("/table/events") as events:
            first = next(events)[1]
            for _ in range(3):
                assert ghost.ask("turn_sand").status_code == 202  # refused: nobody has a vision yet
            night.until(lambda: sum(isinstance(signal, GhostCommand) for signal in night.followed) == 3)
            night.told()
            assert night.parts.pages.latest.current.version > first["n"], "the ghost was told"
            night.type("what time is it")
            night.told()
            frames = [next(events)]
            assert frames[0][1]["heard"]["text"] == "what time is it", "the first frame is of the next words"
