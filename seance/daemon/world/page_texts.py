"""Reads the texts on the pages, from pages.toml and the files of editions."""

from collections.abc import Iterator, Mapping
from string import Formatter

from seance.edition_texts import load_edition_texts
from seance.languages import read_language_file
from seance.rules import EDITIONS, Edition
from seance.text_files import parse_toml
from seance.web.page_words import PageWords, Texts

TURN_MARKS = "turn_marks"
"""The key of what a clock shows for each turn, between spaces."""
_HOLES = {"hour": {"n", "mark"}}
"""Holes that a text may have although the general one has not."""


def load_page_words(language: str, editions: Mapping[str, Edition] = EDITIONS) -> PageWords:
    """Return the texts of the pages in *language*, or raise BadTextFile."""
    file = read_language_file(language, "pages.toml")
    general: Texts = parse_toml(file.text, file.source)
    words = {}
    for name, texts in load_edition_texts(language, editions).items():
        for key, complaint in _problems(texts.tables.pages, general):
            raise texts.error(f"pages.{key}", complaint)
        words[name] = {**general, **texts.tables.pages, TURN_MARKS: " ".join(texts.tables.turns.marks)}
    return PageWords(words)


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
