"""Files of lines, read and checked: ours, and the owner's laid over it; nothing is chosen here."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any

from seance.narration.grammar import FORMS, SEAM, Grammar, Words
from seance.rules import Psychic

Lines = dict[str, tuple[str, ...]]

_NOT_LINES = ("grammar", "words", "called", "tales")
"""Tables of a script that are no lines."""


class BadScript(ValueError):
    """A file of lines says something that cannot be used; the message has file, line and key."""


def read_script(language: str, owners: Path | None = None) -> tuple[Grammar, Lines, Lines]:
    """Return the grammar, the lines and the tales of *language*, with the *owners* file laid over ours."""
    ours = files("voices").joinpath(language, "script.toml")
    file = _File(f"voices/{language}/script.toml", ours.read_text(encoding="utf-8"))
    tables = file.tables()
    lines, tales = file.lines(tables), file.lines(tables["tales"], "tales.")
    if owners is not None:
        try:
            theirs = _File(str(owners), owners.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise BadScript(f"{owners}: cannot be read: {error}") from error
        tables = _lay_over(theirs, tables, lines, tales)
    return _grammar(tables), lines, {key.removeprefix("tales."): told for key, told in tales.items()}


def _lay_over(theirs: "_File", tables: dict[str, Any], lines: Lines, tales: Lines) -> dict[str, Any]:
    """Put the owner's lines in place of ours, or beside them what stands under `more`; return the tables so changed."""
    read = theirs.tables()
    for table in read:
        if table in ("grammar", "words"):
            raise theirs.bad(table, "is not for an owner's file: only lines, [tales], [more] and [called] are")
    holes = {key: holes_of(*variants) for key, variants in (lines | tales).items()}
    plain = set().union(*(words["plain"] for words in tables["words"].values()))
    more = theirs.lines(read.pop("more", {}), "more.")
    for key, variants in {**theirs.lines(read), **theirs.lines(read.get("tales", {}), "tales."), **more}.items():
        name = key.removeprefix("more.")
        home = tales if name.startswith("tales.") else lines
        if name not in holes:
            near = get_close_matches(name, holes, 1)
            raise theirs.bad(key, "is no line of ours" + (f": did you mean {near[0]}?" if near else ""))
        for hole in sorted(holes_of(*variants) - holes[name] - plain):
            known = ", ".join(f"{{{each}}}" for each in sorted(holes[name])) or "none"
            raise theirs.bad(key, f"cannot say {{{hole}}}: its holes are {known}")
        home[name] = home[name] + variants if key.startswith("more.") else variants
    called = {what: {**names, **read.get("called", {}).get(what, {})} for what, names in tables["called"].items()}
    for what, names in read.get("called", {}).items():
        for name in names:
            if name not in tables["called"].get(what, ()):
                raise theirs.bad(f"called.{what}.{name}", "is nothing that we know")
            if not isinstance(names[name], str):
                raise theirs.bad(f"called.{what}.{name}", f"must be a text, not {names[name]!r}")
    return {**tables, "called": called}


def holes_of(*variants: str) -> set[str]:
    """Return the names of the holes in *variants*."""
    return {hole for line in variants for _, hole, _, _ in Formatter().parse(line) if hole is not None}


class _File:
    """One file, and where in it things stand."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text

    def tables(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise BadScript(f"{self.name}: not TOML: {error}") from error

    def lines(self, table: Any, prefix: str = "") -> Lines:
        """Return the lines of *table*, checked, by their whole key."""
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
            raise self.bad(key, f'must be a text, or a list of texts such as ["one", "another"], not {value!r}')
        for line in variants:
            if complaint := _complaint(line):
                raise self.bad(key, f"{complaint}: {line!r}")
        return tuple(variants)

    def bad(self, key: str, complaint: str) -> BadScript:
        return BadScript(f"{self.name}, line {_line_of(self.text, key)}: {key} {complaint}")


def _complaint(line: str) -> str | None:
    """Return what is wrong with *line*, if anything."""
    try:
        holes = list(Formatter().parse(line))
    except ValueError as error:
        return f"has a brace too many or too few ({error})"
    for _, hole, form, conversion in holes:
        if hole is not None and (not hole.isidentifier() or conversion):
            return f"has a hole that is no name ({{{hole}}})"
        if form and not re.fullmatch(r"[\w]+|[\w' -]*\|[\w' -]*", form):
            return f"has a hole with an unknown form ({{{hole}:{form}}})"
    return "has a sign that cannot be said" if SEAM in line else None


def _line_of(text: str, key: str) -> int:
    """Return the number of the line where *key*, or the table that holds it, is written."""
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


def _grammar(tables: Mapping[str, Any]) -> Grammar:
    grammar, called = tables["grammar"], tables["called"]
    return Grammar(
        numbers=tuple(grammar["numbers"]),
        joins=grammar["joins"],
        comma=grammar["comma"],
        card=grammar["card"],
        seams=tuple((re.compile(seam.replace("‸", SEAM)), becomes) for seam, becomes in grammar["seams"]),
        editions=grammar["editions"],
        words={name: _words(words, grammar["counted"]) for name, words in tables["words"].items()},
        psychics={psychic: called["colours"][psychic] for psychic in Psychic},
        names={psychic: called["names"][psychic] for psychic in Psychic},
        genders={psychic: called["genders"][psychic] for psychic in Psychic},
        called={what: called[what] for what in ("levels", "editions")},
    )


def _words(words: Mapping[str, Any], counted: Mapping[str, Any]) -> Words:
    return Words(
        hours=tuple(words["hours"]),
        plain=words["plain"],
        counted={what: tuple(forms) for what, forms in {**counted, **words["counted"]}.items()},
        kinds=words["kinds"],
    )


def forms_of(grammar: Grammar) -> frozenset[str]:
    """Return every form that a hole may ask for in this language."""
    counted = (name for words in grammar.words.values() for name in words.counted)
    return frozenset([*FORMS, *grammar.joins, *counted])
