"""The names and fields on the wire stay as they are, and anything else is refused."""

import json
from dataclasses import fields
from random import Random
from typing import Any

import pytest

from seance.codec import NotACommand, decode_command, encode, event_fields
from seance.rules import COMMANDS, EDITIONS, EVENTS, Begin, Visions, wire_name
from seance.rules.bots import Wanderer, play

NEEDED: dict[str, tuple[str, ...]] = {
    "begin": ("edition", "players", "level"),
    "give_vision": ("psychic",),
    "use_crow": (),
    "turn_sand": (),
    "place_intuition": ("psychic", "card"),
    "bet": ("by", "on", "agrees"),
    "withdraw_bet": ("by", "on"),
    "call_time": (),
    "manifest": ("psychic",),
    "number_groups": ("order",),
    "choose_culprit": ("group",),
    "lay_shared_vision": (),
    "turn_shared_vision": (),
    "close_poll": (),
    "vote": ("by", "group"),
    "name_eldest": ("psychic",),
    "point_at": ("by", "group"),
    "accuse": (),
    "break_silence": (),
    "take_back": ("psychic",),
    "abandon": (),
    "correct_answer": ("psychic",),
}
ALLOWED: dict[str, tuple[str, ...]] = {
    "begin": ("seed", "psychics", "deal", "visions", "variant", "table"),
    "give_vision": ("count", "cards"),
    "use_crow": ("count", "cards"),
    "call_time": ("early",),
    "manifest": ("correct",),
    "lay_shared_vision": ("cards",),
    "accuse": ("character", "location", "object"),
}
EVENT_FIELDS: dict[str, tuple[str, ...]] = {
    "night_begun": (),
    "vision_given": (),
    "crow_used": (),
    "sand_turned": (),
    "intuition_placed": (),
    "bet_placed": (),
    "bet_withdrawn": (),
    "taken_back": (),
    "time_called": (),
    "intuition_answered": ("psychic", "card", "correct"),
    "card_found": (),
    "clairvoyancy_moved": ("psychic", "spaces"),
    "tokens_returned": (),
    "hour_struck": ("hour",),
    "lineup_formed": (),
    "culprit_chosen": (),
    "shared_vision_laid": (),
    "shared_vision_turned": ("shown",),
    "vote_cast": (),
    "reader_named": (),
    "eldest_needed": (),
    "eldest_named": (),
    "votes_read": (),
    "accused": ("group",),
    "set_removed": (),
    "silence_broken": (),
    "night_ended": ("won", "reason"),
}

GOOD: dict[str, Any] = {
    "edition": "manual",
    "players": 5,
    "level": "easy",
    "seed": 1894,
    "psychics": ["blue", "white", "red", "black"],
    "deal": "hand",
    "visions": "dealt",
    "variant": "full_investigation",
    "table": {"character": [1], "location": [20], "object": [39]},
    "psychic": "red",
    "count": 2,
    "cards": [1, 84],
    "card": 7,
    "by": "red",
    "on": "blue",
    "agrees": True,
    "early": False,
    "correct": True,
    "order": ["red", "blue"],
    "group": 2,
    "character": 1,
    "location": 20,
    "object": 58,
}
NO_WORD = [1, 1.5, True, [], {}, ["red"], {"red": 1}]
NO_COLOUR = [*NO_WORD, "", "green", "Red", "RED", " red"]
NO_NUMBER = ["1", "", 1.5, 1.0, True, [], [1], {}]
NO_TRUTH = ["true", "", 0, 1, 1.0, [], {}]
NO_LIST = ["red", 1, True, {}, {"red": 1}, [[]], [None]]
WRONG: dict[str, list[Any]] = {
    "edition": [*NO_WORD, None, "", "Libellud", "mysterium"],
    "players": [*NO_NUMBER, None, -1, 0, 1, 8, 2**63, 10**30],
    "level": [*NO_WORD, None],
    "seed": [*NO_NUMBER, 2**63, -(2**63) - 1, 10**30],
    "psychics": [*NO_LIST, ["green"], [1], "blue,white"],
    "deal": [*NO_WORD, None, "", "manual"],
    "visions": [*NO_WORD, None, "", "counted"],
    "variant": NO_WORD,
    "psychic": [*NO_COLOUR, None],
    "count": [*NO_NUMBER, -1, 0, 85, 10**30],
    "cards": [*NO_LIST, ["1"], [1.5], [True], [0], [-1], [85], [1, 85]],
    "card": [*NO_NUMBER, None, -1, 0],
    "by": [*NO_COLOUR, None],
    "on": [*NO_COLOUR, None],
    "agrees": [*NO_TRUTH, None],
    "early": [*NO_TRUTH, None],
    "correct": NO_TRUTH,
    "order": [*NO_LIST, None, ["green"], [1]],
    "group": [*NO_NUMBER, None, -1, 0],
    "table": [*NO_NUMBER, 3, {"character": [1], "location": [20]}],
    "character": [*NO_NUMBER, -1, 0],
    "location": [*NO_NUMBER, -1, 0],
    "object": [*NO_NUMBER, -1, 0],
}


