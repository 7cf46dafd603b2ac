"""The words of an edition: what is read from its file and from the shared one, and how mistakes are named."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from seance.chronicle.words import ChronicleWords
from seance.daemon.terminal_texts import TerminalTexts
from seance.daemon.world.page_texts import load_page_words
from seance.dialogue.grammar.sentences import Sentences
from seance.dialogue.grammar.spoken_names import Names
from seance.edition_texts import BadEditionTexts, load_edition_texts
from seance.ghost_words import GhostWords
from seance.languages import read_language_file
from seance.narration.script import BadScript, Memory, Script
from seance.rules import EDITIONS, LIBELLUD, PORTAL, Edition
from seance.texts import Texts
from tests.foreign_words import foreign_word
from tests.languages import EACH_SAMPLED
from tests.written_voices import WriteVoice

FIFTH = replace(PORTAL, name="fifth", levels={"easy": PORTAL.levels["easy"], "cruel": PORTAL.levels["difficult"]})
WITH_FIFTH = {**EDITIONS, "fifth": FIFTH}
WORDS = """
like = "week"
[called]
said = "new"
written = "the new rules"
understood = ["new", "fifth"]
[levels.cruel]
said = "cruel"
written = "cruel indeed"
understood = ["cruel"]
"""


def script(
    more: str, write_voice: WriteVoice, owners: Path | None = None, editions: Mapping[str, Edition] = WITH_FIFTH
) -> Script:
    write_voice("en/editions/fifth.toml", WORDS + more)
    write_voice("en/lore/fifth.toml", read_language_file("en", "lore/portal.toml").text.replace("portal", "fifth"))
    return Script.load("en", owners, editions=editions)


# What is read


def test_an_edition_is_called_as_its_file_says(write_voice):
    said = script("", write_voice)
    names, chronicle = Names.load("en", editions=WITH_FIFTH), ChronicleWords.load("en", editions=WITH_FIFTH)
    assert said.called("editions", "fifth") == "new"
    assert said.called("levels", "cruel", "fifth") == "cruel"
    assert (names.editions["fifth"], names.levels["cruel"]) == (("new", "fifth"), ("cruel",))
    assert chronicle.for_edition("fifth").edition_name() == "the new rules"
    assert chronicle.for_edition("fifth").level_name("cruel") == "cruel indeed"


def test_an_edition_without_lines_of_its_own_has_those_of_the_shared_file(write_voice):
    assert script("", write_voice).key("event.crow_used.some", "fifth") == "week.event.crow_used.some"
    assert script("", write_voice).key("hour.3", "fifth", brisk=True) == "brisk.week.hour.3"


def test_a_line_of_its_own_goes_before_the_shared_one_and_the_general_one(write_voice):
    fifth = script('[script.hour]\n3 = "Three bells."\n[script.ending]\nagain = "Again?"\n', write_voice)
    assert fifth.say("hour.3", Memory(), "fifth")[0] == "Three bells."
    assert fifth.say("ending.again", Memory(), "fifth")[0] == "Again?"
    assert fifth.say("ending.again", Memory(), "portal")[0] != "Again?"


def test_a_brisk_line_of_its_own_is_said_at_a_brisk_pace_only(write_voice):
    fifth = script('[script.brisk.hour]\n3 = "Three."\n', write_voice)
    assert fifth.say("hour.3", Memory(), "fifth", brisk=True)[0] == "Three."
    assert fifth.key("hour.3", "fifth") == "lore.fifth.hour.3"


def test_a_word_of_its_own_stands_in_general_lines(write_voice):
    fifth = script('[words.plain]\na_vision = "a flash"\n', write_voice)
    assert fifth.fill("{a_vision}, {the_vision}", "fifth") == "A flash, the dream"


def test_an_example_of_its_own_is_offered(write_voice):
    fifth = script('[script.example]\nturn_shared_vision = "all have voted"\n', write_voice)
    assert fifth.example("turn_shared_vision", "fifth") == "all have voted"
    assert fifth.example("turn_shared_vision", "portal") == "we have voted"


def test_the_chronicle_tells_an_edition_in_its_own_words(write_voice):
    write_voice("en/editions/fifth.toml", WORDS + '[chronicle.words]\nlineup = "The row"\n')
    words = ChronicleWords.load("en", editions=WITH_FIFTH)
    assert words.for_edition("fifth").word("lineup") == "The row"
    assert words.for_edition("fifth").word("turns_picture") == "The days"
    assert words.for_edition("libellud").word("lineup") == "The line-up of suspects"


def test_an_owners_line_goes_before_an_editions_own(write_voice, tmp_path):
    owners = tmp_path / "lines.toml"
    owners.write_text('[event]\nvote_cast = "Theirs."\n[more.event]\nsand_turned = "Theirs too."\n')
    told = script('[script.event]\nvote_cast = "Ours."\nsand_turned = "Ours."\n', write_voice, owners)
    assert told.say("event.vote_cast", Memory(), "fifth")[0] == "Theirs."
    assert told.lines[told.key("event.sand_turned", "fifth")] == ("Ours.", "Theirs too.")


def test_an_owners_level_is_called_so_in_every_edition(write_voice, tmp_path):
    owners = tmp_path / "lines.toml"
    owners.write_text('[called.levels]\ncruel = "wicked"\neasy = "gentle"\n')
    told = script("", write_voice, owners)
    assert [told.called("levels", level, "fifth") for level in FIFTH.levels] == ["gentle", "wicked"]
    assert told.called("levels", "easy", "libellud") == "gentle"


# Whose words are said


OF_CLAIRVOYANCY = (
    "table_track", "sentences.seers", "events.clairvoyancy_moved", "events.clairvoyancy_taken_back",
    "events.tokens_returned",
)  # fmt: skip
"""Keys of texts that are shown where there are clairvoyancy tokens, and nowhere else."""


def shown_texts(language: str, edition: str) -> Iterator[tuple[str, str]]:
    """Yield each text of the pages, the chronicle and the replay of a night of *edition*, with its key."""
    own = load_edition_texts(language)[edition].tables
    yield from load_page_words(language).of(edition).items()
    tables = ChronicleWords.load(language).tables
    yield from flat(tables, own.chronicle)
    replay = Texts.load("replay", language).with_changes(own.replay, BadEditionTexts)
    terminal = TerminalTexts.load(language).of(edition)
    yield from ((key, text) for texts in (replay, terminal) for key, forms in texts.forms.items() for text in forms)
    yield "ghost.examples", GhostWords.load(language).explain_unknown("", edition)


def flat(tables: Mapping[str, Mapping[str, Any]], own: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for table, texts in tables.items():
        for key, text in (texts | own.get(table, {})).items():
            yield from ((f"{table}.{key}", each) for each in ([text] if isinstance(text, str) else text))


@EACH_SAMPLED
@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_is_shown_in_the_words_of_another_edition(language: str, edition: str):
    word = foreign_word(language, edition)
    texts = ((key, re.sub(r"\{\w+(:[^}]*)?\}", "", text)) for key, text in shown_texts(language, edition))
    skipped = () if EDITIONS[edition].tokens else OF_CLAIRVOYANCY
    assert [f"{key}: {text}" for key, text in texts if key not in skipped and word.search(text)] == []


# What is refused


def test_an_edition_without_a_file_is_told_which_to_write():
    with pytest.raises(BadEditionTexts, match=r"voices/fr/editions/fifth\.toml: there is no such file: write"):
        load_edition_texts("fr", WITH_FIFTH)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('like = "month"\n', r"editions/shared/month\.toml: there is no such file"),
        (WORDS.replace('said = "new"\n', ""), r"fifth\.toml, line 3: called\.said: is missing"),
        (WORDS.replace("levels.cruel", "levels.horrid"), r"fifth\.toml: levels\.cruel: is missing"),
        (WORDS + "[levels.horrid]\nsaid='x'\nwritten='x'\nunderstood=['x']\n", r"line 11: levels\.horrid: is no level"),
        (WORDS + "[turns]\nmarks = ['I', 'II']\n", r"fifth\.toml, line 12: turns\.marks: must name 7 turns"),
        (WORDS + "[words.plian]\nx = 'x'\n", r"fifth\.toml, line 11: words\.plian: is unknown here"),
        (WORDS + "[pages]\nhour = 7\n", r"fifth\.toml, line 12: pages\.hour: expected `str`, got `int`"),
        (WORDS.replace("cruel indeed", ""), r"line 9: levels.*written: expected `str` of length >= 1"),
    ],
)
def test_a_mistake_names_file_line_and_key(write_voice, text, complaint):
    write_voice("en/editions/fifth.toml", text)
    with pytest.raises(BadEditionTexts, match=complaint):
        load_edition_texts("en", WITH_FIFTH)


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (
            "[script.event]\nvote_cost = 'x'\n",
            r"fifth\.toml, line 12: script\.event\.vote_cost is no line of ours",
        ),
        ("[script.brisk.event]\nvote_cost = 'x'\n", r"line 12: script\.brisk\.event\.vote_cost is no line of ours"),
        ("[script.event]\nvote_cast = '{number}'\n", r"line 12: script\.event\.vote_cast cannot say {number}"),
        ("[script.event]\nvote_cast = '{psychic:x}'\n", r"script\.event\.vote_cast asks for a form that is not there"),
        ("[script.hour]\n8 = 'x'\n", r"fifth\.toml, line 12: script\.hour\.8 is no line of ours"),
        ("[script.hour]\n1 = 7\n", r"fifth\.toml, line 12: script\.hour\.1 must be a text"),
    ],
)
def test_a_line_that_cannot_be_said_names_file_line_and_key(write_voice, more, complaint):
    with pytest.raises(BadScript, match=complaint):
        script(more, write_voice)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('a_vision = "a dream"', r"fifth\.toml: words\.plain\.a_vision: is missing"),
        ('crows = ["no discard"', r"fifth\.toml: words\.counted\.crows: is missing"),
        ('character = { bare = "character"', r"fifth\.toml: words\.kinds\.character\.a: is missing"),
    ],
)
def test_a_word_that_is_nowhere_names_the_editions_file(write_voice, line, complaint):
    lines = read_language_file("en", "editions/shared/week.toml").text.splitlines(keepends=True)
    write_voice("en/editions/shared/month.toml", "".join(each for each in lines if not each.startswith(line)))
    write_voice("en/editions/fifth.toml", WORDS.replace("week", "month"))
    with pytest.raises(BadEditionTexts, match=complaint):
        Script.load("en", editions=WITH_FIFTH)


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ("[chronicle.words]\nlinup = 'x'\n", r"fifth\.toml, line 12: chronicle\.words\.linup: is unknown"),
        ("[chronicle.sentences]\nvote = 'x'\n", r"line 12: chronicle\.sentences\.vote: must be a list of texts"),
        (
            "[chronicle.sentences]\nvote = ['{day}']\n",
            r"chronicle\.sentences\.vote: cannot say {day}: its holes are",
        ),
    ],
)
def test_a_mistake_in_the_chronicle_names_file_line_and_key(write_voice, more, complaint):
    write_voice("en/editions/fifth.toml", WORDS + more)
    with pytest.raises(BadEditionTexts, match=complaint):
        ChronicleWords.load("en", editions=WITH_FIFTH)


def test_words_for_a_rule_that_is_not_there_are_named(write_voice):
    write_voice("en/editions/fifth.toml", WORDS + "[understood]\nvisoin = ['glimpse']\n")
    with pytest.raises(BadEditionTexts, match=r"fifth\.toml, line 12: understood\.visoin: is no rule of voices"):
        Sentences.load("en", editions=WITH_FIFTH)


def test_a_level_of_the_shared_file_that_the_edition_does_not_have_is_passed_over(write_voice):
    write_voice("en/editions/fifth.toml", WORDS.replace("week", "night").replace("cruel", "hard"))
    fifth = replace(LIBELLUD, name="fifth", levels={name: LIBELLUD.levels[name] for name in ("easy", "hard")})
    assert list(load_edition_texts("en", {"fifth": fifth})["fifth"].tables.levels) == ["easy", "hard"]


def test_any_line_may_say_how_many_turns_and_shared_cards_there_are(write_voice):
    short = replace(FIFTH, turns=6, shared_vision_cards=2)
    told = script("", write_voice, editions={**EDITIONS, "fifth": short})
    assert told.fill("{turns}, {turns:place}, {shared_cards:pictures}", "fifth") == "Six, sixth, two pictures"
    assert told.fill("{turns}, {shared_cards:cards}", "portal") == "Seven, three cards"
