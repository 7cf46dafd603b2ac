"""Malformed requests: each is answered in words, nothing breaks, and no secret is given away."""

import json
from collections.abc import Callable, Iterator

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seance.rules import EDITIONS
from seance.web.requests import (
    GHOST_COMMANDS,
    BadRequest,
    HostControlRequest,
    MoveChairRequest,
    PauseControlRequest,
    SayRequest,
    TypingRequest,
    decode_ghost_command,
    decode_request,
)
from tests.web.running_evening import Phone, RunningEvening, running_evening

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)
bodies = st.binary(max_size=300) | anything.map(lambda value: json.dumps(value).encode())
names = st.sampled_from(["psychic", "count", "cards", "group", "correct", "more"])
fields = st.dictionaries(names, anything, max_size=4)
taps = st.builds(
    lambda name, more: {**more, "command": name}, st.sampled_from(GHOST_COMMANDS) | st.text(max_size=20), fields
)
DOORS = (
    *("/table/say", "/table/typing", "/table/touch", "/table/chair"),
    *("/ghost/command", "/ghost/control", "/host/do", "/host/enter"),
)
REQUESTS = (SayRequest, TypingRequest, PauseControlRequest, HostControlRequest, MoveChairRequest)


@given(bodies, st.sampled_from(REQUESTS))
def test_a_body_is_understood_or_refused_in_words(body, kind):
    assert refusal_of(lambda: decode_request(body, kind)) != ""


@given(bodies | taps.map(lambda tap: json.dumps(tap).encode()))
def test_a_tap_is_a_command_of_the_ghosts_or_refused_in_words(body):
    refusal = refusal_of(lambda: decode_ghost_command(body, EDITIONS))
    assert refusal or json.loads(body)["command"] in GHOST_COMMANDS


def refusal_of(ask: Callable[[], object]) -> str | None:
    """Return the message of a refusal; None if there is none."""
    try:
        ask()
    except BadRequest as refusal:
        return str(refusal)
    return None


@pytest.mark.parametrize("name", ["begin", "abandon", "vote", "place_intuition", "call_time", "take_back"])
def test_the_ghosts_page_may_ask_for_nothing_that_is_the_rooms(name):
    with pytest.raises(BadRequest):
        decode_ghost_command(json.dumps({"command": name}).encode(), EDITIONS)


@pytest.mark.parametrize("text", ["ghost culprit 2", "  GHOST sand", "ghost", "fantôme coupable 2", "Fantome: sable"])
def test_the_ghosts_words_are_not_taken_at_the_tables_page(night, text):
    with night.phone() as phone:
        assert phone.say(text).status_code == 400


@pytest.mark.parametrize("text", ["", "x" * 501, None, 7])
def test_what_is_no_sentence_is_refused(night, text):
    with night.phone() as phone:
        assert phone.say(text).status_code == 400


@pytest.fixture(scope="module")
def seated(tmp_path_factory) -> Iterator[tuple[RunningEvening, Phone]]:
    """A night, and the device in the ghost's seat, which has opened the table's page as well."""
    with running_evening(tmp_path_factory.mktemp("malformed")) as house:
        house.begin()
        with house.ghost() as ghost:
            ghost.get("/table")
            yield house, ghost


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(door=st.sampled_from(DOORS), body=bodies | taps.map(lambda tap: json.dumps(tap).encode()))
def test_no_body_breaks_a_door(seated: tuple[RunningEvening, Phone], door: str, body: bytes):
    house, ghost = seated
    answer = sent(ghost, door, body)
    assert answer.status_code in (202, 400, 409, 413, 429)
    assert answer.json() == {} or answer.json()["message"]
    assert house.evening.seat.state.holder is not None


def sent(phone: Phone, door: str, body: bytes) -> httpx.Response:
    headers = {"origin": phone.origin, "content-type": "application/json"}
    return phone.http.post(door, content=body, headers=headers)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "HEAD", "OPTIONS", "TRACE", "X"]),
    path=st.sampled_from(["/", "/table", "/ghost", "/ghost/events", "/chronicle", "/replay/steps", "/static/"])
    | st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), max_size=30).map("/{}".format),
    cookie=st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), max_size=60),
)
def test_no_request_of_a_stranger_breaks_the_house_or_learns_a_secret(seated, method: str, path: str, cookie: str):
    house, _ = seated
    with httpx.Client(base_url=house.url, timeout=20.0) as stranger:
        try:
            answer = stranger.request(method, path, headers={"cookie": f"seat={cookie}"})
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError):
            return
        assert answer.status_code < 500
        for secret in secrets_of(house):
            assert secret not in answer.text


def secrets_of(house: RunningEvening) -> list[str]:
    seat = house.seat
    assert seat.holder is not None
    return [seat.key, seat.holder, '"secret"']
