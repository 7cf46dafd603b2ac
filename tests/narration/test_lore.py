"""Every edition is told its own story in every language, or the one that the owner has chosen."""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pytest

from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.guest_replies import TellStory
from seance.languages import read_language_file
from seance.narration.cues import Say
from seance.narration.lore import BadLore, LoreFile, lore_names
from seance.narration.script import Memory, Script, Tone
from seance.narration.staging import NarrationStyle, stage_reply
from seance.rules import EDITIONS, Psychic
from tests.guests import sentences
from tests.languages import EACH_LANGUAGE, EACH_SAMPLED, LANGUAGES, sample
from tests.narration.conftest import SCRIPTS
from tests.written_voices import WriteVoice

WEEKS = ("igames", "portal", "manual")
SPOKEN_WORDS_PER_SECOND = 2.4
"""How fast the narrator speaks, pauses between sentences included."""

WriteLore = Callable[[str], Path]


@pytest.fixture
def write_lore(tmp_path: Path) -> WriteLore:
    """Write a lore of an owner's."""

    def write(text: str) -> Path:
        file = tmp_path / "aunt.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


def everything_told(script: Script, edition: str) -> str:
    """Return all that the lore of *edition* has to say."""
    lore = script.lores[edition]
    own = (variants for key, variants in script.lines.items() if key.startswith(f"lore.{edition}."))
    return " ".join(chain(*own, *lore.tales.values(), *(part.sentences for part in lore.opening)))


def words_of_opening(script: Script, edition: str) -> int:
    return sum(len(text.split()) for part in script.opening(edition) for text in part.sentences)


OURS = read_language_file("en", "lore/craigmorrow.toml").text
PARTS = [number for number, line in enumerate(OURS.splitlines(), 1) if line == "[[opening.long]]"]
"""The lines in which the parts of the long opening begin."""


# What is told where


@EACH_LANGUAGE
def test_the_story_of_warwick_is_told_in_libellud_alone(language: str):
    script = SCRIPTS[language]
    for fact in ("Warwick", "Samhain", "MacDowell", "Margaret"):
        assert fact in everything_told(script, "libellud")
        assert not [edition for edition in WEEKS if fact in everything_told(script, edition)]


@EACH_LANGUAGE
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_edition_is_told_the_story_of_the_lamps_unasked(language: str, edition: str):
    assert "Craigmorrow" not in everything_told(SCRIPTS[language], edition)
    assert "Craigmorrow" in everything_told(Script.load(language, lore="craigmorrow"), edition)


@EACH_SAMPLED
def test_days_are_called_by_name_in_the_weeks_alone(language: str):
    for edition in EDITIONS:
        for hour, day in zip((1, EDITIONS[edition].turns), sample(language)["days"], strict=True):
            said = SCRIPTS[language].lines[f"lore.{edition}.hour.{hour}"]
            assert (edition in WEEKS) == any(day in line for line in said)


@EACH_LANGUAGE
def test_a_lore_counts_days_where_the_edition_does(language: str):
    script = Script.load(language, lore="craigmorrow")
    night, week = (script.lines[f"lore.{edition}.hour.2"] for edition in ("libellud", "igames"))
    assert set(night) & set(week) == set()
    assert week == script.lines["lore.portal.hour.2"]


@EACH_LANGUAGE
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_lore_has_a_line_for_every_moment(language: str, edition: str):
    script = SCRIPTS[language]
    for key in (*(f"portrait.{psychic}" for psychic in Psychic), "opening.short", "opening.skipped", "hour.last"):
        assert script.has(key, edition)
    endings = ("ending_found", "ending_wrong", "ending_time")
    endings += ("ending_silence",) if EDITIONS[edition].silence_is_fatal else ()
    assert [name for name in ("waiting", *endings) if len(script.tale(name, edition)) < 3] == []


# How long it is


@EACH_LANGUAGE
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_short_opening_takes_less_than_forty_seconds(language: str, edition: str):
    for line in SCRIPTS[language].lines[f"lore.{edition}.opening.short"]:
        assert len(line.split()) <= 40 * SPOKEN_WORDS_PER_SECOND


@EACH_LANGUAGE
def test_the_long_opening_of_libellud_takes_four_to_six_minutes(language: str):
    words = words_of_opening(SCRIPTS[language], "libellud")
    assert 4 * 60 <= words / SPOKEN_WORDS_PER_SECOND <= 6 * 60


