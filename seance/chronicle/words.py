"""The words and sentences of a chronicle in one language, from voices/<language>/chronicle.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from seance.languages import read_language_file
from seance.plain_text import strip_controls
from seance.rules import Category, Psychic
from seance.text_files import BadTextFile, parse_toml


class BadChronicle(BadTextFile):
    """A chronicle.toml is missing or has something unusable; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class ChronicleWords:
    """The words and sentences of one language."""

    language: str
    tables: Mapping[str, Mapping[str, Any]]
    names: Mapping[str, str]
    """The owner's names for psychics, by colour; the others have their names from the box."""
    source: str
    """The name of the file in messages."""

    @classmethod
    def load(cls, language: str, names: Mapping[str, str] | None = None) -> ChronicleWords:
        """Return the words of *language*, with the owner's *names*."""
        file = read_language_file(language, "chronicle.toml", BadChronicle)
        tables = parse_toml(file.text, file.source, BadChronicle)
        own_names = {colour: strip_controls(name) for colour, name in (names or {}).items()}
        return cls(language, tables, own_names, file.source)

    def word(self, key: str, table: str = "words", **holes: object) -> str:
        """Return the word or line *key* of *table*, filled in."""
        found: str = self._look_up(table, key)
        return found.format(**holes)

    def sentence(self, key: str, turn: int = 0, **holes: object) -> str:
        """Return a capitalised sentence for *key*; the number *turn* chooses among its variants."""
        text = self.line(key, turn, **holes)
        return text[0].upper() + text[1:]

    def line(self, key: str, turn: int = 0, **holes: object) -> str:
        """Return a sentence or a part of one for *key*, as it is written; *turn* chooses the variant."""
        lines = self._look_up("sentences", key)
        text: str = lines[turn % len(lines)].format(**holes)
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

    def day(self, hour: int) -> str:
        """Return the day of the week that *hour* stands for."""
        return str(self._look_up("words", "days")[hour - 1])

    def _name(self, psychic: Psychic, form: int) -> str:
        return self.names.get(psychic) or str(self._look_up("psychics", psychic)[form])

    def _look_up(self, table: str, key: str) -> Any:
        try:
            return self.tables[table][key]
        except KeyError:
            raise BadChronicle(f"{self.source}: {table}.{key} is missing") from None


def roman(hour: int) -> str:
    """Return *hour* (1 to 7) as a clock shows it.

    >>> roman(4)
    'IV'
    """
    return ("I", "II", "III", "IV", "V", "VI", "VII")[hour - 1]
