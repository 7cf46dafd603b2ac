"""What a client relies on over the wire, before, at and after the beginning of a night."""

from typing import Any

import pytest

from seance import rules
from tests.wire import COLOURS, Client

WEEKS = pytest.mark.parametrize("edition", ["igames", "portal", "manual"])
EDITIONS = pytest.mark.parametrize("edition", rules.EDITIONS)
LEVELS = {
    "libellud": ("easy", "medium", "hard"),
    "igames": ("easy", "normal", "difficult", "very_difficult"),
    "portal": ("easy", "normal", "difficult", "very_difficult"),
    "manual": ("easy", "normal", "difficult", "very_difficult"),
}
OTHER_COMMANDS: dict[str, dict[str, Any]] = {
    "give_vision": {"psychic": "red", "count": 1},
    "use_crow": {},
    "turn_sand": {},
    "place_intuition": {"psychic": "red", "card": 1},
    "bet": {"by": "red", "on": "blue", "agrees": True},
    "withdraw_bet": {"by": "red", "on": "blue"},
    "call_time": {},
    "manifest": {"psychic": "red"},
    "number_groups": {"order": ["white", "blue", "red", "yellow"]},
    "choose_culprit": {"group": 1},
    "lay_shared_vision": {},
    "turn_shared_vision": {},
    "close_poll": {},
    "vote": {"by": "red", "group": 1},
    "name_eldest": {"psychic": "red"},
    "point_at": {"by": "red", "group": 1},
    "accuse": {},
    "break_silence": {},
    "take_back": {"psychic": "red"},
    "abandon": {},
}
"""All but `begin`."""


@pytest.mark.parametrize(("edition", "level"), [(edition, level) for edition in LEVELS for level in LEVELS[edition]])
def test_a_level_is_called_so_on_the_wire(edition: str, level: str) -> None:
    assert Client().begin(edition, level=level).room["level"] == level


def test_before_begin_there_is_no_night() -> None:
    client = Client()
    for seat in ("room", "ghost"):
        assert client.legal(seat) == ["begin"]
        assert client.ask(view=seat)["refusal"] == "NoNight"
    for command, fields in OTHER_COMMANDS.items():
        assert client.refused(command, **fields) == "NoNight"


def test_while_a_night_is_under_way_begin_is_refused() -> None:
    client = Client().begin()
    assert client.refused("begin", edition="igames", players=4, level="easy") == "NightUnderWay"
    assert "begin" not in client.legal("room") + client.legal("ghost")
    client.share()
    assert client.refused("begin", edition="igames", players=4, level="easy") == "NightUnderWay"


@EDITIONS
def test_after_the_end_only_a_new_night_may_begin(edition: str) -> None:
    client = Client().begin(edition)
    client.do("abandon")
    assert (client.room["phase"], client.room["outcome"]) == ("over", {"won": False, "reason": "abandoned"})
    for command, fields in OTHER_COMMANDS.items():
        assert client.refused(command, **fields) == "NightOver"
    assert client.legal("room") == client.legal("ghost") == ["begin"]
    assert client.begin("portal", players=4).room["edition"] == "portal"


@pytest.mark.parametrize(
    ("edition", "players", "psychics"),
    [
        *(("libellud", players, psychics) for players, psychics in {2: 2, 3: 4, 4: 3, 5: 4, 6: 5, 7: 6}.items()),
        *(("igames", players, psychics) for players, psychics in {2: 2, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6}.items()),
        *(("portal", players, psychics) for players, psychics in {2: 2, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6}.items()),
        *(("manual", players, psychics) for players, psychics in {2: 2, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6}.items()),
    ],
)
def test_so_many_psychics_play_the_first_colours_where_none_are_named(
    edition: str, players: int, psychics: int
) -> None:
    room = Client().begin(edition, players).room
    assert tuple(psychic["colour"] for psychic in room["psychics"]) == COLOURS[:psychics]


def test_psychics_sit_as_they_are_named_and_are_as_many_as_needed() -> None:
    assert Client().refused("begin", edition="libellud", players=3, level="easy", psychics=["red", "blue"])
    seats = ["black", "red", "white", "blue"]
    assert [each["colour"] for each in Client().begin(players=3, psychics=seats).room["psychics"]] == seats


def test_portal_warns_of_a_hard_level_with_many_players_and_begins() -> None:
    client = Client()
    events = client.do("begin", edition="portal", players=6, level="difficult", seed=1)
    assert {"event": "level_warned", "level": "difficult", "players": 6} in events
    assert client.room["phase"] == "visions"


def test_dealt_by_hand_the_table_is_laid_and_the_secret_is_null() -> None:
    client = Client().begin(deal="hand")
    assert client.ghost["secret"] is None
    assert [len(row) for row in client.room["table"].values()] == [6, 6, 6]


@pytest.mark.parametrize(
    ("edition", "players"), [("libellud", 2), ("libellud", 3), ("igames", 5), ("portal", 7), ("manual", 4)]
)
def test_where_there_is_no_clairvoyancy_it_is_null(edition: str, players: int) -> None:
    client = Client().begin(edition, players)
    assert {(each["clairvoyancy"], each["tokens_left"]) for each in client.room["psychics"]} == {(None, None)}
