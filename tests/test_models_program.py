"""`seance models` on the real English model."""

import argparse
import json
from pathlib import Path

import pytest

from seance.models import search_paths, store
from seance.models.catalogue import CATALOGUE
from seance.programs import models as models_program


@pytest.fixture(scope="module")
def english() -> Path:
    return store.fetch("en")


@pytest.fixture
def bare_machine(tmp_path, monkeypatch):
    for name in ("SEANCE_MODELS", "XDG_DATA_DIRS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(search_paths, "SYSTEM_DATA_FOLDERS", ())


@pytest.fixture
def damaged(english, tmp_path) -> Path:
    """A folder with an English model of which one byte is wrong."""
    for file in CATALOGUE["en"].files:
        place = tmp_path / english.name / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(english / file.path)
    conf = tmp_path / english.name / "conf" / "model.conf"
    right = conf.read_bytes()
    conf.unlink()
    conf.write_bytes(right.replace(b"10.0", b"99.0"))
    return tmp_path


def seance(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="seance")
    models_program.add_parser(parser.add_subparsers(required=True))
    args = parser.parse_args(words)
    return args.run(args)


def test_the_english_model_is_fetched_and_sound(english):
    assert store.verify(english) == ()


def test_fetch_without_a_name_fetches_english(english, capsys):
    assert (seance("models", "fetch"), capsys.readouterr().out) == (0, f"en: {english}\n")


def test_path_prints_the_folder_and_nothing_else(english, capsys):
    assert (seance("models", "path", "en"), capsys.readouterr().out) == (0, f"{english}\n")


@pytest.mark.usefixtures("bare_machine")
def test_path_of_an_absent_model_fails_and_says_how_to_get_it(capsys):
    assert seance("models", "path", "fr") == 1
    assert capsys.readouterr() == (
        "",
        "seance: vosk-model-small-fr-0.22 is not on this machine: run `seance models fetch fr`\n",
    )


@pytest.mark.usefixtures("bare_machine")
def test_list_tells_every_model_with_language_size_licence_and_whether_it_is_here(capsys):
    seance("models", "list")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [line[0] for line in lines[: len(CATALOGUE)]] == list(CATALOGUE)
    assert lines[0][1:] == ["vosk-model-small-en-us-0.15", "en", "recogniser", "71", "MB", "Apache-2.0", "no"]


@pytest.mark.usefixtures("bare_machine")
def test_list_names_whom_a_licence_wants_named(capsys):
    seance("models", "list")
    assert "kokoro: Kokoro-82M by hexgrad" in capsys.readouterr().out


def test_list_as_json_has_the_hash_of_every_file(capsys):
    seance("models", "list", "--json")
    listed = json.loads(capsys.readouterr().out)
    hashes = {file["sha256"] for model in listed for file in model["files"]}
    assert hashes == {file.sha256 for model in CATALOGUE.values() for file in model.files}


@pytest.mark.usefixtures("english")
def test_verify_says_that_a_model_is_sound(capsys):
    assert (seance("models", "verify", "en"), capsys.readouterr().out) == (0, "en: sound\n")


def test_verify_names_the_damaged_file_and_what_repairs_it(damaged, capsys):
    assert seance("models", "verify", "en", "--folder", str(damaged)) == 1
    flaw, remedy = capsys.readouterr().err.splitlines()
    assert flaw.endswith("conf/model.conf is damaged: its sha256 differs")
    assert remedy == "seance: en is damaged: `seance models fetch en` repairs it"


@pytest.mark.usefixtures("bare_machine")
def test_verify_on_a_bare_machine_fails_and_says_what_to_do(capsys):
    assert seance("models", "verify") == 1
    assert "seance models fetch" in capsys.readouterr().err


def test_a_name_that_nobody_knows_is_refused_with_the_known_ones(capsys):
    with pytest.raises(SystemExit):
        seance("models", "fetch", "klingon")
    assert "no model is called 'klingon': choose from en, fr, speaker, second, piper" in capsys.readouterr().err
