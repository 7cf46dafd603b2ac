"""The texts that a program shows, in one language, from `voices/<language>/<name>.toml`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import Formatter
from typing import Any

from seance.languages import DEFAULT_LANGUAGE, Language, load_language, read_language_file
from seance.text_files import BadTextFile, at_line, line_of, parse_toml

Forms = tuple[str, ...]
"""A text, or as many of it as the language has plural forms."""


class BadTexts(BadTextFile):
    """A file of texts cannot be used; the message names the file, the line and the key."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one file."""

    language: Language
    forms: Mapping[str, Forms]
    """By dotted key."""

    @classmethod
    def load(cls, name: str, language: str) -> Texts:
        """Return the texts *name* of *language*, or raise BadTexts.

        Keys and holes must be those of the same file in the default language.
        """
        spoken, file = load_language(language), read_language_file(language, f"{name}.toml", BadTexts)
        default = read_language_file(DEFAULT_LANGUAGE, f"{name}.toml", BadTexts)
        found = _parse(file.text, file.source)
        expected = _parse(default.text, default.source)
        for key in (*expected, *found):
            if problem := _find_problem(found.get(key), expected.get(key), spoken):
                raise BadTexts(f"{at_line(file.source, line_of(file.text, key.split('.')))}: {key}: {problem}")
        return cls(spoken, {key: _forms(value) for key, value in found.items()})

    def with_changes(self, changes: Mapping[str, Any], error: Callable[[str, str], BadTextFile]) -> Texts:
        """Return the texts with *changes* in their place, or raise the *error* for the dotted key and the problem."""
        given = dict(_flatten(changes))
        for key, value in given.items():
            ours = self.forms.get(key)
            expected = list(ours) if ours is not None and isinstance(value, list) else ours and ours[0]
            if problem := _find_problem(value, expected, self.language):
                raise error(key, problem)
        return replace(self, forms={**self.forms, **{key: _forms(value) for key, value in given.items()}})

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text *key* with its holes filled."""
        (text,) = self.forms[key]
        return text.format(**values)

    def count(self, key: str, number: int, /, **values: object) -> str:
        """Return the text *key* in the plural form of *number*, which fills the hole {n}."""
        return self.forms[key][self.language.plural(number)].format(n=number, **values)

    def unfilled(self, key: str) -> str:
        """Return the text *key* with its holes."""
        (text,) = self.forms[key]
        return text


def holes_of(*forms: str) -> set[str]:
    """Return the names of the holes in *forms*, or raise ValueError where a brace is too many."""
    return {hole for form in forms for _, hole, _, _ in Formatter().parse(form) if hole is not None}


def _forms(value: str | list[str]) -> Forms:
    return (value,) if isinstance(value, str) else tuple(value)


def _parse(text: str, source: str) -> dict[str, Any]:
    return dict(_flatten(parse_toml(text, source, BadTexts)))


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted key and the value of everything in *table*."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _find_problem(value: Any, expected: Any, language: Language) -> str | None:
    """Return what is wrong with *value*, where the default language has *expected*; None if nothing is."""
    if value is None:
        return "is missing"
    if expected is None:
        return "there is no such key"
    if isinstance(expected, str):
        if not isinstance(value, str):
            return "must be a text"
    elif not (isinstance(value, list) and all(isinstance(form, str) for form in value)):
        return "must be a list of plural forms"
    elif len(value) != language.plurals:
        return f"must have {language.plurals} plural forms, as plural_forms in language.toml says"
    try:
        given = holes_of(*([value] if isinstance(value, str) else value))
    except ValueError as problem:
        return f"has a brace too many or too few ({problem})"
    wanted = holes_of(*([expected] if isinstance(expected, str) else expected))
    if given - wanted:
        return f"has a hole that nothing fills: {', '.join(sorted(given - wanted))}"
    return None
