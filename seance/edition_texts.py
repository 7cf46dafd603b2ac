"""The words of editions in one language, from voices/<language>/editions/.

The file of an edition may name a shared file with `like`: what the edition does not say itself is taken from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from seance.languages import has_language_file, read_language_file
from seance.rules import EDITIONS, Edition
from seance.text_files import BadTextFile, at_line, key_parts, line_of, parse_toml, shorten

_PARSED_FILES = 32
"""Files whose tables are kept: those of all editions in two languages."""


class BadEditionTexts(BadTextFile):
    """The file of an edition is missing or has something unusable; the message names the file, the line and the key."""


Text = Annotated[str, msgspec.Meta(min_length=1)]


class Called(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an edition or a level is called."""

    said: Text
    written: Text
    """In the chronicle."""
    understood: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)]
    """Every way in which a guest may say it, the usual one first."""


class Turns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each turn is called, in order."""

    said: tuple[Text, ...]
    """With its article: the first hour."""
    written: tuple[Text, ...]
    """As in the middle of a written sentence: hour I."""
    marks: tuple[Text, ...]
    """As a clock shows it: I."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the lines of the script call things."""

    plain: dict[str, Text]
    """Words that any line may name in a hole, such as {a_vision}."""
    counted: dict[str, tuple[Text, ...]]
    """Each counted thing as none of it, and then in each plural form of the language."""
    kinds: dict[str, dict[str, Text]]
    """Each kind of card, by grammatical form, and its `gender`."""
    forms: dict[str, dict[str, Text]] = {}
    """What words of the edition are in a grammatical form of the language: by form, then by the word otherwise."""


class GhostTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the ghost of an edition may type."""

    examples: tuple[Text, ...] = ()
    """In place of the examples of ghost.toml."""


class EditionTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the file of an edition and its shared file say together."""

    like: Text | None = None
    called: Called
    levels: dict[str, Called]
    turns: Turns
    words: Words
    understood: dict[str, Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)]] = {}
    """Words of its own that guests may say, by the expansion rule of sentences.yaml that they are added to."""
    script: dict[str, Any] = {}
    chronicle: dict[str, dict[str, Any]] = {}
    """In place of the texts of chronicle.toml, by table."""
    pages: dict[str, Text] = {}
    """In place of the texts of pages.toml."""
    replay: dict[str, Any] = {}
    """In place of the texts of replay.toml."""
    terminal: dict[str, Any] = {}
    """In place of the texts of terminal.toml."""
    help: dict[str, Any] = {}
    """In place of the texts of help.toml."""
    ghost: GhostTexts = GhostTexts()


@dataclass(frozen=True, slots=True)
class EditionFile:
    """One file: an edition's own, or a shared one."""

    name: str
    """The name of the edition, or that by which editions name the shared file."""
    source: str
    """Its path in messages."""
    text: str
    tables: Mapping[str, Any]

    @property
    def lines(self) -> Mapping[str, Any]:
        """Lines in place of those of script.toml."""
        lines: Mapping[str, Any] = self.tables.get("script", {})
        return lines

    def has(self, key: Sequence[str]) -> bool:
        """Return whether *key* is written in this file."""
        value: Any = self.tables
        for part in key:
            if not isinstance(value, dict) or part not in value:
                return False
            value = value[part]
        return True


@dataclass(frozen=True, slots=True)
class EditionTexts:
    """The words of one edition in one language."""

    edition: Edition
    tables: EditionTables
    files: tuple[EditionFile, ...]
    """The edition's own, then the shared one, if it names one."""

    def error(self, key: str, complaint: str) -> BadEditionTexts:
        """Return the error that *complaint* is about *key*, in the file that has it or should have it."""
        return _error(key, complaint, self.files)


def load_edition_texts(language: str, editions: Mapping[str, Edition] = EDITIONS) -> dict[str, EditionTexts]:
    """Return the words of each of *editions* in *language*, or raise BadEditionTexts."""
    return {name: _load(language, edition) for name, edition in editions.items()}