def spelt(name: str, *extra: str) -> dict[str, Any]:
    """Return the command *name* as it comes over the wire, with its needed fields and *extra* ones."""
    return {"command": name, **{field: GOOD[field] for field in (*NEEDED[name], *extra)}}


def all_fields(name: str) -> tuple[str, ...]:
    return NEEDED[name] + ALLOWED.get(name, ())


EVERY_FIELD = [(name, field) for name in NEEDED for field in all_fields(name)]


def test_every_promised_command_exists_and_no_other() -> None:
    assert [wire_name(kind) for kind in COMMANDS] == list(NEEDED)


@pytest.mark.parametrize("name", NEEDED)
def test_a_command_needs_no_more_than_its_fields(name: str) -> None:
    assert wire_name(type(decode_command(spelt(name)))) == name


@pytest.mark.parametrize("name", NEEDED)
def test_a_command_carries_all_its_fields(name: str) -> None:
    command = decode_command(spelt(name, *ALLOWED.get(name, ())))
    given = {field: getattr(command, field) for field in all_fields(name)}
    if isinstance(command, Begin):
        given["edition"] = command.edition.name
    assert json.loads(encode(given)) == {field: GOOD[field] for field in all_fields(name)}


@pytest.mark.parametrize(("name", "field"), [(name, field) for name in NEEDED for field in NEEDED[name]])
def test_a_missing_field_is_named(name: str, field: str) -> None:
    given = spelt(name)
    del given[field]
    with pytest.raises(NotACommand, match=f"^{name}: .*missing.*`{field}`"):
        decode_command(given)


@pytest.mark.parametrize("name", NEEDED)
def test_an_unknown_field_is_named(name: str) -> None:
    for unknown in {*GOOD, "", "Psychic", "seats", "commands", "view"} - set(all_fields(name)):
        with pytest.raises(NotACommand, match=f"^{name}: .*unknown field `{unknown}`"):
            decode_command({**spelt(name), unknown: GOOD.get(unknown, 1)})


@pytest.mark.parametrize(("name", "field"), EVERY_FIELD)
def test_a_field_of_the_wrong_type_or_range_is_named(name: str, field: str) -> None:
    for wrong in WRONG[field]:
        with pytest.raises(NotACommand, match=f"^{name}: ") as refusal:
            decode_command({**spelt(name), field: wrong})
        assert field in str(refusal.value), (wrong, str(refusal.value))


@pytest.mark.parametrize("name", [None, 1, True, [], {}, "", "Begin", "BEGIN", "begin ", "nothing", "x" * 10_000])
def test_an_unknown_command_is_named_in_a_short_message(name: Any) -> None:
    with pytest.raises(NotACommand, match="no command is called") as refusal:
        decode_command({"command": name})
    assert len(str(refusal.value)) < 500


def test_no_command_at_all_is_refused() -> None:
    with pytest.raises(NotACommand):
        decode_command({})


def test_every_promised_event_exists_with_its_fields() -> None:
    have = {wire_name(kind): {field.name for field in fields(kind)} for kind in EVENTS}
    missing = {name: set(promised) - have.get(name, set()) for name, promised in EVENT_FIELDS.items()}
    assert set(EVENT_FIELDS) <= set(have)
    assert not any(missing.values()), missing


@pytest.mark.parametrize("visions", Visions)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_event_of_a_night_is_json_that_names_itself(edition: str, visions: Visions) -> None:
    for seed in range(3):
        level = next(iter(EDITIONS[edition].levels))
        begin = Begin(edition=EDITIONS[edition], players=5, level=level, seed=seed, visions=visions)
        for _, _, events in play(begin, Wanderer(Random(seed))):
            for event in events:
                wire = json.loads(encode(event_fields(event)))
                assert wire["event"] == wire_name(type(event))
                assert set(wire) == {"event", *(field.name for field in fields(event))}


def test_an_event_names_its_edition() -> None:
    _, _, events = next(play(Begin(edition=EDITIONS["portal"], players=5, level="easy", seed=1), Wanderer(Random(1))))
    assert event_fields(events[0])["edition"] == "portal"
