"""Commands and events survive a round trip through the wire format."""

from dataclasses import replace
from random import Random

import msgspec
import pytest

from seance.codec import NotAnEvent, command_fields, decode_command, decode_event, event_fields
from seance.rules import EDITIONS, EVENTS, LIBELLUD, apply, wire_name
from seance.rules.bots import Wanderer, play
from tests.rules.moments import SETUPS


@pytest.mark.parametrize("setup", SETUPS)
def test_every_command_and_event_of_a_night_is_read_as_it_was_written(setup):
    for command, _, events in play(replace(SETUPS[setup], seed=6), Wanderer(Random(6))):
        assert decode_command(_over_the_wire(command_fields(command))) == command
        assert tuple(decode_event(_over_the_wire(event_fields(event))) for event in events) == events


def test_an_event_is_of_the_edition_as_its_owner_has_it():
    mine = replace(LIBELLUD, hand=6)
    setup = replace(SETUPS["libellud medium for 5, manor deal, table visions"], seed=6)
    _, (begun, *_) = apply(None, setup)
    assert decode_event(_over_the_wire(event_fields(begun)), {"libellud": mine}).edition is mine


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "no event is called None"),
        ({"event": ["night"]}, "no event is called"),
        ({"event": "rain_fell"}, "no event is called 'rain_fell'"),
        ({"event": "hour_struck"}, "hour"),
        ({"event": "hour_struck", "hour": "three"}, "hour"),
        ({"event": "hour_struck", "hour": 3, "minute": 5}, "minute"),
        ({"event": "eldest_named", "psychic": "green"}, "psychic"),
    ],
)
def test_what_is_no_event_says_why(given, problem):
    with pytest.raises(NotAnEvent, match=problem):
        decode_event(given)


def test_a_night_of_an_unknown_edition_is_no_event():
    given = {"edition": "chess", "players": 5, "level": "easy", "psychics": [], "deal": "manor", "visions": "table"}
    table = {"character": [], "location": [], "object": []}
    with pytest.raises(NotAnEvent, match="'chess'"):
        decode_event({"event": "night_begun", **given, "variant": None, "table": table})


def test_the_wire_has_a_shape_for_every_event():
    assert all(_shaped(wire_name(kind)) for kind in EVENTS)


def _shaped(name):
    try:
        decode_event({"event": name}, EDITIONS)
    except NotAnEvent as refusal:
        return "no event is called" not in str(refusal)
    return True


def _over_the_wire(value):
    return msgspec.json.decode(msgspec.json.encode(value))
