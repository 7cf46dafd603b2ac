"""The table's page, the chronicle and replay, and the host's page, as a browser gets them."""

import re
import threading

import msgspec
import pytest

from seance import settings as s
from seance.daemon.signals import HostControl
from seance.daemon.world.composition import SilentVoice
from seance.languages import language_names
from seance.narration.cues import PsychicLight
from seance.permissions import Source
from seance.programs import page_lookups
from seance.rules import Psychic
from tests.third_language import CODE
from tests.web.running_evening import PATIENCE, Phone, chosen, running_evening


@pytest.fixture
def phone(night):
    with night.phone() as phone:
        yield phone


def test_the_table_shows_the_night_the_lights_and_the_last_lines(night, phone):
    night.type("red has a vision")
    night.told()
    state = phone.state()
    assert state["night"]["hour"] == 1
    assert state["lights"]["red"] == "served"
    assert "Red" in state["said"][-1]["text"]
    assert state["heard"]["text"] == "red has a vision"
    assert (state["edition"], state["turns"], state["shared_vision_cards"]) == ("libellud", 7, 3)
    assert state["seat"] == "free"


def test_what_the_ghost_types_at_the_keyboard_is_not_shown_as_heard(night, phone):
    night.type("red has a vision", "ghost vision blue")
    night.told()
    assert phone.state()["heard"]["text"] == "red has a vision"


def test_words_typed_at_the_table_count_as_said(night, phone):
    assert phone.say("red has a vision").status_code == 202
    night.until(lambda: night.evening.state.search(Psychic.RED).served)


def test_knocks_come_as_they_are_heard_and_answers_not_before(night, phone):
    for psychic in ("red", "blue", "white"):
        night.type(f"ghost vision {psychic}")
    night.type("ghost sand")
    night.told()
    card = night.evening.state.table.character[0]
    with phone.events("/table/events") as events:
        for psychic in ("red", "blue", "white"):
            night.type(f"{psychic} chooses card {card}")
        night.type("we are ready")
        knocks = 0
        for kind, said in events:
            if kind == "knock" and said["says"] in ("yes", "no"):
                knocks += 1
            elif kind == "state":
                answered = [one for one in said["night"]["psychics"] if one["answered"]]
                assert len(answered) <= knocks
                if said["night"]["hour"] == 2:
                    break
        assert knocks == 3


def test_the_sand_is_shown_as_it_runs_and_stands(night, phone):
    for psychic in ("red", "blue", "white"):
        night.type(f"ghost vision {psychic}")
    night.type("ghost sand")
    sand = phone.state()["sand"]
    assert sand["running"]
    assert 0 < sand["left"] <= sand["of"] == 120
    night.type("pause")
    assert not phone.until(lambda state: state["paused"])["sand"]["running"]


def test_every_page_is_whole_and_loads_nothing_from_elsewhere(phone):
    for path in ("/", "/table", "/ghost", "/replay", "/host"):
        page = phone.get(path).text
        assert "{{" not in page
        assert not re.search(r"(src|href)=\"(https?:)?//", page)
        for name in re.findall(r"(?:src|href)=\"(/static/[^\"]+)\"", page):
            assert phone.get(name).status_code == 200


def test_who_holds_the_seat_is_sent_on_from_the_door(night):
    with night.ghost() as ghost:
        assert ghost.get("/").headers["location"] == "/ghost"


@pytest.mark.usefixtures("thirdish", "hasty")
def test_the_pages_are_in_the_language_and_offer_it(tmp_path):
    settings = msgspec.structs.replace(chosen(tmp_path), language=CODE)
    with running_evening(tmp_path, settings, page_lookups.page_lookups(settings)) as house, house.phone() as phone:
        assert f'<html lang="{CODE}"' in phone.get("/table").text
        assert f'data-value="{CODE}" lang="{CODE}">Thirdish</button>' in phone.get("/host").text
        house.begin()
        state = phone.state()
        assert state["language"] == CODE
        assert state["words"]["ghost_cards"].split("|") == ["1 card", "{n} few cards", "{n} cards"]
        assert state["words"]["plurals"].startswith("2011122")
        house.type("end the séance", "yes")
        phone.until(lambda state: state["chronicle"])
        assert f'<html lang="{CODE}">' in phone.get("/chronicle").text


# After the night


def over(house) -> None:
    house.type("end the séance", "yes")
    house.until(lambda: house.evening.state.outcome is not None)


def test_before_any_night_is_over_there_is_nothing_to_tell(phone):
    for path in ("/chronicle", "/replay/steps"):
        answer = phone.get(path)
        assert answer.status_code == 404
        assert answer.json()["message"] == "No night has ended yet."


def test_the_last_night_that_is_over_can_be_read_and_seen_again(tmp_path):
    settings = chosen(tmp_path)
    with running_evening(tmp_path, settings, page_lookups.page_lookups(settings)) as house, house.phone() as phone:
        house.begin()
        house.type("red has a vision")
        assert not phone.state()["chronicle"]
        over(house)
        phone.until(lambda state: state["chronicle"])
        page = phone.get("/chronicle")
        before, heading, after = page.text.partition("<h1>")
        assert heading
        assert all('<a href="/table">' in part for part in (before, after))  # a way back at both ends of a long page
        assert page.status_code == 200
        assert "'sha256-" in page.headers["content-security-policy"]
        replay = phone.get("/replay/steps").json()
        assert [step["hour"] for step in replay["steps"]] == [1, 1, 1]
        assert replay["steps"][1]["view"]["psychics"][0]["served"]
        assert "Red" in replay["steps"][1]["told"]
        assert replay["words"]["won"]