@EACH_LANGUAGE
def test_the_parts_of_libellud_have_voices_of_their_own(language: str):
    voices = {part.name: part.voice for part in SCRIPTS[language].opening("libellud")}
    assert voices["letter"] == "conrad"
    assert {voice for name, voice in voices.items() if name.startswith("cutting_")} == {"newsreader"}
    assert voices["samhain"] == "narrator"


# For the family


@EACH_SAMPLED
def test_a_family_hears_the_same_facts_without_the_affair_and_the_dead_child(language: str):
    usual, family = SCRIPTS[language], Script.load(language, tone=Tone.FAMILY)
    for word in sample(language)["unfit_for_families"]:
        assert word in everything_told(usual, "libellud")
        assert not [edition for edition in EDITIONS if word in everything_told(family, edition)]
    assert [part.name for part in family.opening("libellud")] == [part.name for part in usual.opening("libellud")]
    for fact in ("Warwick", "Samhain", "Rochester"):
        assert fact in everything_told(family, "libellud")


# An owner's own


def test_an_owner_tells_a_story_of_their_own_in_every_edition(write_lore: WriteLore):
    path = write_lore(OURS.replace("Craigmorrow", "Aunt Odile's"))
    script = Script.load("en", lore=str(path))
    for edition in EDITIONS:
        assert "Aunt Odile's" in everything_told(script, edition)


@pytest.mark.parametrize("key", ["opening.short", "portrait.red", "night.hour.3", "libellud.hour.last", "hour.4"])
def test_an_owners_line_goes_before_the_lore(owners: Callable[[str], Path], key: str):
    table, _, name = key.rpartition(".")
    script = Script.load("en", owners(f'[{table}]\n{name} = "Mine."\n'))
    said = key.removeprefix("night.").removeprefix("libellud.")
    assert script.say(said, Memory(), "libellud")[0] == "Mine."


def test_an_owners_line_for_nights_leaves_weeks_as_they_are(owners: Callable[[str], Path]):
    script = Script.load("en", owners('[night.hour]\n3 = "Mine."\n[more.week.hour]\n4 = "Mine too."\n'))
    assert script.key("hour.3", "igames") == "lore.igames.hour.3"
    for edition in WEEKS:
        ours = SCRIPTS["en"].lines[f"lore.{edition}.hour.4"]
        assert script.lines[script.key("hour.4", edition)] == (*ours, "Mine too.")
    assert script.lines["lore.libellud.hour.4"] == SCRIPTS["en"].lines["lore.libellud.hour.4"]


def test_an_owner_adds_a_variant_to_every_lore(owners: Callable[[str], Path]):
    script = Script.load("en", owners('[more.opening]\nshort = "Mine."\n[more.tales]\nopening = ["The end."]\n'))
    for edition in EDITIONS:
        assert script.lines[script.key("opening.short", edition)][-1] == "Mine."
        assert script.opening(edition)[-1].sentences[-1] == "The end."


def test_an_owner_tells_another_ending_everywhere(owners: Callable[[str], Path]):
    script = Script.load("en", owners('[tales]\nending_silence = ["Hush."]\n'))
    assert {script.tale("ending_silence", edition) for edition in EDITIONS} == {("Hush.",)}


# What cannot be told


def test_an_unknown_lore_is_answered_with_those_that_are_there():
    with pytest.raises(BadLore, match=r"no lore 'craigmoor': one of craigmorrow, .*libellud.*, or the path of a file"):
        Script.load("en", lore="craigmoor")


def _without(key: str) -> str:
    """Return our own lore without the line, or the list, of *key*."""
    table, name = key.rsplit(".", 1)
    head, rest = OURS.split(f"\n[{table}]\n")
    return f"{head}\n[{table}]\n" + re.sub(rf"^{name} = \[\n(?:    .*\n)*\]\n", "", rest, count=1, flags=re.MULTILINE)


KEYS = ("opening.short", "portrait.blue", "interlude.sentences", "hour.7", "hour.last", "ending.wrong")


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_names_file_and_key(write_lore: WriteLore, key: str):
    path = write_lore(_without(key))
    with pytest.raises(BadLore, match=rf"{re.escape(str(path))}.*: {re.escape(key)} is missing"):
        Script.load("en", lore=str(path))


