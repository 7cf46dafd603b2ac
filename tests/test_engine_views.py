"""What each seat sees over the wire."""

import json

from tests.wire import Client

ROOM = {
    "edition", "level", "players", "phase", "hour", "table", "psychics", "bets", "crows_left", "shared_vision_shown",
    "groups", "outcome",
}  # fmt: skip
PSYCHIC = {"colour", "searching", "visions", "intuition", "clairvoyancy", "tokens_left", "found"}


def test_the_room_sees_what_is_promised() -> None:
    client = Client().begin(level="medium", seed=3)
    client.hour(right=["blue"])
    client.choose(right=["blue"])
    client.do("bet", by="red", on="blue", agrees=True)
    room, secret = client.room, client.ghost["secret"]
    assert set(room) >= ROOM
    assert {key: room[key] for key in ROOM - {"table", "psychics"}} == {
        "edition": "libellud",
        "level": "medium",
        "players": 5,
        "phase": "interpretation",
        "hour": 2,
        "bets": [{"by": "red", "on": "blue", "agrees": True}],
        "crows_left": 3,
        "shared_vision_shown": 0,
        "groups": [],
        "outcome": None,
    }
    assert {kind: len(row) for kind, row in room["table"].items()} == {"character": 6, "location": 7, "object": 7}
    blue = room["psychics"][0]
    assert set(blue) >= PSYCHIC
    assert {key: blue[key] for key in PSYCHIC} == {
        "colour": "blue",
        "searching": "location",
        "visions": 1,
        "intuition": secret["blue"]["location"],
        "clairvoyancy": 0,
        "tokens_left": 4,
        "found": [secret["blue"]["character"]],
    }


def test_the_ghost_sees_all_of_that_and_more() -> None:
    client = Client().begin(visions="dealt")
    client.serve("blue")
    room, ghost = client.room, client.ghost
    more = {"secret", "hand", "served", "culprit"}
    assert {key: ghost[key] for key in ghost if key not in more} == room
    assert set(ghost) - set(room) == more
    assert list(ghost["secret"]) == ["blue", "white", "red", "yellow"]
    assert set(ghost["secret"]["red"]) == {"character", "location", "object"}
    assert len(ghost["hand"]) == 7
    assert (ghost["served"], ghost["culprit"]) == (["blue"], None)


def test_groups_and_outcome_are_seen_as_promised() -> None:
    client = Client().begin(players=2).share(culprit=3)
    secret = client.ghost["secret"]["blue"]
    cards = [secret["character"], secret["location"], secret["object"]]
    assert client.room["groups"][0] == {"group": 1, "cards": cards, "psychic": "blue"}
    assert client.room["groups"][2]["psychic"] is None
    assert client.ghost["culprit"] == 3
    client.do("vote", by="blue", group=3)
    assert client.room["outcome"] == {"won": True, "reason": "culprit_found"}


def test_the_seed_is_in_no_view() -> None:
    client = Client().begin(seed=918273645546372819)
    for view in (client.room, client.ghost):
        assert "seed" not in json.dumps(view)
        assert "918273645546372819" not in json.dumps(view)
