"""Genders, grammatical forms and plurals of a language that has other ones than ours."""

import re

import pytest

from seance.edition_texts import BadEditionTexts
from seance.languages import BadLanguage
from seance.narration.script import BadScript, Memory, Script
from seance.rules import Category, Psychic
from tests.third_language import CODE, change

BLUE, WHITE, RED = Psychic.BLUE, Psychic.WHITE, Psychic.RED


@pytest.fixture
def owners(tmp_path):
    def write(text):
        file = tmp_path / "mine.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


def said(line, **values):
    return Script.load(CODE).fill(line, "libellud", **values)


@pytest.mark.usefixtures("thirdish")
@pytest.mark.parametrize(("psychic", "chosen"), [(BLUE, "He"), (RED, "She"), (WHITE, "It")])
def test_a_choice_has_a_word_for_each_gender(psychic, chosen):
    assert said("{psychic:he|she|it}", psychic=psychic) == chosen


@pytest.mark.usefixtures("thirdish")
def test_a_form_is_as_it_is_written_or_as_its_rule_makes_it():
    assert said("to {psychic:dative}", psychic=RED) == "To Redem"
    assert said("{the_hour:dative}") == "Them houren"
    assert said("{category:the.dative}", category=Category.OBJECT) == "Them objecten"
    assert said("{hour:hour.dative}", hour=2) == "Them second houren"


@pytest.mark.usefixtures("thirdish")
def test_each_of_a_list_is_in_the_form_that_is_asked_for():
    assert said("{psychics:dative}", psychics=(RED, BLUE)) == "Redem and Bluem"
    assert said("{psychics:or.dative}", psychics=(RED, BLUE)) == "Redem or Bluem"


@pytest.mark.usefixtures("thirdish")
@pytest.mark.parametrize(
    ("count", "counted"),
    [(0, "no card"), (1, "one card"), (2, "two few cards"), (4, "four few cards"), (5, "five cards")],
)
def test_what_is_counted_takes_the_plural_form_of_its_number(count, counted):
    assert said("{count:cards}", count=count) == counted.capitalize()
    chosen = {1: "A", 2: "B", 4: "B"}.get(count, "C")
    assert said("{count:a|b|c}", count=count) == chosen


@pytest.mark.usefixtures("thirdish")
def test_an_owners_name_with_an_article_follows_the_rules():
    script = Script.load(CODE, names={RED: "the cook"})
    assert script.fill("{psychic:dative}", psychic=RED) == "Them cooken"
    assert script.fill("a vote to {psychic}", psychic=RED) == "A vote toth cook"


@pytest.mark.usefixtures("thirdish")
def test_an_owners_name_without_the_form_stays_as_it_is():
    assert Script.load(CODE, names={RED: "Alma"}).fill("{psychic:dative}", psychic=RED) == "Alma"


@pytest.mark.usefixtures("thirdish")
def test_an_owner_may_write_out_a_form_of_a_name_and_use_it_in_a_line(owners):
    file = owners('[forms.dative]\nAlma = "Almam"\n[event]\nvote_cast = "Votes {psychic:dative}."\n')
    script = Script.load(CODE, file, names={RED: "Alma"})
    assert script.say("event.vote_cast", Memory(), psychic=RED)[0] == "Votes Almam."


@pytest.mark.usefixtures("thirdish")
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[event]\nvote_cast = "{psychic:genitive}"', r"line 2: event\.vote_cast asks for a form that is not there"),
        ('[event]\nvote_cast = "{psychic:he|she}"', r"line 2: event\.vote_cast asks for a form that is not there"),
        ('[forms.genitive]\nAlma = "Almas"', r"line 1: forms\.genitive is no form of this language: \[forms\.dative\]"),
        ("[forms.dative]\nAlma = 3", r"line 1: forms\.dative must say what 'Alma' is, not 3"),
        ('[called.genders]\nred = "x"', r'line 2: called\.genders\.red must be "m" or "f" or "n", not \'x\''),
        ('[called.genders]\nred = ["m"]', r'line 2: called\.genders\.red must be "m" or "f" or "n"'),
    ],
)
def test_an_owners_file_is_told_which_forms_there_are(owners, text, complaint):
    with pytest.raises(BadScript, match=r"mine\.toml, " + complaint):
        Script.load(CODE, owners(text))


def test_a_language_without_forms_refuses_them_in_an_owners_file(owners):
    with pytest.raises(BadScript, match=r"forms\.dative is no form of this language: none in English"):
        Script.load("en", owners('[forms.dative]\nAlma = "Almam"\n'))


@pytest.mark.parametrize(
    ("pattern", "becomes", "complaint"),
    [
        (r'^Red = "Redem"$', "", r"forms\.dative does not say what 'Red' is, for which event\.ballot_read asks"),
        (r'^white = "n"$', 'white = "x"', r'called\.genders\.white must be "m" or "f" or "n", not \'x\''),
        (r'^white = "n"$', "", r"called\.genders\.white is missing"),
        (r"^places = .*$", "", r"grammar\.places is missing"),
        (r"^joins = .*$", 'joins = { and = " and " }', r"grammar\.joins\.or is missing"),
        (r"^balls = .*$", 'balls = ["no ball", "one ball", "{n} balls"]', r"grammar\.counted\.balls must have 4 texts"),
        (r"\{psychic:He\|She\|It\}", "{psychic:He|She}", r"event\.ballot_read asks for a form that is not there"),
        (r"\{psychic:dative\}", "{psychic:genitive}", r"event\.ballot_read asks for a form that is not there"),
        (
            r"\{psychic:dative\}",
            "{psyche}",
            r"event\.ballot_read cannot say \{psyche\}: its holes are",
        ),
        (r"^vote_cast = .*$", "", r"event\.vote_cast is missing"),
        (r"^vote_cast = ", "vote_caste = ", r"event\.vote_cast is missing"),
    ],
)
def test_what_a_language_lacks_is_named_with_file_and_key_when_it_is_loaded(thirdish, pattern, becomes, complaint):
    change(thirdish / "script.toml", (pattern, becomes))
    with pytest.raises(BadScript, match=re.escape(str(thirdish / "script.toml")) + r"(, line \d+)?: " + complaint):
        Script.load(CODE)


def test_a_form_that_an_edition_lacks_is_named_in_its_file(thirdish):
    change(
        thirdish / "editions" / "shared" / "night.toml",
        (r"^crows = .*$", 'crows = ["no crow", "one crow", "crows"]'),
    )
    with pytest.raises(BadEditionTexts, match=r"night\.toml, line \d+: words\.counted\.crows: must have 4 texts"):
        Script.load(CODE)


def test_a_form_that_means_something_else_in_a_hole_is_refused(thirdish):
    change(thirdish / "language.toml", (r"^dative = ", "card = []\ndative = "))
    with pytest.raises(BadScript, match=r"grammar cannot have a form card"):
        Script.load(CODE)


@pytest.mark.parametrize("rule", ["['(', '']", r"['a', '\2']"])
def test_a_rule_that_is_no_pattern_is_named(thirdish, rule):
    change(thirdish / "language.toml", (r"^dative = ", "broken = [" + rule.replace("\\", "\\\\") + "]\ndative = "))
    with pytest.raises(BadLanguage, match=r"language\.toml, line \d+: forms\.broken: "):
        Script.load(CODE)
