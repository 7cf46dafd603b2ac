import argparse
import re
import subprocess
import sys

import pytest

from seance.cli import PROGRAMS, main
from seance.dialogue.grammar.sentences import Intent, Sentences
from seance.programs.owner_settings import editions_with_settings
from seance.rules import EDITIONS, Category, Track
from seance.rules.editions import TokenFaces
from seance.settings import BadSettings, parse
from tests.command_lines import parsers_of


def test_without_a_terminal_run_plays_a_demonstration_night_to_its_end(tmp_path):
    (tmp_path / "settings.toml").write_text("[game]\nplayers = 2\n")
    night = subprocess.run(
        [sys.executable, "-m", "seance", "run", "--config", tmp_path / "settings.toml"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert night.returncode == 0
    verdict, chronicle = night.stdout.splitlines()[-2:]
    assert verdict.startswith("The night is over")
    assert chronicle.startswith("Its chronicle: ")
    assert night.stderr == ""


def test_the_same_seed_demonstrates_the_same_night(capsys, tmp_path):
    nights = []
    for folder in ("demo-1", "demo-2"):
        night = ["demo", "--seed", "7", "--edition", "portal", "--players", "4", "--typed"]
        assert main([*night, "--out", str(tmp_path / folder)]) == 0
        nights.append(capsys.readouterr().out.replace(folder, ""))
    assert nights[0] == nights[1]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["demo", "--players", "9"], "9 players cannot hold a night"),
        (["demo", "--level", "medium", "--edition", "igames"], "igames has no level 'medium'"),
        (["engine", "--config", "/nowhere/settings.toml"], "there is no such file"),
        (["run", "--board", "nix"], "there is no board 'nix'"),
    ],
)
def test_a_wrong_argument_is_one_clear_line_and_exit_code_2(arguments, complaint, capsys):
    assert main(arguments) == 2
    complaints = capsys.readouterr().err.splitlines()
    assert len(complaints) == 1
    assert complaint in complaints[0]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["say"], "missing: TEXT; see `seance say --help`"),
        (["demo", "--players", "x"], "--players: 'x' is no whole number; see `seance demo --help`"),
        (["demo", "--seed"], "--seed: a value is missing; see `seance demo --help`"),
        (["models", "list", "--bogus"], "unknown here: --bogus; see `seance models list --help`"),
        ([], "missing: COMMAND; see `seance --help`"),
    ],
)
def test_an_argument_that_cannot_be_read_is_one_line_in_the_same_voice(arguments, complaint, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert capsys.readouterr().err == f"seance: {complaint}\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["replay", "last", "--seat", "table"], r"seance: --seat: 'table' is none of .*room.*; see `seance replay -.*"),
        (["nights", "burn"], r"seance: 'burn' is none of .*list.*; see `seance nights --help`"),
    ],
)
def test_a_wrong_choice_is_answered_with_the_right_ones(arguments, complaint, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert re.fullmatch(complaint, capsys.readouterr().err.rstrip())


def test_a_wrong_settings_file_is_named_with_its_line(tmp_path, capsys):
    config = tmp_path / "settings.toml"
    config.write_text("[game]\nplayers = 12\n")
    assert main(["demo", "--config", str(config)]) == 2
    assert f"{config}, line 2: game.players" in capsys.readouterr().err


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_says_how_it_is_called(program, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([program, "--help"])
    assert f"usage: seance {program}" in capsys.readouterr().out


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_explains_every_argument_and_begins_with_a_sentence(program):
    parsers = list(parsers_of(program))
    unexplained = [
        action.dest
        for parser in parsers
        for action in parser._actions
        if not action.help and not isinstance(action, argparse._SubParsersAction)
    ]
    assert unexplained == []
    described = [str(parser.description) for parser in parsers]
    assert [text for text in described if not re.fullmatch(r"[A-Z].*\.", text)] == []


def test_L29_an_owner_can_correct_the_limits_of_the_track():
    settings = parse("[clairvoyancy.large_table]\nintermediate = 6\nhigh = 12\n")
    tracks = editions_with_settings(settings)["libellud"].tracks
    assert {players: tracks[players] for players in (5, 7)} == {5: Track(5, 7), 7: Track(6, 12)}


def test_L17_an_owner_can_say_how_many_tokens_agree():
    faces = editions_with_settings(parse("[clairvoyancy.small_tokens]\nagree = 2\n"))["libellud"].token_faces
    assert {players: faces[players] for players in (5, 7)} == {5: TokenFaces(agree=2), 7: TokenFaces()}


def test_an_owner_can_add_the_cards_of_an_expansion_to_a_variant_too():
    manual = editions_with_settings(parse("[more_cards.manual]\nobject = [101, 102]\n"))["manual"]
    for edition in (manual, manual.variants["full_investigation"]):
        assert edition.decks[Category.OBJECT] == (*EDITIONS["manual"].decks[Category.OBJECT], 101, 102)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "red takes card 101"), ("en", "red takes card one hundred one"), ("fr", "rouge prend la carte cent un")],
)
def test_S5_a_card_of_an_expansion_is_called_by_its_number(language, said):
    editions = editions_with_settings(parse("[more_cards.libellud]\nobject = [101]\n"))
    meant = Intent("place_intuition", {"psychic": "red", "card": 101})
    assert Sentences.load(language, editions=editions).match(said) == meant
    assert Sentences.load(language).match(said) is None


def test_a_card_number_cannot_be_there_twice():
    with pytest.raises(BadSettings, match=r"more_cards\.libellud: these numbers would be there twice: 3"):
        editions_with_settings(parse("[more_cards.libellud]\nobject = [3]\n"))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("level", ["easy", "medium", "hard", "normal", "difficult", "very_difficult"])
def test_the_settings_know_which_levels_an_edition_has(edition, level):
    text = f'[game]\nedition = "{edition}"\nlevel = "{level}"\n'
    if level in EDITIONS[edition].levels:
        assert parse(text).game.level == level
    else:
        with pytest.raises(BadSettings, match=f"line 3: game.level: {edition} has no level '{level}'"):
            parse(text)


def test_the_version_is_printed_on_request(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert re.fullmatch(r"seance \d+(\.\d+)+\n", capsys.readouterr().out)
