"""An edition that is one value and its words plays whole nights everywhere, without a line of the product changed."""

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest

from seance import settings
from seance.cli import main
from seance.codec import command_fields, encode
from seance.engine import Engine
from seance.rules import EDITIONS, LIBELLUD, BallotKind, Begin, Deal, Edition, Level, Reason, Visions
from seance.rules.bots import Bot, Company, Wanderer, play

LANTERNS = Edition(
    name="lanterns",
    order=LIBELLUD.order,
    decks=LIBELLUD.decks,
    levels={
        "dim": Level({2: 4, 3: 5, 4: 6, 5: 6, 6: 7}, crows=2),
        "dark": Level({2: 5, 3: 6, 4: 7, 5: 7, 6: 8}, crows=0, advised_up_to=4),
    },
    turns=6,
    most_players=6,
    shared_vision_cards=2,
    ballot=BallotKind.SECRET_BY_ALL,
    last_hour_is_in_time=True,
)
"""Six turns, at most six players, no track, one secret vote of all, two shared cards."""


@pytest.fixture(autouse=True)
def lanterns(monkeypatch: pytest.MonkeyPatch) -> Edition:
    """The edition, in the project's one list of them."""
    monkeypatch.setitem(EDITIONS, LANTERNS.name, LANTERNS)  # type: ignore[arg-type]
    return LANTERNS


def nights() -> list[tuple[Begin, Bot]]:
    """Return a night for each number of players, way to deal and level, played with sense and at random."""
    found: list[tuple[Begin, Bot]] = []
    choices = product(LANTERNS.players, LANTERNS.levels, Deal, Visions)
    for seed, (players, level, deal, visions) in enumerate(choices):
        begin = Begin(edition=LANTERNS, players=players, level=level, deal=deal, visions=visions, seed=seed)
        found += [(begin, Company(Random(seed), accuracy=0.8)), (begin, Wanderer(Random(seed)))]
    return found


# The engine


def test_the_engine_plays_whole_nights() -> None:
    reasons = set()
    for begin, bot in nights():
        engine = Engine()
        for command, state, _ in play(begin, bot):
            answer = json.loads(engine.answer(encode(command_fields(command))))
            assert answer["ok"], answer
            room = json.loads(engine.answer(b'{"view": "room"}'))["view"]
            assert room["hour"] <= LANTERNS.turns
            assert room["shared_vision_shown"] <= LANTERNS.shared_vision_cards
            assert state == engine.state
        assert room["edition"] == "lanterns"
        reasons.add(room["outcome"]["reason"])
    assert reasons == {*Reason} - {Reason.ABANDONED}


def test_the_engine_refuses_a_table_for_which_it_is_not() -> None:
    line = {"command": "begin", "edition": "lanterns", "players": 7, "level": "dim", "seed": 1}
    answer = json.loads(Engine().answer(encode(line)))
    assert answer == {
        "ok": False,
        "refusal": "WrongNumberOfPlayers",
        "message": "7 players cannot hold a night: two to six, the ghost counted",
    }


# Settings and simulation


def test_the_settings_know_its_levels_and_limits() -> None:
    game = settings.parse('[game]\nedition = "lanterns"\nlevel = "dark"\nplayers = 6').game
    assert (game.edition, game.level, game.players) == ("lanterns", "dark", 6)
    with pytest.raises(settings.BadSettings, match=r"line 3: game\.players: lanterns is for 2 to 6 players, not 7"):
        settings.parse('[game]\nedition = "lanterns"\nplayers = 7\nlevel = "dim"')


def test_it_is_simulated_beside_the_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    everything = ["simulate", "--all", "--games", "1", "--picture", str(tmp_path / "rates.svg")]
    assert main([*everything, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    tables = {(row["level"], row["players"]) for row in rows if row["edition"] == "lanterns"}
    assert tables == {(level, players) for level in ("dim", "dark") for players in range(2, 7)}
    assert {row["edition"] for row in rows} == {*EDITIONS}
    assert main(everything) == 0
    assert "lanterns" in capsys.readouterr().out
    assert main(["simulate", "--edition", "lanterns", "--games", "20"]) == 0
