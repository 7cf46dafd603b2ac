"""Elisions, plurals, genders and grammatical forms in the sentences of a chronicle."""

import re

import pytest

from seance.chronicle.words import BadChronicle, ChronicleWords
from seance.rules import Psychic
from tests.third_language import CODE, change

BLUE, WHITE, RED, YELLOW = Psychic.BLUE, Psychic.WHITE, Psychic.RED, Psychic.YELLOW


def test_french_elides_before_a_name():
    words = ChronicleWords.load("fr")
    assert words.line("misled", names=words.names_of([YELLOW, BLUE])) == ", contre l\u2019avis d\u2019Alma et Alphonse"
    assert words.line("foresaw_one", 1, names=words.names_of([YELLOW])) == ", ainsi qu\u2019Alma l\u2019avait dit"


def test_french_joins_the_article_of_an_owners_name():
    words = ChronicleWords.load("fr", {"blue": "le Professeur"})
    assert words.line("misled", names=words.names_of([BLUE])) == ", contre l\u2019avis du Professeur"
    assert words.line("eldest", name=words.name(BLUE)).endswith("ce fut au Professeur, par l\u2019âge, de trancher.")


@pytest.mark.parametrize(("language", "one", "two"), [("en", "1 space.", "2 spaces."), ("fr", "1 case.", "2 cases.")])
def test_what_is_counted_agrees_with_its_number(language, one, two):
    words = ChronicleWords.load(language)
    for spaces, end in ((1, one), (2, two)):
        assert words.sentence("seers", name=words.name(RED), spaces=words.count(spaces)).endswith(end)


@pytest.mark.usefixtures("thirdish")
def test_a_third_language_has_forms_genders_and_plurals_of_its_own():
    words = ChronicleWords.load(CODE, {"red": "the cook"})
    assert words.sentence("vote", names=words.names_of([BLUE, RED]), group=2) == (
        "To Alphonseem and them cooken it was group 2."
    )
    assert words.sentence("eldest", name=words.name(WHITE)) == "It fell to Ardhashir: it decided."
    assert words.sentence("eldest", name=words.name(RED)) == "It fell toth cook: she decided."
    counted = [words.sentence("seers", name=words.name(BLUE), spaces=words.count(n)) for n in (1, 3, 5)]
    assert [each.removeprefix("Alphonse went to ") for each in counted] == ["1 space.", "3 few spaces.", "5 spaces."]


@pytest.mark.parametrize(
    ("pattern", "becomes", "complaint"),
    [
        (r'^"Alma" = .*$', "", r"forms\.dative does not say what 'Alma' is, for which sentences\.vote asks"),
        (r'^white = "n"$', "", r"sentences\.eldest asks for a form that is not there, .*'Ardhashir' has no gender"),
        (r'^white = "n"$', 'white = "x"', r"genders\.white must be one of m, f, n"),
        (r":he\|she\|it\}", ":he|she}", r"sentences\.eldest "),
        (r"names:dative", "names:genitive", r"sentences\.vote asks for a form that is not there"),
        (r"\{names:dative\}", "{nobody}", r"sentences\.vote cannot say \{nobody\}"),
        (r"^shared = .*$", "", r"sentences\.shared is missing"),
        (r"^shared = .*$", "shared = []", r"sentences\.shared must be a list of texts"),
        (r"^\[forms\.dative\]$", "[forms.genitive]", r"forms\.genitive is no form of this language"),
    ],
)
def test_what_a_chronicle_lacks_is_named_with_file_and_key_when_it_is_loaded(thirdish, pattern, becomes, complaint):
    change(thirdish / "chronicle.toml", (pattern, becomes))
    with pytest.raises(
        BadChronicle, match=re.escape(str(thirdish / "chronicle.toml")) + r"(, line \d+)?: " + complaint
    ):
        ChronicleWords.load(CODE)
