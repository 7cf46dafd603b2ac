"""The house waits until everything is laid, and only then does the first turn begin."""

from pathlib import Path

import pytest

from seance.daemon.page_publisher import PagePublisher
from seance.daemon.signals import ButtonPress, Heard
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.phrasing import phrase_word
from seance.narration.cues import KnockMeaning, StopSpeaking
from seance.narration.staging import Pace
from seance.rules import LIBELLUD
from seance.texts import Texts
from tests.daemon.evenings import Table, again, keys, knocks, of, table
from tests.guests import sentences
from tests.languages import EACH_LANGUAGE, sample

FIRST_STROKE = [(KnockMeaning.HOUR, 1)]


def laying(folder: Path, language: str = "en", **choices: object) -> Table:
    """Return a table that is being laid."""
    house = table(folder, language=language, **choices)
    house.say(f"{sample(language)['set_up_four']}")
    house.say(Texts.load("pages", language)("table_skip_story_said"))
    house.say(phrase_word("yes", language))
    return house


@pytest.fixture
def laid(tmp_path: Path) -> Table:
    return laying(tmp_path)


def test_the_first_hour_does_not_strike_before_everything_is_laid(laid):
    assert knocks(laid.cues) == []
    assert keys(laid.cues)[-1] == "ready.ask"
    laid.wait(30)
    assert knocks(laid.cues) == []


@pytest.mark.parametrize("words", ["ready", "we are ready", "everything is laid", "yes", "let's begin"])
def test_whoever_says_that_it_is_laid_begins_the_first_hour(laid, words):
    assert laid.would_hear(words)
    cues = laid.say(words)
    assert knocks(cues) == FIRST_STROKE
    assert keys(cues)[:2] == ["lore.libellud.hour.1", "lesson.visions"]


@EACH_LANGUAGE
def test_a_page_knows_whether_the_table_is_being_laid(language, tmp_path):
    house = laying(tmp_path, language)
    pages = PagePublisher(language=language, pace="full", edition=LIBELLUD)
    pages.publish_evening(house.evening)
    assert pages.latest.current.is_table_being_laid
    assert knocks(house.say(phrase_word("ready", language))) == FIRST_STROKE
    pages.publish_evening(house.evening)
    assert not pages.latest.current.is_table_being_laid


@EACH_LANGUAGE
def test_guests_know_how_to_say_it(language):
    for variation in range(3):
        intent = sentences(language).match(phrase_word("ready", language, variation))
        assert intent is not None
        assert intent.name in ("ready", "call_time")


@pytest.mark.parametrize("words", ["ready", "red has a vision"])
def test_it_cuts_off_the_rows_that_are_still_being_read(laid, words):
    cues = laid.say(words)
    assert isinstance(cues[0], StopSpeaking)
    assert "hour.1" in keys(cues)[0]


def test_a_silent_house_cuts_off_nothing(tmp_path):
    assert not of(laying(tmp_path, pace=Pace.SILENT).cues, StopSpeaking)


def test_the_button_for_yes_says_it_too(laid):
    assert knocks(laid.give(ButtonPress("yes"))) == FIRST_STROKE
    assert knocks(laid.give(ButtonPress("yes"))) == []


def test_a_no_is_patient(laid):
    assert keys(laid.say("no")) == ["ready.wait"]
    assert knocks(laid.say("ready")) == FIRST_STROKE


def test_a_ready_that_was_hardly_heard_is_asked_back(laid):
    assert keys(laid.give(Heard("ready", Intent("ready"), 0.0))) == ["ask_back.misheard"]
    assert knocks(laid.cues) == []
    assert knocks(laid.say("yes")) == FIRST_STROKE


def test_a_no_to_what_was_hardly_heard_leaves_the_table_to_be_laid(laid):
    laid.give(Heard("ready", Intent("ready"), 0.0))
    laid.say("no")
    assert knocks(laid.cues) == []
    assert knocks(laid.say("ready")) == FIRST_STROKE


def test_who_plays_is_ready(laid):
    cues = laid.say("red has a vision")
    assert knocks(cues) == FIRST_STROKE
    assert keys(cues).index("lore.libellud.hour.1") < keys(cues).index("event.vision_given.one")


def test_a_night_that_is_given_up_before_it_begins_never_strikes(laid):
    laid.say("end the séance")
    laid.say("yes")
    assert knocks(laid.cues) == []


def test_who_asks_what_to_do_is_told_to_say_it(laid):
    assert keys(laid.say("what can we do now")) == keys(laid.say("who are we waiting for")) == ["ready.again"]


def test_a_long_silence_is_ended_by_the_question_and_not_by_a_tale(laid):
    told = keys(laid.wait(130))
    assert told
    assert not [key for key in told if key.startswith(("tales.", "waiting."))]
    assert knocks(laid.cues) == []


def test_after_a_power_cut_it_is_asked_again(laid):
    after = again(laid)
    assert keys(after.cues)[-1] == "ready.ask"
    assert knocks(after.cues) == []
    assert knocks(after.say("ready")) == FIRST_STROKE


def test_a_first_hour_that_was_struck_does_not_strike_again(laid):
    laid.say("ready")
    after = again(laid)
    assert knocks(after.cues) == []
    assert knocks(after.say("red has a vision")) == []


def test_a_house_that_says_nothing_does_not_wait(tmp_path):
    silent = laying(tmp_path, pace=Pace.SILENT)
    assert knocks(silent.cues) == FIRST_STROKE


def test_at_a_brisk_pace_it_is_asked_in_a_word(tmp_path):
    brisk = laying(tmp_path, pace=Pace.BRISK)
    assert keys(brisk.cues)[-1] == "brisk.ready.ask"
    assert knocks(brisk.say("ready")) == FIRST_STROKE
