"""Who may take the ghost's seat: the device that the room confirms, for one night."""

from seance.daemon.signals import ButtonPress, SeatRequest, TypedOnPage
from tests.web.running_evening import RunningEvening, running_evening


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
        assert phone.state("/ghost/events")["mine"]


def test_another_device_is_refused_and_the_room_hears_that_somebody_tried(night):
    with night.ghost(), night.phone() as other:
        answer = other.post("/ghost/sit")
        assert answer.status_code == 409
        assert answer.json()["seat"] == "taken"
        assert other.get("/ghost/events").status_code == 403
        night.until(lambda: SeatRequest(None) in night.followed)
        assert any("chair of the ghost" in line for line in said(night)[-1:])


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
        night.parts.inbox.put(TypedOnPage("yes", here=False))
        night.until(lambda: TypedOnPage("yes", here=False) in night.followed)
        night.type("what time is it")
        assert night.seat.status == "asked"


def test_a_yes_to_a_later_question_seats_nobody(night):
    with night.phone() as phone:
        phone.post("/ghost/sit")
        night.until(lambda: night.seat.asked is not None)
        night.type("end the séance")
        night.type("yes")
        assert night.evening.state.outcome is not None
        assert phone.get("/ghost/events").status_code != 200 or not phone.state("/ghost/events")["mine"]
