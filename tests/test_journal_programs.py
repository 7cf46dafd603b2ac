"""`seance nights`, `seance replay` and `seance chronicle`."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from seance.cli import main
from seance.doctor import CheckStatus, installation
from seance.journal import Journal
from seance.rules import Seat
from seance.settings import journal_path, parse
from seance.texts import Texts
from tests.journal.recording import append_steps, begin_night, bot_night, write_journal

TEXTS = Texts.load("doctor", "en")


@pytest.fixture(autouse=True)
def house(tmp_path, monkeypatch):
    """A data folder whose journal has two nights: one that ended and one that did not."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "seance" / "nights.sqlite"
    write_journal(path, bot_night(1))
    write_journal(path, bot_night(2)[:60])
    return tmp_path


def run_program(*arguments):
    return main([str(argument) for argument in arguments])


def test_the_list_has_every_night(capsys):
    assert run_program("nights") == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head.split() == ["night", "begun", "edition", "level", "players", "steps", "lasted", "ended"]
    assert first.split()[0] == "1"
    assert ("won:" in first or "lost:" in first, "not yet" in second) == (True, True)


def test_at_a_terminal_the_list_fits_80_columns_with_every_word(capsys, monkeypatch):
    for night in sorted((Path(__file__).parent / "compatibility" / "exports").glob("*.json")):
        assert run_program("nights", "import", night) == 0
    capsys.readouterr()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run_program("nights") == 0
    listed = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert max(len(line.rstrip()) for line in listed.splitlines()) <= 80
    assert "…" not in listed
    assert "2026-03-20 20:30" in listed
    assert {"full", "investigation", "difficult"} <= set(listed.split())


def test_the_list_is_given_to_programs_too(capsys):
    assert run_program("nights", "list", "--json") == 0
    nights = json.loads(capsys.readouterr().out)
    assert [(night["night"], night["steps"]) for night in nights] == [(1, len(bot_night(1))), (2, 60)]


def test_where_nothing_was_played_the_list_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "new"))
    assert run_program("nights") == 0
    assert capsys.readouterr().out == "No night has been written down yet.\n"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("program", ["replay", "chronicle"])
