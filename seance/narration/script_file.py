"""Reading and checking a script file; complaints name the file, the line and the key."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any

from seance.narration.inflection import SEAM, EditionWords, Inflection, LineValue
from seance.rules import Category, Psychic

Lines = dict[str, tuple[str, ...]]

_NOT_LINES = ("grammar", "words", "called", "tales")
"""Tables of a script file that hold no lines."""


class BadScript(ValueError):
    """A script file has something unusable; the message names the file, the line and the key."""


SAMPLE_VALUES: Mapping[str, LineValue] = {
    **dict.fromkeys(["psychic", "by", "on", "other"], Psychic.RED),
    **dict.fromkeys(["category", "next"], Category.OBJECT),
    **{str(kind): kind for kind in Category},
    **dict.fromkeys(["name", "level", "edition", "said", "port"], "a word"),
    **dict.fromkeys(["count", "crows", "spaces", "found", "more", "players", "needed", "balls"], 2),
    **dict.fromkeys(["least", "most", "sees", "number", "groups", "low", "intermediate", "upper", "high"], 3),
    "hour": 7,
    "place": 3,
    "seconds": 90,
    "card": 41,
    "cards": (7, 21, 41),
    "psychics": (Psychic.RED, Psychic.BLUE, Psychic.WHITE),
    "choices": ("one", "another"),
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
        text = files("voices").joinpath(language, "script.toml").read_text(encoding="utf-8")
        return cls(f"voices/{language}/script.toml", text)

    @classmethod
    def load(cls, path: Path) -> "ScriptFile":
        """Return the file at *path*, or raise BadScript."""
        try:
            return cls(str(path), path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise BadScript(f"{path}: cannot be read: {error}") from error

    def tables(self) -> dict[str, Any]:
        """Return the tables of the file, or raise BadScript."""
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise BadScript(f"{self.name}: not TOML: {error}") from error

    def lines(self, table: Any, prefix: str = "") -> Lines:
        """Return the lines of *table* by their full key, or raise BadScript."""
        if not isinstance(table, dict):
            raise self.error(prefix.rstrip("."), f"must be a table, not {table!r}")
        return dict(self._flat(table, prefix))

    def _flat(self, table: Any, prefix: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        for name, value in table.items():
            key = f"{prefix}{name}"
            if isinstance(value, dict):
                if prefix or name not in _NOT_LINES:
                    yield from self._flat(value, f"{key}.")
            else:
                yield key, self._variants(key, value)

    def _variants(self, key: str, value: Any) -> tuple[str, ...]:
        variants = [value] if isinstance(value, str) else value
        if (
            not isinstance(variants, list)
            or not variants
            or not all(isinstance(v, str) and v.strip() for v in variants)
        ):
            raise self.error(key, f'must be a text, or a list of texts such as ["one", "another"], not {value!r}')
        for line in variants:
            if complaint := _complaint(line):
                raise self.error(key, f"{complaint}: {line!r}")
        return tuple(variants)

    def error(self, key: str, complaint: str) -> BadScript:
        """Return the error that *complaint* is about *key*, with its file and line."""
        return BadScript(f"{self.name}, line {_line_of(self.text, key)}: {key} {complaint}")


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


def _line_of(text: str, key: str) -> int:
    """Return the number of the line on which *key*, or the table that holds it, is written."""
    here, found = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]+\s*(#.*)?$", line):
            here = re.sub("[\"' ]", "", header[1]) + "."
            found = number if f"{key}.".startswith(here) else found
        elif entry := re.match(r"\s*([\w\"'. -]+?)\s*=", line):
            name = here + re.sub("[\"' ]", "", entry[1])
            if f"{key}.".startswith(f"{name}."):
                return number
    return found


def read_inflection(tables: Mapping[str, Any]) -> Inflection:
    """Return the inflection that the [grammar], [words] and [called] tables of a script describe."""
    grammar, called = tables["grammar"], tables["called"]
    return Inflection(
        numbers=tuple(grammar["numbers"]),
        places=tuple(grammar["places"]),
        joins=grammar["joins"],
        comma=grammar["comma"],
        card=grammar["card"],
        seams=tuple((re.compile(seam), becomes) for seam, becomes in grammar["seams"]),
        editions=grammar["editions"],
        words={name: _words(words, grammar["counted"]) for name, words in tables["words"].items()},
        psychics={psychic: called["colours"][psychic] for psychic in Psychic},
        names={psychic: called["names"][psychic] for psychic in Psychic},
        genders={psychic: called["genders"][psychic] for psychic in Psychic},
        called={what: called[what] for what in ("levels", "editions")},
    )


def _words(words: Mapping[str, Any], counted: Mapping[str, Any]) -> EditionWords:
    return EditionWords(
        hours=tuple(words["hours"]),
        plain=words["plain"],
        counted={what: tuple(forms) for what, forms in {**counted, **words["counted"]}.items()},
        kinds=words["kinds"],
    )
