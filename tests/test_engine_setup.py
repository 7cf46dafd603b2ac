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
    "correct_answer": {"psychic": "red"},
}
"""All but `begin`."""


@pytest.mark.parametrize(("edition", "level"), [(edition, level) for edition in LEVELS for level in LEVELS[edition]])
def test_a_level_is_called_so_on_the_wire(edition: str, level: str) -> None:
    assert Client().begin(edition, level=level).room["level"] == level


DRAWN = {"character": [9, 1, 18, 4, 5], "location": [19, 36, 20, 21, 22], "object": [54, 37, 40, 41, 42]}


def test_L2_the_guests_draw_the_cards_themselves() -> None:
    client = Client().begin(players=4, table=DRAWN)
    assert client.room["table"] == client.room["laid_out"] == DRAWN
    for secret in client.ghost["secret"].values():
        assert all(secret[kind] in DRAWN[kind] for kind in DRAWN)


@pytest.mark.parametrize(
    ("row", "refusal", "message"),
    [
        ([9, 1, 18, 4, 19], "CardNotInEdition", "card 19 is no character of libellud"),
        ([9, 1, 18, 4, 900], "CardNotInEdition", "card 900 is no character of libellud"),
        ([9, 1, 18, 4, 9], "CardDrawnTwice", "character 9 was drawn twice"),
        ([9, 1, 18, 4], "WrongNumberOfCards", "4 cards were drawn as character, and 5 are laid out"),
        ([9, 1, 18, 4, 5, 6], "WrongNumberOfCards", "6 cards were drawn as character, and 5 are laid out"),
        ([], "WrongNumberOfCards", "0 cards were drawn as character, and 5 are laid out"),
    ],
)
def test_L2_cards_that_cannot_lie_on_the_table_are_refused(row: list[int], refusal: str, message: str) -> None:
    client, table = Client(), {**DRAWN, "character": row}
    answer = client.ask(command="begin", edition="libellud", players=4, level="easy", table=table)
    assert answer == {"ok": False, "refusal": refusal, "message": message}
    assert client.legal("room") == ["begin"]


@pytest.mark.parametrize("table", [{}, [], 3, {**DRAWN, "item": [1]}, {**DRAWN, "object": [0]}, {"object": [37]}])
def test_L2_a_table_that_is_none_is_not_a_command(table: Any) -> None:
    answer = Client().ask(command="begin", edition="libellud", players=4, level="easy", table=table)
    assert answer["refusal"] == "NotACommand"


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
