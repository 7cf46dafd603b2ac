"""Forms of words in one language: grammatical cases, choices by gender and by number, and elisions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from seance.languages import Language

SEAM = "\u2038"
"""Marks the start of a name while a line is filled, so that a language can elide: de + Alma, de + le rêve."""
CHOICE = "|"
"""Stands between the words of a choice by gender or by number: {psychic:he|she}, {count:card|cards}."""

WrittenForms = Mapping[str, Mapping[str, str]]
"""By the name of the form: what a text is in this form, by the text as it is otherwise."""


@dataclass(frozen=True, slots=True)
class WordForms:
    """The forms of a language: those that follow its rules, and those that are written out."""

    language: Language
    written: WrittenForms

    def split(self, form: str) -> tuple[str, str]:
        """Return what a hole asks for and the grammatical form of it, such as `card` and `dative` for card.dative."""
        if CHOICE in form:
            return form, ""
        what, _, case = form.partition(".")
        return ("", what) if what in self.language.forms and not case else (what, case)

    def has(self, text: str, form: str) -> bool:
        """Return whether *form* of *text* is written out or follows a rule."""
        return not form or self._find(text, form) is not None

    def inflect(self, text: str, form: str) -> str:
        """Return *text* in *form*; a text without that form, such as an owner's name, stays as it is."""
        return (self._find(text, form) if form else None) or text

    def _find(self, text: str, form: str) -> str | None:
        if (written := self.written.get(form, {}).get(text)) is not None:
            return written
        for pattern, becomes in self.language.forms[form]:
            changed, count = re.subn(pattern, becomes, text, count=1)
            if count:
                return changed
        return None

    def by_gender(self, choice: str, gender: str) -> str:
        """Return the word of *choice*, such as `he|she`, for *gender*, or raise IndexError where there is none."""
        return choice.split(CHOICE)[self.language.genders.index(gender)]

    def by_number(self, choice: str, number: int) -> str:
        """Return the word of *choice*, such as `card|cards`, for *number*, or raise IndexError where there is none."""
        return choice.split(CHOICE)[self.language.plural(number)]

    def elide(self, text: str, *, apostrophe: str = "'") -> str:
        """Return *text* with its words elided before the names that SEAM marks, and without marks."""
        for seam, becomes in self.language.seams:
            text = re.sub(seam, becomes.replace("'", apostrophe), text)
        return text.replace(SEAM, "")
