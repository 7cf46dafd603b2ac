"""Reading and checking a script file; complaints name the file, the line and the key."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

from seance.languages import read_language_file
from seance.narration.inflection import LineValue
from seance.rules import Category, Psychic
from seance.text_files import BadTextFile, at_line, line_of, parse_toml, read_text, shorten
from seance.word_forms import SEAM

Lines = dict[str, tuple[str, ...]]

_NOT_LINES = ("grammar", "called", "forms", "tales")
"""Tables of a script file that hold no lines."""


class BadScript(BadTextFile):
    """A script file has something unusable; the message names the file, the line and the key."""


SAMPLE_VALUES: Mapping[str, LineValue] = {
    **dict.fromkeys(["psychic", "by", "on", "other"], Psychic.RED),
    **dict.fromkeys(["category", "next"], Category.OBJECT),
    **{str(kind): kind for kind in Category},
    **dict.fromkeys(["name", "level", "edition", "said", "port", "mark", "code"], "a word"),
    **dict.fromkeys(["count", "crows", "spaces", "found", "more", "players", "needed", "balls", "hand", "tokens"], 2),
    **dict.fromkeys(["least", "most", "sees", "number", "groups", "low", "intermediate", "upper", "high"], 3),
    "hour": 1,
    "first": 4,
    "second": 7,
    "place": 3,
    "seconds": 90,
    "card": 41,
    "cards": (7, 21, 41),
    "psychics": (Psychic.RED, Psychic.BLUE, Psychic.WHITE),
    "choices": ("one", "another"),
    "levels": ("one", "another"),
    "examples": ("one", "another"),
}
"""A value for every hole, to try lines with."""


def holes_of(*variants: str) -> set[str]:
    """Return the names of the holes in *variants*."""
    return {hole for line in variants for _, hole, _, _ in Formatter().parse(line) if hole is not None}


class ScriptFile:
    """The text of one script file."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text

    @classmethod
    def load_ours(cls, language: str) -> "ScriptFile":
        """Return the script of *language* that comes with the program."""
        return cls(*read_language_file(language, "script.toml", BadScript))

    @classmethod
    def load(cls, path: Path) -> "ScriptFile":
        """Return the file at *path*, or raise BadScript."""
        return cls(str(path), read_text(path, BadScript))

    def tables(self) -> dict[str, Any]:
        """Return the tables of the file, or raise BadScript."""
        return parse_toml(self.text, self.name, BadScript)

    def lines(self, table: Any, prefix: str = "") -> Lines:
        """Return the lines of *table* by their full key, or raise BadScript."""
        if not isinstance(table, dict):
            raise self.error(prefix.rstrip("."), f"must be a table, not {shorten(repr(table))}")
        return dict(self._flat(table, prefix))

    def _flat(self, table: Any, prefix: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        for name, value in table.items():
            key = f"{prefix}{name}"
            if isinstance(value, dict):
                if prefix or name not in _NOT_LINES:
                    yield from self._flat(value, f"{key}.")
            else:
                yield key, self.variants(key, value)

    def variants(self, key: str, value: Any) -> tuple[str, ...]:
        """Return the variants of *key* that *value* holds, or raise BadScript."""
        variants = [value] if isinstance(value, str) else value
        if (
            not isinstance(variants, list)
            or not variants
            or not all(isinstance(v, str) and v.strip() for v in variants)
        ):
            raise self.error(
                key, f'must be a text, or a list of texts such as ["one", "another"], not {shorten(repr(value))}'
            )
        for line in variants:
            if complaint := _complaint(line):
                raise self.error(key, f"{complaint}: {shorten(repr(line))}")
        return tuple(variants)

    def error(self, key: str, complaint: str) -> BadScript:
        """Return the error that *complaint* is about *key*, with its file and line."""
        where = at_line(self.name, line_of(self.text, key.split(".")))
        return BadScript(f"{where}: {shorten(key)} {complaint}")


def _complaint(line: str) -> str | None:
    """Return what is wrong with *line*, if anything."""
    try:
        holes = list(Formatter().parse(line))
    except ValueError as error:
        return f"has a brace too many or too few ({error})"
    for _, hole, _, conversion in holes:
        if hole is not None and (not hole.isidentifier() or conversion):
            return f"has a hole that is no name ({{{hole}}})"
    return "has a sign that cannot be said" if SEAM in line else None