def test_no_page_tells_the_verdict_before_the_narrator(tmp_path, monkeypatch):
    settings, go_on = chosen(tmp_path), threading.Event()
    with running_evening(tmp_path, settings, page_lookups.page_lookups(settings)) as house, house.phone() as phone:
        house.begin()
        house.told()
        monkeypatch.setattr(SilentVoice, "say", lambda *_: go_on.wait(PATIENCE))
        try:
            over(house)
            assert not phone.state()["chronicle"]
            assert [phone.get(path).status_code for path in ("/chronicle", "/replay/steps")] == [404, 404]
        finally:
            go_on.set()
        phone.until(lambda state: state["chronicle"])
        assert [phone.get(path).status_code for path in ("/chronicle", "/replay/steps")] == [200, 200]


def test_a_night_that_is_not_over_is_not_told(tmp_path):
    settings = chosen(tmp_path)
    with running_evening(tmp_path, settings, page_lookups.page_lookups(settings)) as house, house.phone() as phone:
        house.begin()
        assert phone.get("/replay/steps").status_code == 404


# The host's corner


def test_the_host_sees_what_the_doctor_finds(tmp_path):
    settings = chosen(tmp_path)
    with running_evening(tmp_path, settings, page_lookups.page_lookups(settings)) as house, house.phone() as phone:
        found = phone.get("/host/checks").json()
    assert {"name", "title", "state", "told", "fix"} == set(found[0])
    assert {row["state"] for row in found} <= {"good", "warn", "bad"}


def wished(phone: Phone, **wish: str) -> int:
    phone.get("/host")
    return phone.post("/host/do", wish).status_code


def test_the_host_may_have_it_louder_and_more_briefly(night, phone):
    assert wished(phone, do="louder") == 202
    assert wished(phone, do="pace", value="silent") == 202
    night.until(lambda: HostControl("pace", "silent", Source.KEYBOARD) in night.followed)
    assert phone.until(lambda state: state["pace"] == "silent")


def test_the_speaker_and_the_lights_can_be_tried(night, phone):
    night.told()
    before = phone.state()["lights"]
    assert wished(phone, do="speaker_test") == 202
    assert wished(phone, do="lights_test") == 202
    assert phone.until(lambda state: set(state["lights"].values()) == {PsychicLight.CHOSEN})
    night.told()
    assert "the house" in phone.state()["said"][-1]["text"]
    assert phone.state()["lights"] == before
    assert night.parts.body.value.hour == 1


@pytest.mark.parametrize("wish", [{"do": "pace"}, {"do": "pace", "value": "en"}, {"do": "louder", "value": "fr"}, {}])
def test_a_wish_that_makes_no_sense_is_refused(phone, wish):
    assert wished(phone, **wish) == 400


@pytest.mark.parametrize(("code", "name"), language_names().items())
def test_the_host_may_choose_any_language_by_its_own_name(phone, code, name):
    button = f'<button type="button" data-do="language" data-value="{code}" lang="{code}">{name}</button>'
    assert button in phone.get("/host").text


def test_a_language_that_is_not_there_is_refused(phone):
    assert wished(phone, do="language", value="xx") == 400


def test_while_a_night_is_under_way_the_language_stays(phone):
    phone.get("/host")
    answer = phone.post("/host/do", {"do": "language", "value": "fr"})
    assert answer.status_code == 409
    assert "when it is over" in answer.json()["message"]


def test_between_nights_the_house_stops_to_open_again_in_another_language(tmp_path):
    with running_evening(tmp_path) as house, house.phone() as phone:
        assert wished(phone, do="language", value="fr") == 202
        house.until(lambda: any(getattr(signal, "language", None) == "fr" for signal in house.followed))


def test_in_french_the_pages_are_in_french(tmp_path):
    settings = msgspec.structs.replace(chosen(tmp_path), language="fr")
    with running_evening(tmp_path, settings) as house, house.phone() as phone:
        assert '<html lang="fr"' in phone.get("/table").text
        state = phone.state()
        assert state["language"] == "fr"
        assert phone.get("/chronicle").json()["message"] == state["words"]["no_night_over"]


# Where they are


def test_with_the_pages_off_no_port_is_opened(tmp_path):
    with running_evening(tmp_path, chosen(tmp_path, listen="off")) as house:
        assert house.parts.address is None


def test_a_port_that_is_taken_is_told_and_the_night_goes_on(tmp_path):
    with running_evening(tmp_path / "one") as first:
        port = int(first.url.rpartition(":")[2])
        with running_evening(tmp_path / "two", chosen(tmp_path, port=port)) as second:
            second.begin()
            assert second.parts.address is None


def test_the_defaults_are_those_of_the_readme():
    assert s.WebSection() == s.WebSection(listen="network", port=8013, name=None)
