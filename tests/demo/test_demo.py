import re
from threading import Event

import pytest

from seance.cli import main
from seance.demo import cast
from seance.demo.acoustics import GuestVoices
from seance.dialogue.grammar.sentences import Sentences
from seance.journal import JournalReader
from seance.models import store
from seance.narration.script import Script
from seance.rules import Psychic
from seance.speech.engines import CannotSpeak, Espeak, LineInterrupted
from seance.speech.kokoro import KokoroProcess
from seance.speech.render_queue import Priority, RenderQueue
from seance.texts import Texts
from tests.foreign_text import EACH_OTHER_LANGUAGE, untranslated
from tests.languages import EACH_LANGUAGE, EACH_SPOKEN
from tests.nights import EACH_TABLE


def understood(output):
    """Return how many sentences there were for the house, and how many it understood when they were first said."""
    wanted, at_once, *_ = map(int, re.findall(r"\d+", output.splitlines()[-3]))
    return wanted, at_once


def beginning(key, language, name="terminal"):
    """Return a text up to its first hole."""
    return Texts.load(name, language).unfilled(key).partition("{")[0]


@EACH_SPOKEN
def test_a_night_is_spoken_to_the_real_ear_and_ends_with_its_verdict(language, tmp_path, capsys):
    assert main(["demo", "--seed", "7", "--players", "2", "--lang", language, "--out", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert output.splitlines()[-2].startswith(beginning("events.night_ended_won", language, "replay").partition(":")[0])
    wanted, at_once = understood(output)
    assert at_once >= 0.7 * wanted
    says, types = (beginning(f"demo.{how}", language) for how in ("says", "types"))
    assert output.count(says) >= wanted > 5 * output.count(types)


@EACH_LANGUAGE
def test_the_chronicle_is_written_in_the_language_of_the_night(language, tmp_path, capsys):
    assert main(["demo", "--seed", "7", "--players", "2", "--lang", language, "--typed", "--out", str(tmp_path)]) == 0
    page = tmp_path / "night-1.html"
    assert capsys.readouterr().out.splitlines()[-1] == Texts.load("terminal", language)("demo.chronicle", page=page)
    assert f'<html lang="{language}">' in page.read_text()


@EACH_OTHER_LANGUAGE
def test_a_night_in_another_language_has_no_english_in_it(language, tmp_path, capsys, monkeypatch):
    for place in ("HOME", "XDG_DATA_HOME", "SEANCE_MODELS"):
        monkeypatch.setenv(place, str(tmp_path / "nothing"))
    assert main(["demo", "--seed", "7", "--players", "2", "--lang", language, "--out", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert untranslated(output, "terminal", language) == []
    assert untranslated(output.splitlines()[-2], "replay", language) == []


def test_the_night_is_in_a_journal_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "owner"))
    assert main(["demo", "--seed", "7", "--players", "2", "--typed", "--out", str(tmp_path / "demo")]) == 0
    with JournalReader.open(tmp_path / "demo" / "nights") as file:
        assert file.night(1).outcome is not None
    assert not (tmp_path / "owner").exists()


def test_without_a_speech_model_the_guests_say_so_in_one_line_and_type(tmp_path, capsys, monkeypatch):
    for place in ("HOME", "XDG_DATA_HOME", "SEANCE_MODELS"):
        monkeypatch.setenv(place, str(tmp_path / "nothing"))
    assert main(["demo", "--seed", "7", "--players", "2", "--out", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert sum("The guests type instead of speaking" in line for line in output.splitlines()) == 1
    assert " says “" not in output
    assert "The night is over" in output


@EACH_TABLE
def test_every_edition_can_be_shown_at_every_table(edition, players, tmp_path, capsys):
    night = ["demo", "--seed", "1", "--edition", edition, "--players", str(players), "--typed", "--out", str(tmp_path)]
    assert main(night) == 0
    assert "The night is over" in capsys.readouterr().out


def test_the_story_can_be_told_before_the_night(tmp_path, capsys):
    told = []
    for story in ("long", "short", "skipped"):
        assert main(["demo", "--typed", "--seed", "5", "--story", story, "--out", str(tmp_path / story)]) == 0
        told.append(len(capsys.readouterr().out))
    assert told[0] > told[1] > told[2]


@pytest.mark.parametrize("speed", ["fast", "0", "-1", "nan"])
def test_a_wrong_speed_is_refused(speed, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["demo", f"--speed={speed}"])
    assert "a speed is a number from 0.1 to 1000, or `max`" in capsys.readouterr().err


@EACH_SPOKEN
@pytest.mark.parametrize("psychic", Psychic)
def test_every_guest_has_a_voice_of_their_own(language, psychic):
    voices = cast.load_cast(language).voices
    assert GuestVoices(voices).say(psychic, "un deux trois").seconds > 0.3
    assert [throat.voice for throat in voices.values()].count(voices[psychic].voice) == 1


@EACH_SPOKEN
def test_every_guest_has_the_voice_of_a_man_or_a_woman_as_the_story_says(language):
    voices, genders = cast.load_cast(language).voices, Script.load(language).inflection.genders
    assert {psychic: "f" if "+f" in throat.voice else "m" for psychic, throat in voices.items()} == genders


@EACH_SPOKEN
def test_natural_voices_are_of_men_and_women_as_the_story_says_and_each_its_own(language):
    company, genders = cast.load_cast(language), Script.load(language).inflection.genders
    names = {psychic: guest.natural.voice for psychic, guest in company.voices.items() if guest.natural is not None}
    # The second letter of Kokoro's names says it: af_heart is a woman, bm_lewis a man.
    assert {psychic: name[1] for psychic, name in names.items()} == {psychic: genders[psychic] for psychic in names}
    assert len(set(names.values())) == len(names)


def test_without_kokoro_guests_speak_with_espeak():
    voices = GuestVoices(cast.load_cast("en").voices)
    assert {type(engine) for engine in voices._engines.values()} == {Espeak}


@pytest.mark.skipif(store.find("kokoro") is None, reason="needs: seance models fetch kokoro")
def test_with_kokoro_a_scot_speaks_naturally():
    process = KokoroProcess(store.require("kokoro"))
    wave = GuestVoices(cast.load_cast("en").voices, process).say(Psychic.BLACK, "I choose card seven")
    process.close()
    assert 0.8 < wave.seconds < 3.0


class SlowProcess:
    """Renders one line until it is interrupted."""

    def __init__(self):
        self.begun, self.interrupted = Event(), Event()

    def interrupt(self):
        self.interrupted.set()

    def render(self):
        is_first = not self.begun.is_set()
        self.begun.set()
        if is_first and self.interrupted.wait(10):
            raise LineInterrupted
        raise CannotSpeak("nobody waits for it")


def test_a_guest_speaks_before_lines_that_nobody_waits_for():
    process = SlowProcess()
    queue = RenderQueue(process)
    queue.submit(Priority.SOON, "prepared", process.render)
    assert process.begun.wait(10)
    assert GuestVoices(cast.load_cast("en").voices, queue=queue).say(Psychic.RED, "card seven").seconds > 0.3
    assert process.interrupted.is_set()
    queue.close(lambda: None)


@EACH_LANGUAGE
def test_what_guests_say_to_each_other_means_nothing_and_what_they_ask_does(language):
    sentences, company = Sentences.load(language), cast.load_cast(language)
    assert [line for line in company.talk if sentences.match(line)] == []
    assert [line for line in company.questions if not sentences.match(line)] == []