def _load(language: str, edition: Edition) -> EditionTexts:
    own = _read(edition.name, language, f"editions/{edition.name}.toml", of=f"the words of the edition {edition.name}")
    files, merged, like = [own], dict(own.tables), own.tables.get("like")
    if isinstance(like, str):
        shared = _read(like, language, f"editions/shared/{like}.toml", of=f'what editions with `like = "{like}"` share')
        levels = {name: each for name, each in shared.tables.get("levels", {}).items() if name in edition.levels}
        files, merged = [own, shared], _merge({**shared.tables, "levels": levels}, own.tables)
    try:
        tables = msgspec.convert(merged, EditionTables)
    except msgspec.ValidationError as error:
        raise _validation_error(str(error), merged, files) from None
    for key, complaint in _problems(tables, edition):
        raise _error(key, complaint, files)
    return EditionTexts(edition, tables, tuple(files))


def _read(name: str, language: str, path: str, *, of: str) -> EditionFile:
    if not has_language_file(language, path):
        raise BadEditionTexts(f"voices/{language}/{path}: there is no such file: write {of} there")
    source, text = read_language_file(language, path, BadEditionTexts)
    tables = _parse(text, source)
    for table in ("levels", "script"):
        if not isinstance(tables.get(table, {}), dict):
            raise BadEditionTexts(f"{at_line(source, line_of(text, [table]))}: {table}: must be a table")
    return EditionFile(name, source, text, tables)


@lru_cache(maxsize=_PARSED_FILES)
def _parse(text: str, source: str) -> Mapping[str, Any]:
    """Return the tables of the TOML *text*; each part of a starting house asks for those of the same files."""
    return parse_toml(text, source, BadEditionTexts)


def _merge(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return *under* with what *over* has in its place, table by table."""
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def _problems(tables: EditionTables, edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield each key that does not fit *edition*, and why."""
    for level in edition.levels:
        if level not in tables.levels:
            yield f"levels.{level}", "is missing"
    for level in tables.levels:
        if level not in edition.levels:
            yield f"levels.{level}", f"is no level of {edition.name}: use {', '.join(edition.levels)}"
    for name in Turns.__struct_fields__:
        if len(getattr(tables.turns, name)) < edition.turns:
            yield f"turns.{name}", f"must name {edition.turns} turns"


def _validation_error(message: str, tables: dict[str, Any], files: Sequence[EditionFile]) -> BadEditionTexts:
    """Return msgspec's *message* about *tables* as an error, with the file that has the key or should have it."""
    problem, _, path = message.partition(" - at `")
    key = ".".join(key_parts(_with_keys(path.strip("`$"), tables)))
    for pattern, becomes in _PROBLEMS.items():
        if found := re.search(pattern, problem):
            return _error(f"{key}.{found[1]}".lstrip("."), becomes, files)
    return _error(key, problem[0].lower() + problem[1:], files)


def _with_keys(path: str, tables: dict[str, Any]) -> str:
    """Return msgspec's *path* with the key in place of `[...]`: that of the first entry which cannot be read."""
    table, unnamed, rest = path.partition("[...]")
    if not unnamed:
        return path
    *above, last = key_parts(table)
    copied = holder = deepcopy(tables)
    for part in above:
        holder = holder[part]
    for name, entry in holder[last].items():
        holder[last] = {name: entry}
        try:
            msgspec.convert(copied, EditionTables)
        except msgspec.ValidationError as error:
            if path in str(error):
                return f"{table}.{name}{rest}"
    return path


_PROBLEMS = {
    r"unknown field `([^`]+)`": "is unknown here",
    r"missing required field `([^`]+)`": "is missing",
}


def _error(key: str, complaint: str, files: Sequence[EditionFile]) -> BadEditionTexts:
    parts = key.split(".")
    file = next((file for file in files if file.has(parts)), files[0])
    return BadEditionTexts(f"{at_line(file.source, line_of(file.text, parts))}: {shorten(key)}: {complaint}")
