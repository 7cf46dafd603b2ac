"""A night is told again in the language in which it was played, or in another."""

import pytest

from seance.cli import main
from seance.languages import read_language_file
from seance.rules import Seat, wire_name
from seance.rules.view import HEARD_BY
from seance.texts import Texts
from tests.foreign_text import EACH_OTHER_LANGUAGE, untranslated
from tests.journal.recording import bot_night, write_journal


@pytest.fixture
def replay(tmp_path, monkeypatch, capsys):
    """Tell an English night again, and return what is shown."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    write_journal(tmp_path / "seance" / "nights", bot_night(1))

    def run(*arguments: str) -> str:
        assert main(["replay", "1", *arguments]) == 0
        return str(capsys.readouterr().out)

    return run


@EACH_OTHER_LANGUAGE
@pytest.mark.parametrize("seat", list(Seat))
def test_a_replay_in_another_language_has_no_english_in_it(replay, seat, language):
    assert untranslated(replay("--seat", seat), "replay", language)
    assert untranslated(replay("--seat", seat, "--lang", language), "replay", language) == []


def test_the_settings_do_not_change_the_language_of_a_night(replay, tmp_path):
    (tmp_path / "settings.toml").write_text('language = "fr"\n')
    assert replay("--config", str(tmp_path / "settings.toml")).startswith("Night 1")


def test_an_edition_is_told_in_its_own_words(replay, write_voice):
    ours = read_language_file("en", "editions/shared/night.toml").text
    write_voice("en/editions/shared/night.toml", ours + '\n[replay.events]\nhour_struck = "A lamp for {turn}."\n')
    assert "A lamp for hour II." in replay()


@pytest.mark.usefixtures("replay")
def test_a_mistake_in_an_editions_words_names_file_and_key(write_voice, capsys):
    ours = read_language_file("en", "editions/shared/night.toml").text
    write_voice("en/editions/shared/night.toml", ours + '\n[replay.events]\nhour_stuck = "A lamp."\n')
    assert main(["replay", "1"]) == 2
    assert "night.toml, line" in (message := capsys.readouterr().err)
    assert "replay.events.hour_stuck: there is no such key" in message


def test_every_event_that_somebody_hears_has_a_text():
    keys = Texts.load("replay", "en").forms
    heard = [wire_name(kind) for kind, seats in HEARD_BY.items() if seats]
    assert [name for name in heard if not any(key.split(".")[-1].startswith(name) for key in keys)] == []
