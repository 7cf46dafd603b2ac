"""What an owner has written for an earlier version means what it meant: settings, lines, names and boards."""

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from hardware import board
from seance import settings
from seance.dialogue.grammar.sentences import Intent, Sentences
from seance.dialogue.grammar.spoken_names import Names
from seance.narration.script import Script
from seance.rules import EDITIONS, Psychic
from tests.compatibility.files import BOARDS, LINES, NAMES, SETTINGS, lost, plain, told

EACH_BOARD = pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)


def leaves(tree: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each key of *tree*, dotted, and its value."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{where}{key}.")
        else:
            yield f"{where}{key}", value


# Settings

WRITTEN = dict(leaves(tomllib.loads(SETTINGS.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("key", WRITTEN)
def test_a_setting_means_what_is_written(key):
    read = dict(leaves(plain(settings.load(SETTINGS))))
    assert read[key] == WRITTEN[key]


def test_every_setting_is_in_the_file_and_other_than_by_default():
    """A new setting is added to the file; those that are there stay."""
    default = dict(leaves(plain(settings.Settings())))
    assert sorted(default) == sorted(WRITTEN)
    assert not [key for key in default if default[key] == WRITTEN[key]]


# Lines


@pytest.fixture(scope="module")
def script() -> Script:
    return Script.load("en", LINES)


@pytest.mark.parametrize(
    ("key", "lines"),
    [
        ("reply.welcome", ("The house of Aunt Odile is awake.",)),
        ("event.vote_cast", ("{psychic} is done voting.",)),
        ("event.time_called.over", ("The sand has run out, and so has the wine.", "No more sand, no more wine.")),
    ],
)
def test_an_owners_line_replaces_ours(script, key, lines):
    assert script.lines[key] == lines


def test_an_owners_line_stands_beside_ours(script):
    assert script.lines["event.sand_turned"] == (*Script.load("en").lines["event.sand_turned"], "And again the sand.")


def test_an_owner_tells_another_story(script):
    ours = Script.load("en")
    for edition in EDITIONS:
        assert [part.sentences for part in script.opening(edition)] == [
            ("Once there was a house with too many clocks.",)
        ]
        assert script.tale("waiting", edition) == (*ours.tale("waiting", edition), "Somewhere a door is left ajar.")


@pytest.mark.parametrize(
    ("what", "name", "called"), [("levels", "easy", "gentle"), ("editions", "libellud", "the big box")]
)
def test_an_owner_calls_a_level_or_an_edition_otherwise(script, what, name, called):
    assert script.called(what, name) == called


@pytest.mark.parametrize(
    ("hole", "psychic", "said"),
    [
        ("{psychic}", Psychic.PURPLE, "Lilac"),
        ("{psychic:name}", Psychic.RED, "Aunt Odile"),
        ("{psychic:he|she}", Psychic.RED, "He"),
    ],
)
def test_an_owner_calls_a_psychic_otherwise(script, hole, psychic, said):
    assert script.fill(hole, None, psychic=psychic) == said


# Names


@pytest.fixture(scope="module")
def sentences() -> Sentences:
    return Sentences.load("en", names_file=NAMES)


@pytest.mark.parametrize(
    ("words", "intent"),
    [
        ("emile chooses the cook", Intent("place_intuition", {"psychic": "blue", "card": 7})),
        ("the lady in white chooses card nine", Intent("place_intuition", {"psychic": "white", "card": 9})),
        ("crimson agrees with mister sun", Intent("bet", {"by": "red", "on": "yellow", "agrees": True})),
        ("aunt odile chooses the winter garden", Intent("place_intuition", {"psychic": "red", "card": 61})),
        ("auntie agrees with lilac", Intent("bet", {"by": "red", "on": "purple", "agrees": True})),
        ("the inspector votes for group two", Intent("vote", {"by": "black", "group": 2})),
    ],
)
def test_a_guest_may_say_an_owners_name(sentences, words, intent):
    assert sentences.match(words) == intent


NAMED = tomllib.loads(NAMES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("table", ["levels", "editions"])
def test_an_owners_word_stands_for_a_level_or_an_edition(table):
    understood = getattr(Names.load("en", NAMES), table)
    assert {key: list(understood[key]) for key in NAMED[table]} == NAMED[table]


def test_an_owner_says_what_a_word_sounds_like():
    assert Names.load("en", NAMES).sounds["odile"] == ("oh deal",)


# Boards


@EACH_BOARD
def test_a_board_has_all_that_is_written(path):
    assert not [*lost(tomllib.loads(path.read_text()), plain(board.load_board(path)))]


@EACH_BOARD
def test_the_pins_of_a_board_are_where_they_were(path):
    program = [sys.executable, "-m", "hardware", "pins", "--board", str(path)]
    assert subprocess.run(program, check=True, capture_output=True).stdout == told(f"pins-{path.stem}.txt")


def test_every_key_of_a_board_is_on_one_of_them_and_other_than_by_default():
    """A new key is added on a new board; those that are there stay."""
    written = [dict(leaves(tomllib.loads(path.read_text()))) for path in BOARDS]
    bare = plain(board.Board(power=board.PowerBudget(budget_ma=1)))
    parts = {"register": dict.fromkeys(("data", "clock", "latch")), "knocker": {"pin": None, "duty": 0.1}}
    parts |= {"expander": {"address": 0x20, "bus": 1}, "mute": {"switch": None, "led": None}}
    default = dict(leaves(bare | parts))
    used = {key for keys in written for key, value in keys.items() if value != default[key]}
    strips = {
        f"{strip}.{source}" for strip in ("clock", "bar", "lights") for source in board.LampWiring.__struct_fields__
    }
    assert sorted({*default} - used - strips) == ["name"]
    assert {key.partition(".")[2] for key in used & strips} == {*board.LampWiring.__struct_fields__}
