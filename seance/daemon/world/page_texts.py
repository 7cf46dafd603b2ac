"""Reads the texts on the pages, from pages.toml and the files of editions."""

from collections.abc import Iterator, Mapping
from string import Formatter

from seance import texts
from seance.edition_texts import Called, load_edition_texts
from seance.rules import EDITIONS, Edition
from seance.web.page_words import PageWords, Texts
from seance.word_forms import CHOICE

TURN_MARKS = "turn_marks"
"""The key of what a clock shows for each turn, between spaces."""
PLURALS = "plurals"
"""The key of a digit for each number from 0 on: which of the plural forms it takes, which stand between bars."""
_MAX_COUNT = 99
_HOLES = {"hour": {"n", "mark"}}
"""Holes that a text may have although the general one has not."""


def load_page_words(language: str, editions: Mapping[str, Edition] = EDITIONS) -> PageWords:
    """Return the texts of the pages in *language*, or raise BadTextFile."""
    loaded = texts.Texts.load("pages", language)
    general = {key: CHOICE.join(forms) for key, forms in loaded.forms.items()}
    general[PLURALS] = "".join(str(loaded.language.plural(number)) for number in range(_MAX_COUNT + 1))
    words: dict[str, dict[str, str]] = {}
    editions_texts = load_edition_texts(language, editions)
    for name, own in editions_texts.items():
        for key, complaint in _problems(own.tables.pages, general):
            raise own.error(f"pages.{key}", complaint)
        words[name] = {**general, **own.tables.pages, TURN_MARKS: " ".join(own.tables.turns.marks)}
        words[name] |= {f"choice_level_{level}": each.written for level, each in own.tables.levels.items()}
    called = {f"choice_edition_{name}": _named(own.tables.called) for name, own in editions_texts.items()}
    return PageWords({name: {**texts_, **called} for name, texts_ in words.items()})


def _named(called: Called) -> str:
    """Return what an edition is called, with the word that the house says for it if that is another."""
    return called.written if called.said in called.written else f"{called.written} ({called.said})"


def _problems(own: Texts, general: Texts) -> Iterator[tuple[str, str]]:
    """Yield each key of an edition's *own* texts that cannot stand for a *general* one, and why."""
    for key, text in own.items():
        if key not in general:
            yield key, "is unknown in pages.toml"
        elif unknown := sorted(_holes(text) - (known := _holes(general[key]) | _HOLES.get(key, set()))):
            holes = ", ".join(f"{{{hole}}}" for hole in sorted(known)) or "none"
            yield key, f"cannot say {{{unknown[0]}}}: its holes are {holes}"


def _holes(text: str) -> set[str]:
    return {hole for _, hole, _, _ in Formatter().parse(text) if hole is not None}