def test_before_the_first_night_no_night_is_the_last(program, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another"))
    with Journal.open(tmp_path / "another/seance/nights.sqlite"):
        pass  # a house was started, and nobody played
    assert run_program(program, "last") == 2
    assert "there is no night yet" in capsys.readouterr().err


def test_the_journal_is_where_the_settings_say(house, capsys):
    config = house / "settings.toml"
    config.write_text('[journal]\npath = "~/séances.sqlite"\n')
    assert run_program("nights", "--config", config, "path") == run_program("nights", "path", "--config", config) == 0
    assert {*capsys.readouterr().out.splitlines()} == {str(Path("~/séances").expanduser().resolve())}
    assert journal_path(parse(config.read_text()), {}).name == "séances.sqlite"


def test_without_settings_the_journal_is_in_the_users_folder_for_data():
    assert str(journal_path(parse(""), {"XDG_DATA_HOME": "/data"})) == "/data/seance/nights"
    assert journal_path(parse(""), {}).parts[-4:] == (".local", "share", "seance", "nights")


def test_a_night_can_be_exported_and_brought_to_another_house(tmp_path, monkeypatch, capsys):
    assert run_program("nights", "export", 1, tmp_path / "night.json") == 0
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another"))
    assert run_program("nights", "import", tmp_path / "night.json") == 0
    assert "is night 1" in capsys.readouterr().out
    assert run_program("nights", "import", tmp_path / "night.json") == 2
    assert "here already, as night 1" in capsys.readouterr().err


def test_an_export_overwrites_nothing(tmp_path):
    (tmp_path / "night.json").write_text("precious")
    assert run_program("nights", "export", 1, tmp_path / "night.json") == 2
    assert (tmp_path / "night.json").read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("replay", "77"), "there is no night 77"),
        (("chronicle", "77"), "there is no night 77"),
        (("nights", "export", "77"), "there is no night 77"),
        (("nights", "import", "/nowhere.json"), "/nowhere.json: cannot be read"),
        (("nights", "import", "pyproject.toml"), "pyproject.toml: not a night"),
        (("chronicle", "1", "--out", "/dev/null/here"), "the chronicle cannot be written there"),
        (("chronicle", "1", "--out", "/nowhere/story.docx"), "must end in .html, .md, .svg"),
        (("nights", "backup", "--out", "/dev/null/here"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(arguments, complaint, capsys):
    assert run_program(*arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert complaint in line


@pytest.mark.parametrize("number", ["0", "-1", "seven", "²"])
def test_what_is_no_number_of_a_night_is_refused(number, capsys):
    with pytest.raises(SystemExit, match="2"):
        run_program("replay", number)
    assert "a night is a number from 1, `last` or `now`" in capsys.readouterr().err or number == "-1"


def test_a_night_is_told_again_to_its_end(capsys):
    assert run_program("replay", 1) == 0
    told = capsys.readouterr().out
    assert "The night begins" in told
    assert "The night is over" in told


def test_an_unfinished_night_is_told_as_far_as_it_went(capsys):
    assert run_program("replay", "now") == 0
    assert capsys.readouterr().out.rstrip().endswith("Here the night was interrupted.")


def test_the_last_night_is_the_last_one_that_is_over(capsys):
    assert run_program("replay", "last") == 0
    assert "The night is over" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["story.html", "story.md", "story.svg"])
def test_the_ending_of_the_file_decides_what_is_written_of_the_chronicle(name, tmp_path, capsys):
    assert run_program("chronicle", "last", "--out", tmp_path / name) == 0
    assert capsys.readouterr().out == f"{tmp_path / name}\n"


def test_only_the_ghost_is_told_secrets(capsys):
    run_program("replay", 2)
    room = capsys.readouterr().out
    run_program("replay", 2, "--seat", "ghost")
    ghost = capsys.readouterr().out
    assert "secret" not in room.replace("secrets", "")
    assert "blue's secret: " in ghost.lower()
    assert "the secrets are dealt" in ghost


def test_step_by_step_waits_after_each(monkeypatch):
    asked = []
    monkeypatch.setattr("builtins.input", lambda *_: asked.append(1) or "")
    assert run_program("replay", 2, "--step") == 0
    assert len(asked) == 60


def test_who_leaves_in_the_middle_of_a_replay_is_let_go(monkeypatch):
    def leave(*_):
        raise EOFError

    monkeypatch.setattr("builtins.input", leave)
    assert run_program("replay", 2, "--step") == 0


def test_a_chronicle_is_written_in_the_language_of_the_night(house, tmp_path, capsys):
    steps = bot_night(3)
    with Journal.open(house / "seance" / "nights.sqlite") as journal:
        night = journal.begin_night(steps[0][0].edition, language="fr", names={"blue": "Oncle Bleu"})
        for command, _, events in steps:
            journal.append(night, command, events, seat=Seat.ROOM)
    assert run_program("chronicle", 3, "--out", tmp_path / "kept") == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    page = (tmp_path / "kept" / "night-3.html").read_text()
    assert '<html lang="fr">' in page
    assert "Oncle Bleu" in page
    assert run_program("chronicle", 3, "--lang", "en", "--out", tmp_path / "kept") == 0
    assert '<html lang="en">' in (tmp_path / "kept" / "night-3.html").read_text()


def test_a_night_can_be_listed_while_it_is_played(house, capsys):
    steps = bot_night(4)
    with Journal.open(house / "seance" / "nights.sqlite") as journal:
        append_steps(journal, begin_night(journal, steps), steps[:10])
        assert run_program("nights") == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_a_night_that_cannot_be_read_hides_no_other(house, capsys):
    file = house / "seance" / "nights" / "0001.night"
    file.write_bytes(b"?" + file.read_bytes()[1:])
    assert run_program("nights") == 0
    told = capsys.readouterr()
    assert "seance: night 1 is damaged from its first line on: nothing of it can be read\n" in told.err
    assert told.out.splitlines()[-1].split()[0] == "2"
    for words in (("replay", 1), ("chronicle", 1), ("nights", "export", 1)):
        assert run_program(*words) == 2
        assert "night 1 is damaged" in capsys.readouterr().err


def test_a_damaged_night_is_listed_and_told_up_to_there(house, capsys):
    file = house / "seance" / "nights" / "0001.night"
    file.write_bytes(file.read_bytes().replace(b'"step":42,', b'"step":43,'))
    assert run_program("nights", "list", "--json") == 0
    told = capsys.readouterr()
    assert [night["steps"] for night in json.loads(told.out)] == [41, 60]
    assert "is damaged after step 41\n" in told.err
    assert run_program("replay", 1) == 0
    told = capsys.readouterr()
    assert "Here the night was interrupted." in told.out
    assert "is damaged after step 41\n" in told.err


def test_the_doctor_looks_as_hard_as_the_list(house):
    assert installation.journal(TEXTS, house / "seance" / "nights.sqlite").status is CheckStatus.GOOD
    file = house / "seance" / "nights" / "0001.night"
    file.write_bytes(file.read_bytes().replace(b'"step":42,', b'"step":43,'))
    found = installation.journal(TEXTS, house / "seance" / "nights.sqlite")
    assert found.status is CheckStatus.WARN
    assert "is damaged after step 41" in found.text


def test_an_export_gives_no_seat_away_and_is_for_its_owner_alone(house, capsys):
    with Journal.open(house / "seance" / "nights.sqlite") as journal:
        chair = {"key": "0123456789abcdef", "asked": None, "holder": "my-phone"}
        journal.note(journal.unfinished().uid, "evening", {"told_to": 60, "chair": chair})
    assert run_program("nights", "export", "last", house / "night.json") == 0
    exported = (house / "night.json").read_text()
    assert json.loads(exported)["notes"] == {"evening": {"told_to": 60}}
    assert (house / "night.json").stat().st_mode & 0o777 == 0o600
    capsys.readouterr()
    assert run_program("nights", "export", "last") == 0
    assert "0123456789abcdef" not in capsys.readouterr().out


def test_nights_are_backed_up_and_brought_back(house, capsys):
    assert run_program("nights", "backup", house / "stick") == 0
    assert capsys.readouterr().out == f"{house / 'stick'}: 2 written, 0 there already\n"
    shutil.rmtree(house / "seance")
    assert run_program("nights", "recover", house / "stick") == 0
    assert [line.rpartition(", ")[2] for line in capsys.readouterr().out.splitlines()] == ["now night 1", "now night 2"]
    assert run_program("nights", "recover", house / "stick" / "0001.night") == 0
    assert capsys.readouterr().out.endswith("here already\n")


def test_a_backup_of_another_journal_is_not_overwritten(house, capsys):
    write_journal(house / "stick", bot_night(9))
    assert run_program("nights", "backup", house / "stick") == 2
    assert "0001.night: this is another night, or more of it: not overwritten" in capsys.readouterr().err


def test_what_cannot_be_recovered_is_named(house, capsys):
    (house / "0007.night").write_bytes(bytes(9000))
    assert run_program("nights", "recover", house / "0007.night") == 2
    assert "night 7 is damaged from its first line on" in capsys.readouterr().err
