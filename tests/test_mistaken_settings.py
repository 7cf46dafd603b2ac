"""A mistake in the settings, or in a file that they name, is one clear sentence and exit status 2."""

import json
from pathlib import Path

import pytest

from seance.cli import main

MISTAKES = {
    "a file of names that is not there": (
        "[hearing]\nnames = 'FOLDER/nowhere.toml'",
        2,
        "hearing.names: FOLDER/nowhere.toml: there is no such file",
    ),
    "a file of lines that is not there": (
        "[telling]\nlines = 'FOLDER/nowhere.toml'",
        2,
        "telling.lines: FOLDER/nowhere.toml: there is no such file",
    ),
    "a folder of names": ("[hearing]\nnames = 'FOLDER'", 2, "hearing.names: FOLDER: cannot be read: this is a folder"),
    "a device of names": (
        "[hearing]\nnames = '/dev/zero'",
        2,
        "hearing.names: /dev/zero: cannot be read: this is no file",
    ),
    "the lines of nobody": (
        "\n[telling]\nlines = '~nosuch/lines.toml'",
        3,
        "telling.lines: there is no home folder ~nosuch",
    ),
    "the names of nobody": (
        "[hearing]\nnames = '~nosuch/names.toml'",
        2,
        "hearing.names: there is no home folder ~nosuch",
    ),
    "the nights of nobody": (
        "[journal]\npath = '~nosuch/n.sqlite'",
        2,
        "journal.path: there is no home folder ~nosuch",
    ),
    "the music of nobody": ("[ambience]\nmusic = '~nosuch'", 2, "ambience.music: there is no home folder ~nosuch"),
    "the recordings of nobody": (
        "[microphone]\nkeep_sound = '~nosuch'",
        2,
        "microphone.keep_sound: there is no home folder",
    ),
    "the voice of nobody": ("[voice]\nname = '~nosuch/v.onnx'", 2, "voice.name: there is no home folder ~nosuch"),
    "the board of nobody": ("[body]\nboard = '~nosuch/b.toml'", 2, "body.board: there is no home folder ~nosuch"),
    "a device for nights": ("[journal]\npath = '/dev/zero'", 2, "journal.path: /dev/zero is no folder: name one"),
    "a name that is too long": (f"[journal]\npath = '{'x' * 300}'", 2, "journal.path: the path is too long"),
    "a NUL": ('[journal]\npath = "a\\u0000b"', 2, "journal.path: no path has a NUL character in it"),
    "a board that is not there": (
        "[body]\nboard = 'FOLDER/nowhere.toml'",
        2,
        "body.board: FOLDER/nowhere.toml: there is no such file",
    ),
    "an unknown board": ("[body]\nboard = 'toaster'", 2, "body.board: there is no board 'toaster'"),
    "a mistake in a board": (
        "[body]\nboard = 'FOLDER/board.toml'",
        2,
        "body.board: FOLDER/board.toml, line 2: clok: there is no such key",
    ),
    "a mistake in names": (
        "[hearing]\nnames = 'FOLDER/names.toml'",
        2,
        "hearing.names: FOLDER/names.toml, line 2: levels.eassy is unknown",
    ),
    "a mistake in lines": (
        "[telling]\nlines = 'FOLDER/lines.toml'",
        2,
        "telling.lines: FOLDER/lines.toml, line 1: welcom is no line",
    ),
    "a card that is in the box": (
        "\n[more_cards.libellud]\nobject = [3, 90]",
        2,
        "more_cards.libellud: these numbers would be there twice: 3: give only numbers that the box does not have",
    ),
    "a number of 5,000 digits": ("\n[game]\nplayers = " + "9" * 5000, 3, "the number is too large"),
    "a number of 100,000 bits": ("[game]\nplayers = 0x" + "f" * 25_000, 2, "game.players: the number is too large"),
    "what is no number": ("[voice]\npitch = nan", 2, "voice.pitch: the number must be finite"),
    "100,000 lists": ("\nlanguage = " + "[" * 100_000, 2, "nested too deeply"),
    "100,000 tables": ("\n" + "a." * 100_000 + "a = 1", 2, "nested too deeply"),
    "31 tables": ("\n" + "a." * 31 + "a = 1", 2, "nested too deeply"),
    "2 megabytes": ("#" * 2_000_000, None, "it has more than 1 megabyte"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    (tmp_path / "board.toml").write_text("power.budget_ma = 60\nclok.pins = [4]\n")
    (tmp_path / "names.toml").write_text("[levels]\neassy = ['easy']\n")
    (tmp_path / "lines.toml").write_text("welcom = 'Hello.'\n")
    return tmp_path


@pytest.fixture
def mistaken(folder):
    """Return a function that writes settings, in which FOLDER stands for a folder of files."""

    def write(text: str) -> Path:
        path = folder / "settings.toml"
        path.write_text(text.replace("FOLDER", str(folder)))
        return path

    return write


def where(path: Path, line: int | None) -> str:
    return f"{path}, line {line}: " if line else f"{path}: "


@pytest.mark.parametrize(("text", "line", "problem"), MISTAKES.values(), ids=MISTAKES)
def test_the_service_ends_with_one_sentence_and_status_2(folder, mistaken, capsys, text, line, problem):
    path = mistaken(text)
    assert main(["run", "--service", "--no-sound", "--typed", "--config", str(path)]) == 2
    complaint = capsys.readouterr().err
    assert where(path, line) in complaint
    assert problem.replace("FOLDER", str(folder)) in complaint
    assert len(complaint.splitlines()) == 1
    assert len(complaint) < 1100


@pytest.mark.parametrize(
    "mistake",
    [
        "a file of names that is not there",
        "a mistake in lines",
        "the nights of nobody",
        "100,000 lists",
        "a card that is in the box",
    ],
)
def test_the_doctor_names_it_too(folder, mistaken, capsys, mistake):
    text, line, problem = MISTAKES[mistake]
    path = mistaken(text)
    assert main(["doctor", "--json", "--quiet", "--config", str(path)]) == 1
    (bad,) = [row for row in json.loads(capsys.readouterr().out) if row["state"] == "bad"]
    assert bad["fix"]
    assert where(path, line) in bad["told"]
    assert problem.replace("FOLDER", str(folder)) in bad["told"]


def test_the_doctor_names_a_mistake_in_a_board(folder, mistaken, capsys):
    assert main(["doctor", "--json", "--quiet", "--config", str(mistaken("body.board = 'FOLDER/board.toml'"))]) == 1
    (bad,) = [row for row in json.loads(capsys.readouterr().out) if row["state"] == "bad"]
    assert bad["told"].startswith(f"{folder}/board.toml, line 2: clok: there is no such key: valid here are power,")
    assert "body.board" in bad["fix"]


def test_the_unit_does_not_restart_after_status_2():
    unit = Path(__file__).parents[1] / "systemd" / "seance.service"
    assert "RestartPreventExitStatus=2" in unit.read_text().splitlines()
