"""Control characters from imported nights, settings and pages reach no terminal and no file of the chronicle."""

import io
import json
import re

import pytest

from seance.cli import main
from seance.daemon.signals import Typed, TypedOnPage
from seance.daemon.terminal.plain_terminal import PlainTerminal
from seance.journal import JournalReader, export_document
from seance.narration.cues import RepeatLine, Say, Whisper
from seance.texts import Texts
from seance.web.requests import SayRequest, decode_request
from tests.journal.recording import bot_night, write_journal

HOSTILE = "\x1b]0;owned\x07[/]\x9b2J\r\n\u202e\x7f[red]x\0"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture
def document(tmp_path, monkeypatch):
    """The document of a night, as a dictionary."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    write_journal(tmp_path / "theirs", bot_night(1))
    with JournalReader.open(tmp_path / "theirs") as file:
        return json.loads(export_document(file.night(1)))


def test_an_imported_night_commands_no_terminal(document, tmp_path, capsys):
    document |= {"begun": HOSTILE, "uid": HOSTILE, "names": {"blue": HOSTILE, "red": HOSTILE, HOSTILE: HOSTILE}}
    (tmp_path / "night.json").write_text(json.dumps(document))
    chronicle = ["chronicle", "1", "--out", str(tmp_path / "story")]
    for arguments in (["nights", "import", str(tmp_path / "night.json")], ["nights"], ["nights", "list", "--json"],
                      ["replay", "1"], ["replay", "1", "--seat", "ghost"], chronicle):  # fmt: skip
        assert main(arguments) == 0, arguments
        told = capsys.readouterr()
        assert not CONTROLS.findall(told.out + told.err), arguments
    for path in (tmp_path / "story").iterdir():
        assert not CONTROLS.findall(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("language", ["de", "../../etc", "", HOSTILE])
def test_a_night_in_a_language_that_nobody_speaks_here_is_refused(document, tmp_path, capsys, language):
    (tmp_path / "night.json").write_text(json.dumps(document | {"language": language}))
    assert main(["nights", "import", str(tmp_path / "night.json")]) == 2
    assert f"{tmp_path}/night.json: language: " in capsys.readouterr().err
    assert main(["nights", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_what_is_no_night_is_refused_without_reading_it_all(tmp_path, capsys):
    (tmp_path / "large.json").write_bytes(b" " * 20_000_001)
    assert main(["nights", "import", str(tmp_path / "large.json")]) == 2
    assert main(["nights", "import", "/dev/zero"]) == 2
    assert main(["nights", "import", str(tmp_path)]) == 2
    assert [line.rsplit(": ", 1)[1] for line in capsys.readouterr().err.splitlines()] == [
        "it has more than 20 megabytes",
        "this is no file",
        "this is no file",
    ]


def test_settings_and_errors_command_no_terminal(tmp_path, capsys):
    (tmp_path / "mine.toml").write_text('"\\u001b]0;owned\\u0007\\n\\u202e" = 1\n')
    assert main(["nights", "--config", str(tmp_path / "mine.toml")]) == 2
    complaint = capsys.readouterr().err
    assert "there is no such setting" in complaint
    assert not CONTROLS.findall(complaint)
    assert len(complaint.splitlines()) == 1


def test_the_screen_obeys_nobody():
    shown = io.StringIO()
    screen = PlainTerminal(Texts.load("terminal", "en"), shown)
    for cue in (Say(HOSTILE), RepeatLine(), Whisper(HOSTILE)):
        screen.show(cue)
    screen.show_input(HOSTILE)
    assert not CONTROLS.findall(shown.getvalue())
    assert len(shown.getvalue().splitlines()) == 4


def test_what_is_typed_on_a_page_is_stripped_at_the_door():
    body = json.dumps({"text": f"pause{HOSTILE}"}).encode()
    said = decode_request(body, SayRequest)
    assert said.text == "pause]0;owned[/]2J [red]x"
    assert TypedOnPage(f"pause{HOSTILE}").words == Typed(f"pause{HOSTILE}").words == said.text


def test_the_ghosts_word_cannot_be_hidden_behind_controls():
    assert decode_request(b'{"text": "\\u0000\\u001bghost crow"}', SayRequest).is_ghost_command
