"""The texts of programs in all languages."""

import ast
import re
from pathlib import Path

import pytest

from seance.languages import DEFAULT_LANGUAGE
from seance.texts import BadTexts, Texts, holes_of
from tests.languages import EACH_LANGUAGE

ROOT = Path(__file__).parents[1]
SOURCES = {
    "calibrate": ("seance/programs/calibrate.py",),
    "doctor": ("seance/doctor/*.py", "seance/programs/doctor.py"),
    "help": ("seance/dialogue/help_topics.py", "seance/narration/help_card.py"),
    "mqtt": ("seance/mqtt/*.py",),
    "replay": ("seance/replay/*.py", "seance/programs/replay.py"),
    "terminal": (
        "seance/daemon/terminal/*.py",
        "seance/daemon/secret_text.py",
        "seance/daemon/notify.py",
        "seance/daemon/world/body_labels.py",
        "seance/demo/*.py",
        "seance/programs/run.py",
        "seance/programs/run_terminal.py",
        "seance/programs/demo.py",
    ),
}
"""The modules that ask for the texts of each file."""
EACH_FILE = pytest.mark.parametrize("name", SOURCES)
LANGUAGE = """
name = "X"
letters = "abc"
genders = ["m"]
plural_forms = "nplurals=3; plural=n==1 ? 0 : n<5 ? 1 : 2;"
fold = {}
"""


@EACH_LANGUAGE
@EACH_FILE
def test_every_language_has_every_text_with_the_same_holes(name, language):
    ours, texts = Texts.load(name, DEFAULT_LANGUAGE).forms, Texts.load(name, language).forms
    assert list(texts) == list(ours)
    assert {key: holes_of(*forms) for key, forms in texts.items()} == {
        key: holes_of(*forms) for key, forms in ours.items()
    }


def asked(name: str) -> set[str]:
    """Return patterns of all strings in the modules that ask for the texts *name*; what is filled in is `.+`."""
    paths = [path for pattern in SOURCES[name] for path in ROOT.glob(pattern)]
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    filled = [node.values for node in nodes if isinstance(node, ast.JoinedStr)]
    pieces = [piece for pieces in filled for piece in pieces]
    whole = [[node] for node in nodes if isinstance(node, ast.Constant) and node not in pieces]
    return {"".join(map(_pattern, each)) for each in (*filled, *whole)}


def _pattern(piece: ast.expr) -> str:
    return re.escape(str(piece.value)) if isinstance(piece, ast.Constant) else ".+"


@EACH_FILE
def test_every_text_is_asked_for(name):
    patterns = [re.compile(pattern) for pattern in asked(name) if re.search(r"\w", pattern)]
    keys = Texts.load(name, DEFAULT_LANGUAGE).forms
    assert [key for key in keys if not any(pattern.fullmatch(key) for pattern in patterns)] == []


@EACH_FILE
def test_every_text_that_is_asked_for_exists(name):
    keys = Texts.load(name, DEFAULT_LANGUAGE).forms
    sections = {key.partition(".")[0] for key in keys}
    wanted = {pattern for pattern in asked(name) if re.split(r"\\\.", pattern)[0].replace("\\", "") in sections}
    dotted = [pattern for pattern in wanted if re.fullmatch(r"[\w\\ ]+\\\.[\w.+]+", pattern)]
    assert [pattern for pattern in dotted if not any(re.fullmatch(pattern, key) for key in keys)] == []


@pytest.fixture
def voices(tmp_path, monkeypatch):
    """A language of the owner's, with another plural rule, and a function that writes its texts of a replay."""
    folder = tmp_path / "xx"
    folder.mkdir()
    (folder / "language.toml").write_text(LANGUAGE)
    monkeypatch.setenv("SEANCE_VOICES", str(tmp_path))
    ours = Texts.load("replay", DEFAULT_LANGUAGE).forms

    def write(**changes: str | None) -> None:
        lines = {key: f'"{forms[0]}"' if len(forms) == 1 else str([*forms, "x{n}"]) for key, forms in ours.items()}
        lines |= {key.replace("__", "."): value for key, value in changes.items()}
        (folder / "replay.toml").write_text("".join(f"{key} = {value}\n" for key, value in lines.items() if value))

    return write


def test_a_number_takes_the_form_of_its_language(voices):
    voices(players__count='["one", "{n} few", "{n} many"]')
    texts = Texts.load("replay", "xx")
    assert [texts.count("players.count", number) for number in (1, 2, 5)] == ["one", "2 few", "5 many"]


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("table__hand", None, "table.hand: is missing"),
        ("table__foot", '"x"', "table.foot: there is no such key"),
        ("night", '["x"]', "line 1: night: must be a text"),
        ("night", '"{number"', "line 1: night: has a brace too many or too few"),
        ("night", '"{moon}"', "line 1: night: has a hole that nothing fills: moon"),
        ("players__count", '"x"', "players.count: must be a list of plural forms"),
        ("players__count", '["x", "y"]', "players.count: must have 3 plural forms"),
    ],
)
def test_a_text_that_cannot_be_used_is_named_when_it_is_loaded(voices, tmp_path, key, value, complaint):
    voices(**{key: value})
    with pytest.raises(BadTexts, match=r"\.toml") as raised:
        Texts.load("replay", "xx")
    assert str(raised.value).startswith(f"{tmp_path}/xx/replay.toml")
    assert complaint in str(raised.value)


@pytest.mark.usefixtures("voices")
def test_a_language_without_the_file_is_told():
    with pytest.raises(BadTexts, match=r"xx/replay\.toml: there is no such file"):
        Texts.load("replay", "xx")