def mistakes() -> Iterator[tuple[str, str]]:
    yield OURS.replace("title = ", "name = "), r"title is missing"
    yield OURS.replace("[portrait]\nblue", "[portrait]\nblau"), r"line \d+: portrait.blau is unknown.*portrait.blue"
    yield OURS.replace("[week.hour]", "[month.hour]"), r"line \d+: month.hour.1 is unknown here"
    yield (
        OURS.replace('part = "lamps"', 'part = "house"'),
        rf"line {PARTS[1]}: opening.long, part 2, house is there twice",
    )
    yield (
        OURS.replace('voice = "narrator"', "voice = 7", 1),
        rf"line {PARTS[0]}: opening.long, part 1, voice must be a name",
    )
    yield OURS.replace('part = "house"', 'prt = "house"'), rf"line {PARTS[0]}: opening.long, part 1, prt is unknown"
    yield OURS.replace("{until_seven}", "{untill}"), r"opening.short cannot say {untill}"
    yield OURS.replace("{psychic:He|She}", "{psychic:huh}", 1), r"portrait.blue asks for a form that is not there"
    yield (
        OURS + '[[family.opening.long]]\npart = "cellar"\nsentences = ["x"]\n',
        r"line \d+: .*part must be one of house,",
    )
    yield OURS.replace("editions = []", "editions = 7"), r"line \d+: editions must be a list"
    yield "[opening\n", r"aunt.toml: not TOML: .*line 1"


@pytest.mark.parametrize(("text", "complaint"), [*mistakes()])
def test_a_mistake_names_file_line_and_key(write_lore: WriteLore, text: str, complaint: str):
    path = write_lore(text)
    with pytest.raises(BadLore, match=complaint) as error:
        Script.load("en", lore=str(path))
    assert str(path) in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(BadLore, match=r"nowhere.toml: there is no such file"):
        Script.load("en", lore=str(tmp_path / "nowhere.toml"))


def test_two_lores_of_one_edition_are_refused(write_voice: WriteVoice):
    write_voice("en/lore/another.toml", OURS.replace("editions = []", 'editions = ["portal"]'))
    with pytest.raises(BadLore, match=r"portal.toml, line \d+: editions lists portal, whose lore is in .*another.toml"):
        Script.load("en")


def test_an_edition_without_a_lore_says_what_to_write(write_voice: WriteVoice):
    text = read_language_file("en", "lore/portal.toml").text
    write_voice("en/lore/portal.toml", text.replace('editions = ["portal"]', "editions = []"))
    with pytest.raises(BadLore, match=r"voices/en/lore: no lore lists portal in its `editions`: write one"):
        Script.load("en")


def test_all_languages_have_the_same_lores():
    assert len({lore_names(language) for language in LANGUAGES}) == 1


@EACH_LANGUAGE
@pytest.mark.parametrize("lore", lore_names("en"))
@pytest.mark.parametrize("tone", Tone)
def test_every_lore_can_be_told_in_every_edition_that_lasts_no_longer(language: str, lore: str, tone: Tone):
    own = [EDITIONS[name].turns for name in LoreFile.of_language(language, lore).tables()["editions"]]
    longest = max(own or [edition.turns for edition in EDITIONS.values()])
    told = {name: edition for name, edition in EDITIONS.items() if edition.turns <= longest}
    script = Script.load(language, lore=lore, tone=tone, editions=told)
    assert len({script.lores[edition].title for edition in told}) == 1


@EACH_LANGUAGE
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_part_of_the_long_story_can_be_asked_for_alone(language: str, edition: str):
    script, style = SCRIPTS[language], NarrationStyle(script=SCRIPTS[language])
    asked = {key.removeprefix("phrase.part."): key for key in script.lines if key.startswith("phrase.part.")}
    told = set[str]()
    for part, key in asked.items():
        intent = sentences(language).match(script.first_phrase(key))
        assert intent == Intent("tell_story", {"part": part})
        cues = stage_reply(style, Memory(), TellStory(edition, part), None).cues
        told |= {cue.key.removeprefix("tales.opening.") for cue in cues if isinstance(cue, Say) and cue.story}
    assert told == {part.name for part in script.opening(edition)}


def test_who_asks_for_a_part_that_is_not_there_hears_what_there_is():
    cues = stage_reply(NarrationStyle(script=SCRIPTS["en"]), Memory(), TellStory("igames", "letter"), None).cues
    (line,) = (cue.text for cue in cues if isinstance(cue, Say))
    assert "tell us the legend" in line
    assert "read us the letter" not in line
