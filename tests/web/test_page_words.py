"""The words on the pages, in both languages."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

from seance.daemon.world.page_texts import PLURALS, TURN_MARKS, load_page_words
from seance.edition_texts import BadEditionTexts, load_edition_texts
from seance.languages import language_codes, load_language, read_language_file
from seance.narration.script import Script
from seance.rules import Category, Psychic
from tests.written_voices import WriteVoice

PAGES = files("seance.web").joinpath("pages")


def words(language: str) -> dict[str, str | list[str]]:
    return tomllib.loads(read_language_file(language, "pages.toml").text)


def blanks(text: str | list[str]) -> set[str]:
    """Return the names in braces that *text*, or its plural forms, are filled with."""
    forms = [text] if isinstance(text, str) else text
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}


def sources(suffix: str) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in PAGES.iterdir() if file.name.endswith(suffix)}


@pytest.mark.parametrize("language", language_codes())
def test_all_languages_have_the_same_words_with_the_same_holes(language: str) -> None:
    def holes(code: str) -> list[tuple[str, set[str]]]:
        return [(key, blanks(text)) for key, text in words(code).items()]

    assert holes(language) == holes("en")


def test_every_word_that_a_page_is_printed_with_exists() -> None:
    named = {key for text in sources(".html").values() for key in re.findall(r"\{\{(\w+)\}\}", text)}
    assert named - {"language", "edition", "role"} - set(words("en")) == set()


def test_every_word_that_a_script_asks_for_exists() -> None:
    asked = {key for text in sources(".js").values() for key in re.findall(r"""\bsay\(["'](\w+)["']""", text)}
    assert asked - {TURN_MARKS} - set(words("en")) == set()


def test_an_edition_has_its_own_words_on_the_pages() -> None:
    editions = load_page_words("en").editions
    assert editions["libellud"]["hour"] == "Hour {mark}"
    assert {editions[name]["hour"] for name in ("igames", "portal", "manual")} == {"Day {n}"}
    assert editions["libellud"][TURN_MARKS] == "I II III IV V VI VII"
    assert editions["portal"][TURN_MARKS] == "Mo Tu We Th Fr Sa Su"


@pytest.mark.parametrize("language", language_codes())
def test_the_set_up_shows_the_word_by_which_the_house_asks_for_an_edition(language: str) -> None:
    words = load_page_words(language).of("libellud")
    said = {name: own.tables.called.said for name, own in load_edition_texts(language).items()}
    assert [name for name, word in said.items() if word not in words[f"choice_edition_{name}"]] == []


@pytest.mark.parametrize("language", language_codes())
def test_a_page_knows_the_plural_form_of_each_number(language: str) -> None:
    for texts in load_page_words(language).editions.values():
        forms = texts["ghost_cards"].split("|")
        assert len(forms) == load_language(language).plurals
        assert [forms[int(digit)] for digit in texts[PLURALS]][1:3] == [forms[0], forms[1]]


@pytest.mark.parametrize("language", language_codes())
def test_none_of_a_thing_is_never_shown_as_one(language: str) -> None:
    for texts in load_page_words(language).editions.values():
        form = int(texts[PLURALS][0])
        counted = {key: text.split("|") for key, text in texts.items() if "|" in text}
        assert [key for key, forms in counted.items() if "{n}" not in forms[form]] == []


@pytest.mark.parametrize("language", language_codes())
def test_a_row_of_the_ghost_has_room_for_where_each_token_lies(language: str) -> None:
    for texts in load_page_words(language).editions.values():
        shown = texts["guess"].format(card=58), texts["guess_none"]
        assert [text for text in shown if len(text) > 13] == []


@pytest.mark.parametrize(
    ("pages", "complaint"),
    [
        ("hours = 'x'", r"portal\.toml, line 3: pages\.hours: is unknown in pages\.toml"),
        ("voted = 'x {n}'", r"portal\.toml, line 3: pages\.voted: cannot say {n}: its holes are none"),
    ],
)
def test_a_mistake_in_an_editions_words_names_file_and_key(write_voice: WriteVoice, pages: str, complaint: str) -> None:
    names = read_language_file("en", "editions/portal.toml").text.partition("[called]")[2].partition("\n[")[0]
    write_voice("en/editions/portal.toml", f"like = 'week'\n[pages]\n{pages}\n[called]{names}")
    with pytest.raises(BadEditionTexts, match=complaint):
        load_page_words("en")


def test_no_word_is_left_that_nobody_asks_for() -> None:
    pages, server = "".join((*sources(".html").values(), *sources(".js").values())), Path(str(PAGES)).parent
    families = tuple(re.findall(r"`(\w+_)\$\{", pages))
    named = set(
        re.findall(r"\w+", pages + "".join(file.read_text(encoding="utf-8") for file in server.parent.rglob("*.py")))
    )
    named |= set(Psychic) | {f"{kind}{plural}" for kind in Category for plural in ("", "s")}
    assert [key for key in words("en") if key not in named and not key.startswith(families)] == []


def test_a_page_asks_at_once_for_every_script_that_it_needs() -> None:
    scripts = sources(".js")

    def needed(name: str) -> set[str]:
        found = re.findall(r'from "/static/([\w.]+)"', scripts[name])
        return set(found).union(*map(needed, found))

    for page, text in sources(".html").items():
        first = re.findall(r'<script type="module" src="/static/([\w.]+)">', text)
        asked = re.findall(r'<link rel="modulepreload" href="/static/([\w.]+)">', text)
        assert set(asked) == set().union(*map(needed, first)), page


@pytest.mark.parametrize("language", language_codes())
def test_the_pages_call_psychics_as_the_house_does(language: str) -> None:
    called = Script.load(language).inflection.psychics
    for texts in load_page_words(language).editions.values():
        assert {psychic: texts[psychic] for psychic in called} == called
