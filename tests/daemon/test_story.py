"""The story before a night: as much of it as was chosen, and skipped when somebody has heard enough."""

from pathlib import Path

import pytest

from seance.daemon.page_publisher import PagePublisher
from seance.daemon.signals import ButtonPress
from seance.daemon.snapshot import from_journal
from seance.dialogue.opening import Opening, chosen_opening
from seance.dialogue.phrasing import phrase_word
from seance.narration.cues import Say, StopStory
from seance.rules import LIBELLUD
from seance.texts import Texts
from tests.daemon.evenings import Table, again, keys, of, table
from tests.guests import sentences
from tests.languages import EACH_LANGUAGE, sample


def begin(folder: Path, story: str, language: str = "en") -> list[Say]:
    """Return the lines that are said when a night begins after *story* was answered."""
    house = table(folder, language=language)
    return of(begun(house, story), Say)


def begun(house: Table, story: str) -> list:
    house.say(sample(house.language)["set_up_four"])
    house.say(story)
    return house.say(phrase_word("yes", house.language))


@pytest.mark.parametrize(("language", "story"), [("en", "the long one"), ("fr", "avec l'histoire")])
def test_with_the_story_the_whole_play_is_told(tmp_path, language, story):
    told = [line for line in begin(tmp_path, story, language) if line.story]
    assert [line.voice for line in told[:1]] == ["conrad"]
    assert {line.voice for line in told} == {"conrad", "newsreader", "narrator"}
    assert "Samhain" in " ".join(line.text for line in told)


@pytest.mark.parametrize(
    ("language", "story", "key"),
    [
        ("en", "the short one", "lore.libellud.opening.short"),
        ("fr", "la version courte", "lore.libellud.opening.short"),
        ("en", "none", "lore.libellud.opening.skipped"),
        ("fr", "sans l'histoire", "lore.libellud.opening.skipped"),
    ],
)
def test_the_short_story_is_one_line_and_no_story_another(tmp_path, language, story, key):
    told = begin(tmp_path, story, language)
    assert told[0].key == key
    assert not [line for line in told if line.story]


@pytest.fixture
def telling(tmp_path) -> Table:
    """The long story is being told."""
    house = table(tmp_path)
    house.attentive = False
    begun(house, "the long one")
    return house


@pytest.mark.parametrize("words", ["skip the story", ""], ids=["said", "Enter"])
def test_whoever_types_skips_the_story(telling, words):
    assert of(telling.say(words), StopStory) == [StopStory()]


def test_the_ghosts_button_for_no_skips_the_story(telling):
    assert of(telling.give(ButtonPress("no")), StopStory) == [StopStory()]


def test_a_story_that_was_skipped_has_no_last_part(telling):
    telling.say("skip the story")
    assert not [line for line in of(telling.say("ready"), Say) if line.story]


def test_once_something_has_happened_neither_enter_nor_button_skip(telling):
    telling.attentive = True
    telling.say("red has a vision")
    assert of([*telling.say(""), *telling.give(ButtonPress("no"))], StopStory) == []


def test_a_story_that_the_power_cut_off_is_not_told_again(telling):
    told = of(again(telling).cues, Say)
    assert "lore.libellud.opening.skipped" in keys(told)
    assert not [line for line in told if line.story]


@pytest.mark.parametrize("story", [True, False, None, *Opening])
def test_what_was_chosen_is_kept_as_earlier_versions_and_this_one_write_it(story):
    kept = {"evening": {"conversation": {"wishes": {"story": story}}}}
    read = from_journal(kept).conversation.wishes.story
    assert read == story
    assert chosen_opening(read) == {True: None, False: Opening.SKIPPED}.get(story, story)


def test_the_tables_page_offers_to_skip_the_story_while_it_is_told():
    pages = PagePublisher(language="en", pace="full", edition=LIBELLUD)
    shown = []
    for cue in (Say("A letter.", story=True), Say("Lay out seven cards."), Say("Listen.", story=True), Say("One.")):
        pages.publish_cue(cue)
        shown.append(pages.latest.current.is_story_told)
    assert shown == [True, False, True, False]


@EACH_LANGUAGE
def test_what_the_page_says_to_skip_the_story_is_understood(language):
    words = Texts.load("pages", language)("table_skip_story_said")
    intent = sentences(language).match(words)
    assert intent is not None
    assert (intent.name, intent.slots) == ("setup", {"story": "skipped"})
