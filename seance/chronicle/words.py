"""The words and sentences of a chronicle in one language, from chronicle.toml and the files of editions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from seance.chronicle.holes import Count, Word, WordList
from seance.chronicle.text_checks import BadChronicle, Tables, check_tables, own_problems
from seance.edition_texts import EditionTexts, load_edition_texts
from seance.languages import load_language, read_language_file
from seance.plain_text import strip_controls
from seance.rules import EDITIONS, Category, Edition, Psychic
from seance.text_files import parse_toml
from seance.word_forms import WordForms

_APOSTROPHE = "\u2019"
"""What an elision is written with in print."""

__all__ = ["BadChronicle", "ChronicleWords"]


@dataclass(frozen=True, slots=True)
class ChronicleWords:
    """The words and sentences of one language, in the words of one edition."""

    language: str
    tables: Tables
    names: Mapping[str, str]
    """The owner's names for psychics, by colour; the others have their names from the box."""
    source: str
    """The name of chronicle.toml in messages."""
    forms: WordForms
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
        texts, known = load_edition_texts(language, editions), load_language(language)
        check_tables(file, tables, known)
        for each in texts.values():
            for key, complaint in own_problems(each.tables.chronicle, tables, known):
                raise each.error(f"chronicle.{key}", complaint)
        called = {colour: strip_controls(name) for colour, name in (names or {}).items()}
        forms = WordForms(known, tables.get("forms", {}))
        return cls(language, tables, called, file.source, forms, texts, next(iter(texts.values())))

    def for_edition(self, name: str) -> ChronicleWords:
        """Return the same words with those that the edition *name* has in their place."""
        return replace(self, edition=self.editions[name])

    def word(self, key: str, table: str = "words", **holes: object) -> str:
        """Return the word or line *key* of *table*, filled in."""
        return self._fill(self._look_up(table, key), holes)

    def sentence(self, key: str, variant: int = 0, /, **holes: object) -> str:
        """Return a capitalised sentence for *key*; the number *variant* chooses among those that there are."""
        return _capitalise(self.line(key, variant, **holes))

    def line(self, key: str, variant: int = 0, /, **holes: object) -> str:
        """Return a sentence or a part of one for *key*, as it is written; *variant* chooses which."""
        lines = self._look_up("sentences", key)
        return self._fill(lines[variant % len(lines)], holes)

    def _fill(self, line: str, holes: Mapping[str, object]) -> str:
        return self.forms.elide(line.format(**holes), apostrophe=_APOSTROPHE)

    def full_name(self, psychic: Psychic) -> str:
        """Return the full name."""
        return self._name(psychic, 0)

    def name(self, psychic: Psychic) -> Word:
        """Return the name as it stands in a sentence."""
        return self._word(psychic, 1)

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

    def names_of(self, psychics: Iterable[Psychic], *, full: bool = False) -> WordList:
        """Return the names of *psychics* as they stand in a sentence, or their full names, as a list."""
        return WordList([self._word(psychic, 0 if full else 1) for psychic in psychics], self.word("and"))

    def noun(self, text: str) -> Word:
        """Return what a category, a turn or an edition is called as a word that takes forms."""
        return Word(text, self.forms)

    def count(self, number: int) -> Count:
        """Return *number* in digits."""
        return Count(number, str(number), self.forms)

    def number(self, count: int) -> Count:
        """Return a small *count* as a word."""
        numbers = self._look_up("words", "numbers")
        return Count(count, str(numbers[count] if count < len(numbers) else count), self.forms)

    def date(self, day: int, month: int, year: int) -> str:
        """Return a date in words."""
        return self.word("date", day=day, month=self._look_up("words", "months")[month - 1], year=year)

    def _word(self, psychic: Psychic, form: int) -> Word:
        return Word(self._name(psychic, form), self.forms, self.tables.get("genders", {}).get(psychic))

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


def _capitalise(text: str) -> str:
    return text[0].upper() + text[1:]
