"""A language that is only a folder: it is played by typing where it has no models, and nothing falls over."""

import json
import re
from contextlib import ExitStack
from random import Random

import pytest

from seance.chronicle.words import ChronicleWords
from seance.cli import main
from seance.daemon.loop import Inbox
from seance.daemon.world.hearing_setup import open_hearing
from seance.dialogue.faults import Fault
from seance.dialogue.grammar.sentences import Sentences
from seance.programs.chronicle import page_of
from seance.rules.bots import Company
from seance.settings import Settings
from tests.daemon.evenings import check_whole, lines, night, play, table
from tests.third_language import CODE, change


@pytest.fixture
def third(thirdish, tmp_path, monkeypatch):
    """The folder of the language, which has neither models nor voices."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return thirdish


# A night


@pytest.mark.usefixtures("third")
@pytest.mark.parametrize("edition", ["libellud", "manual"])
def test_a_whole_night_is_typed_and_told_in_the_language(edition, tmp_path):
    evening = table(tmp_path / edition, language=CODE, seed=3)
    play(evening, night(edition, 5, 3), Company(Random(3), accuracy=0.95), Random(3))
    check_whole(evening)
    told = lines(evening.cues)
    votes = [text for text in told if re.search(r"A vote from \w+m\. (He|She|It) is done\.", text)]
    assert bool(votes) == (edition == "libellud")
    assert any(re.search(r"\b(two|three|four) few ", text, re.IGNORECASE) for text in told)
    chronicle = page_of(evening.journal.last(), ChronicleWords.load(CODE))
    assert f'<html lang="{CODE}">' in chronicle
    assert edition == "manual" or re.search(r"To [\w ]+em(, [\w ]+em)*( and [\w ]+em)? it was group", chronicle)


@pytest.mark.usefixtures("third")
def test_what_is_typed_may_spell_letters_as_the_language_allows():
    spoken = Sentences.load(CODE)
    assert (
        spoken.match("Gross, red has a vision")
        == spoken.match("groß red has a vision")
        == spoken.match("red has a vision")
    )
    assert spoken.match("red has a vision").name == "give_vision"


# Without models


@pytest.mark.usefixtures("third")
def test_without_a_speech_model_nobody_listens_and_one_line_says_so(caplog):
    faults: list[Fault] = []
    with ExitStack() as stack:
        opened = open_hearing(Settings(language=CODE), None, None, lambda _: None, Inbox(), stack, faults.append)
    assert opened is None
    assert faults == [Fault.MODEL_MISSING]
    assert [record.message for record in caplog.records] == [
        "nobody listens: there is no speech model for Thirdish: words are typed"
    ]


@pytest.mark.usefixtures("third")
def test_the_doctor_says_that_words_are_typed(tmp_path, capsys):
    config = tmp_path / "settings.toml"
    config.write_text(f'language = "{CODE}"\n[body]\nboard = "virtual"\n[web]\nlisten = "off"\n')
    assert main(["doctor", "--json", "--quiet", "--config", str(config)]) == 0
    found = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert found["speech model"]["state"] == "good"
    assert found["speech model"]["told"] == "there is no speech model for Thirdish: words are typed"
    assert found["words"]["state"] == "good"


@pytest.mark.parametrize(
    ("file", "key"),
    [("chronicle.toml", "shared"), ("pages.toml", "hour"), ("ghost.toml", "unknown"), ("script.toml", "places")],
)
def test_the_doctor_names_what_a_file_of_the_language_lacks(third, tmp_path, capsys, file, key):
    change(third / file, (rf"^{key} = .*$", ""))
    config = tmp_path / "settings.toml"
    config.write_text(f'language = "{CODE}"\n[body]\nboard = "virtual"\n[web]\nlisten = "off"\n')
    assert main(["doctor", "--json", "--quiet", "--config", str(config)]) == 1
    found = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert found["words"]["state"] == "bad"
    assert re.search(rf"{CODE}/{file}.*\b{key}\b.* is missing", found["words"]["told"])


def test_without_a_voice_the_doctor_says_that_lines_are_shown(third, tmp_path, capsys):
    (third / "voice.toml").unlink()
    config = tmp_path / "settings.toml"
    config.write_text(f'language = "{CODE}"\n[body]\nboard = "virtual"\n[web]\nlisten = "off"\n')
    assert main(["doctor", "--json", "--quiet", "--config", str(config)]) == 0
    found = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert found["voice"]["state"] == "warn"
    assert "voice.toml: there is no such file" in found["voice"]["told"]


@pytest.mark.usefixtures("third")
def test_the_ear_is_refused_in_one_line(capsys):
    assert main(["hear", "--lang", CODE, "nothing.wav"]) != 0
    assert "there is no speech model for Thirdish" in capsys.readouterr().err
    assert main(["models", "fetch", "--lang", CODE]) == 0
    assert capsys.readouterr().err == "seance: there is no speech model for Thirdish: words are typed\n"


@pytest.mark.usefixtures("third")
def test_a_demonstration_is_typed_where_no_guest_has_a_voice(tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["demo", "--seed", "7", "--players", "2", "--lang", CODE, "--out", str(out)]) == 0
    output = capsys.readouterr().out
    assert "The guests type instead of speaking: no voices for Thirdish" in output
    assert f'<html lang="{CODE}">' in (out / "night-1.html").read_text()
