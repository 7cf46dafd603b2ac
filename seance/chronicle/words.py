"""The words and sentences of a chronicle in one language, from chronicle.toml and the files of editions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import Formatter
from typing import Any

from seance.edition_texts import EditionTexts, load_edition_texts
from seance.languages import read_language_file
from seance.plain_text import strip_controls
from seance.rules import EDITIONS, Category, Edition, Psychic
from seance.text_files import BadTextFile, parse_toml

Tables = Mapping[str, Mapping[str, Any]]


class BadChronicle(BadTextFile):
    """A chronicle.toml is missing or has something unusable; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class ChronicleWords:
    """The words and sentences of one language, in the words of one edition."""

    language: str
    tables: Tables
    names: Mapping[str, str]
    """The owner's names for psychics, by colour; the others have their names from the box."""
    source: str
    """The name of chronicle.toml in messages."""
    editions: Mapping[str, EditionTexts]
    edition: EditionTexts
    """The edition of the night that is told."""

    @classmethod
    def load(
        cls, language: str, names: Mapping[str, str] | None = None, *, editions: Mapping[str, Edition] = EDITIONS
    ) -> ChronicleWords:
        """Return the words of *language*, as the first of *editions* has them, with the owner's *names*."""
        file = read_language_file(language, "chronicle.toml", BadChronicle)
        tables: Tables = parse_toml(file.text, file.source, BadChronicle)
        texts = load_edition_texts(language, editions)
        for each in texts.values():
            for key, complaint in _problems(each.tables.chronicle, tables):
                raise each.error(f"chronicle.{key}", complaint)
        called = {colour: strip_controls(name) for colour, name in (names or {}).items()}
        return cls(language, tables, called, file.source, texts, next(iter(texts.values())))

    def for_edition(self, name: str) -> ChronicleWords:
        """Return the same words with those that the edition *name* has in their place."""
        return replace(self, edition=self.editions[name])

    def word(self, key: str, table: str = "words", **holes: object) -> str:
        """Return the word or line *key* of *table*, filled in."""
        found: str = self._look_up(table, key)
        return found.format(**holes)

    def sentence(self, key: str, variant: int = 0, /, **holes: object) -> str:
        """Return a capitalised sentence for *key*; the number *variant* chooses among those that there are."""
        return _capitalise(self.line(key, variant, **holes))

    def line(self, key: str, variant: int = 0, /, **holes: object) -> str:
        """Return a sentence or a part of one for *key*, as it is written; *variant* chooses which."""
        lines = self._look_up("sentences", key)
        text: str = lines[variant % len(lines)].format(**holes)
        return text

    def full_name(self, psychic: Psychic) -> str:
        """Return the full name."""
        return self._name(psychic, 0)

    def name(self, psychic: Psychic) -> str:
        """Return the name as it stands in a sentence."""
        return self._name(psychic, 1)

    def short_name(self, psychic: Psychic) -> str:
        """Return a name of one word and at most ten letters."""
        return re.split(r"[\s-]", self._name(psychic, 2).strip())[0][:10]

    def category(self, category: Category) -> str:
        """Return *category* with its article."""
        return self.word(category, "categories")

    def edition_name(self) -> str:
        """Return what the edition is called."""
        return self.edition.tables.called.written

    def level_name(self, level: str) -> str:
        """Return what *level* is called."""
        return self.edition.tables.levels[level].written

    def turn(self, hour: int) -> str:
        """Return what the turn *hour* is called, as in the middle of a sentence."""
        return self.edition.tables.turns.written[hour - 1]

    def turn_heading(self, hour: int) -> str:
        """Return what the turn *hour* is called, as a heading."""
        return _capitalise(self.turn(hour))

    def turn_mark(self, hour: int) -> str:
        """Return the turn *hour* in a few letters, as a clock shows it."""
        return self.edition.tables.turns.marks[hour - 1]

    def join(self, items: Iterable[str]) -> str:
        """Return *items* joined by commas and "and"."""
        *rest, last = items
        return f"{', '.join(rest)} {self.word('and')} {last}" if rest else last

    def number(self, count: int) -> str:
        """Return a small *count* as a word."""
        numbers = self._look_up("words", "numbers")
        return str(numbers[count] if count < len(numbers) else count)

    def date(self, day: int, month: int, year: int) -> str:
        """Return a date in words."""
        return self.word("date", day=day, month=self._look_up("words", "months")[month - 1], year=year)

    def _name(self, psychic: Psychic, form: int) -> str:
        return self.names.get(psychic) or str(self._look_up("psychics", psychic)[form])

    def _look_up(self, table: str, key: str) -> Any:
        own = self.edition.tables.chronicle.get(table, {})
        if key in own:
            return own[key]
        try:
            return self.tables[table][key]
        except KeyError:
            raise BadChronicle(f"{self.source}: {table}.{key} is missing") from None


def _problems(own: Tables, tables: Tables) -> Iterator[tuple[str, str]]:
    """Yield each key of an edition's *own* texts that cannot stand for one of *tables*, and why."""
    for table, texts in own.items():
        for key, text in texts.items():
            ours = tables.get(table, {}).get(key)
            if ours is None:
                yield f"{table}.{key}", "is unknown in chronicle.toml"
            elif type(text) is not type(ours) or not all(isinstance(each, str) for each in text):
                yield f"{table}.{key}", f"must be {'a list of texts' if isinstance(ours, list) else 'a text'}"
            elif unknown := sorted(_holes(text) - _holes(ours)):
                known = ", ".join(f"{{{hole}}}" for hole in sorted(_holes(ours))) or "none"
                yield f"{table}.{key}", f"cannot say {{{unknown[0]}}}: its holes are {known}"


def _holes(text: str | list[str]) -> set[str]:
    lines = [text] if isinstance(text, str) else text
    return {hole for line in lines for _, hole, _, _ in Formatter().parse(line) if hole is not None}


def _capitalise(text: str) -> str:
    return text[0].upper() + text[1:]


def roman(number: int) -> str:
    """Return *number* (1 or more) in Roman numerals.

    >>> [roman(number) for number in (4, 7, 12)]
    ['IV', 'VII', 'XII']
    """
    numeral = ""
    for value, sign in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        count, number = divmod(number, value)
        numeral += sign * count
    return numeral
