"""What the doctor finds is told in the language of the settings."""

import json

import pytest

from seance.cli import main
from seance.languages import DEFAULT_LANGUAGE
from tests.foreign_text import EACH_OTHER_LANGUAGE, untranslated


@pytest.fixture
def doctor(tmp_path, monkeypatch, capsys):
    """Ask the doctor in a house without any device, and return what is printed."""
    for folder in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{folder}_HOME", str(tmp_path / folder))
    monkeypatch.setenv("SEANCE_MODELS", str(tmp_path))

    def ask(language: str, *arguments: str) -> str:
        config = tmp_path / "house.toml"
        config.write_text(f'language = "{language}"\n[microphone]\ndevice = "nowhere"\n[speaker]\ndevice = "nowhere"\n')
        main(["doctor", "--quiet", "--config", str(config), *arguments])
        return str(capsys.readouterr().out)

    return ask


@EACH_OTHER_LANGUAGE
def test_the_doctor_in_another_language_speaks_no_english(doctor, language):
    assert untranslated(doctor(DEFAULT_LANGUAGE), "doctor", language)
    assert untranslated(doctor(language), "doctor", language) == []


@EACH_OTHER_LANGUAGE
def test_checks_have_the_same_names_in_every_language_for_programs(doctor, language):
    ours, theirs = (json.loads(doctor(each, "--json")) for each in (DEFAULT_LANGUAGE, language))
    assert [row["name"] for row in theirs] == [row["name"] for row in ours]
    assert [row["title"] for row in ours] == [row["name"] for row in ours]
    assert [row["title"] for row in theirs] != [row["name"] for row in theirs]
