"""The picture of who sits where on the table's page, and moving a guest on it."""

import json

import pytest

from seance.daemon.chair_signals import ChairMove, ChairsKnown
from seance.daemon.page_publisher import PagePublisher
from seance.daemon.room_devices import RoomDevices
from seance.permissions import Source
from seance.rules import LIBELLUD, Psychic
from seance.web.page_json import StaticPageData, encode_table_state
from tests.daemon.evenings import table
from tests.web.running_evening import running_evening

STATIC = StaticPageData(words={"": b"{}"}, names={}, cards={}, marks={}, address="", languages={})


def shown(folder, devices: RoomDevices):
    """Return the chairs on the table's page of a house that knows Red's."""
    house = table(folder, devices=devices)
    house.give(ChairsKnown({Psychic.RED: 30.4}))
    pages = PagePublisher(language="en", pace="full", edition=LIBELLUD)
    pages.publish_evening(house.evening)
    return json.loads(encode_table_state(pages.latest.current, STATIC, now=0.0, level=None))["chairs"]


def test_a_house_with_an_array_shows_who_sits_where(tmp_path):
    devices = RoomDevices(hearing=True, array=True, ghost_deg=180.0)
    assert shown(tmp_path, devices) == {"psychics": {"red": 30.0}, "ghost": 180.0}


def test_a_house_with_one_microphone_shows_no_chairs(tmp_path):
    assert shown(tmp_path, RoomDevices(hearing=True)) is None


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    with running_evening(tmp_path_factory.mktemp("chairs")) as evening:
        yield evening


def test_the_host_moves_a_guest(evening):
    with evening.phone() as phone:
        phone.get("/table")
        assert phone.post("/table/chair", {"psychic": "red", "direction_deg": 120}).status_code == 202
    move = ChairMove(Psychic.RED, 120.0, Source.KEYBOARD)
    evening.until(lambda: move in evening.followed)


@pytest.mark.parametrize(
    "body",
    [
        {"psychic": "green", "direction_deg": 120},
        {"psychic": "red", "direction_deg": 361},
        {"psychic": "red", "direction_deg": -1},
        {"psychic": "red"},
        {"psychic": "red", "direction_deg": "north"},
    ],
)
def test_a_place_that_is_none_is_refused(evening, body):
    with evening.phone() as phone:
        phone.get("/table")
        assert phone.post("/table/chair", body).status_code == 400


def test_a_page_of_the_host_says_so_itself(evening):
    with evening.phone() as phone:
        assert 'data-role="host"' in phone.get("/table").text
