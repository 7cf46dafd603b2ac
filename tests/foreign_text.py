"""Finds text of the default language in what a program shows in another."""

import re
from collections.abc import Iterator
from string import Formatter

import pytest

from seance.languages import DEFAULT_LANGUAGE
from seance.texts import Texts
from tests.languages import LANGUAGES

EACH_OTHER_LANGUAGE = pytest.mark.parametrize("language", [code for code in LANGUAGES if code != DEFAULT_LANGUAGE])
MIN_LETTERS = 4
"""Shorter pieces of text are the same in many languages."""


def untranslated(shown: str, name: str, language: str) -> list[str]:
    """Return the pieces of the default language's texts *name* that are in *shown*, and are not text of *language*."""
    shown = " ".join(shown.split())
    own = " ".join(_pieces(name, language))
    return [piece for piece in _pieces(name, DEFAULT_LANGUAGE) if _is_said(piece, shown) and piece not in own]


def _is_said(piece: str, shown: str) -> bool:
    """Return whether *piece* is in *shown* and not a part of longer words, such as a path."""
    return re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", shown) is not None


def _pieces(name: str, language: str) -> Iterator[str]:
    """Yield the text between the holes of all texts."""
    for forms in Texts.load(name, language).forms.values():
        for form in forms:
            for piece, _, _, _ in Formatter().parse(form):
                if sum(letter.isalpha() for letter in piece) >= MIN_LETTERS:
                    yield " ".join(piece.split())
