"""What fills the holes of a chronicle's sentences: words, lists and numbers that take the form that a hole asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seance.word_forms import CHOICE, SEAM, WordForms


@dataclass(frozen=True, slots=True)
class Word:
    """A name or a noun: {name}, {name:dative}, {name:he|she}."""

    text: str
    forms: WordForms
    gender: str | None = None

    def __format__(self, form: str) -> str:
        """Return the word in *form*, or raise LookupError where it has none."""
        if CHOICE in form:
            if self.gender is None:
                raise LookupError(f"{self.text!r} has no gender")
            return self.forms.by_gender(form, self.gender)
        return SEAM + self.forms.inflect(self.text, form)


@dataclass(frozen=True, slots=True)
class WordList:
    """Several names, joined by commas and "and"; each takes the form that the hole asks for."""

    items: Sequence[Word]
    last: str
    """What stands before the last item."""

    def __format__(self, form: str) -> str:
        *rest, last = (format(item, form) for item in self.items)
        return f"{', '.join(rest)} {self.last} {last}" if rest else last


@dataclass(frozen=True, slots=True)
class Count:
    """A number: {count}, {count:card|cards}."""

    number: int
    text: str
    forms: WordForms

    def __format__(self, form: str) -> str:
        """Return the number as a word, or the word of a choice that goes with it; or raise LookupError."""
        if CHOICE in form:
            return self.forms.by_number(form, self.number)
        if form:
            raise LookupError(f"a number has no form {form}")
        return self.text
