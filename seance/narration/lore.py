"""The lore of an edition: its story as told before, during and after a night, from voices/<language>/lore/."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from seance.languages import language_files, read_language_file
from seance.narration.inflection import Inflection
from seance.narration.line_checks import check_variants
from seance.narration.script_file import BadScript, Lines, ScriptFile
from seance.rules import Edition, Psychic
from seance.text_files import at_line, expand_path, parse_toml, read_text, shorten

FOLDER = "lore"
"""The folder of a language in which its lores are."""
NARRATOR = "narrator"
"""The voice of everything that no part of a lore gives to another."""
PORTRAIT_HOLES = ("{name} {psychic}",)
"""What a portrait may say, besides the words of its edition."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_ENDINGS = ("found", "wrong", "time", "silence")
_LINES = ("opening.short", "opening.skipped", *(f"portrait.{psychic}" for psychic in Psychic), "hour.last")
"""The keys of the lines that every lore has, besides one for each hour; each is a choice of variants."""
_TALES = {"interlude.sentences": "waiting", **{f"ending.{name}": f"ending_{name}" for name in _ENDINGS}}
"""The keys of what is told in order, and what it is called in the script."""
_HEADS = ("title", "editions", "family")


class BadLore(BadScript):
    """A lore cannot be found or used; the message names the file, the line and the key."""


class Tone(StrEnum):
    """For whose ears the story is told."""

    USUAL = "usual"
    FAMILY = "family"


@dataclass(frozen=True, slots=True)
class LorePart:
    """One part of the long opening."""

    name: str
    voice: str
    """Who tells it: `narrator`, or a name of the cast."""
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lore:
    """A story, with everything that depends on it."""

    title: str
    editions: tuple[str, ...]
    """The editions whose story it is; none where it is told only if it is asked for."""
    opening: tuple[LorePart, ...]
    """The long opening; the last part comes when the table is laid."""
    lines: Lines
    """The variants of each line, by key; a key may begin with the name of an edition or of a shared file."""
    tales: Lines
    """What is told in order, by its name in an owner's file of lines."""

    def with_tales(self, changed: Lines, more: Lines) -> "Lore":
        """Return it with the *changed* tales of an owner, and *more* pieces at the end of others."""
        opening = self.opening
        if "opening" in changed:
            opening = (LorePart("opening", NARRATOR, changed["opening"]),)
        if "opening" in more:
            *first, last = opening
            opening = (*first, replace(last, sentences=last.sentences + more["opening"]))
        tales = {**self.tales, **changed}
        tales |= {name: tales.get(name, ()) + pieces for name, pieces in more.items()}
        return replace(self, opening=opening, tales={name: tales[name] for name in tales if name != "opening"})


class LoreFile(ScriptFile):
    """The text of one lore."""

    @classmethod
    def of_language(cls, language: str, name: str) -> "LoreFile":
        """Return the lore *name* of *language*, or raise BadLore."""
        return cls(*read_language_file(language, f"{FOLDER}/{name}.toml", BadLore))

    @classmethod
    def of_owner(cls, path: str) -> "LoreFile":
        """Return the lore in the owner's file *path*, or raise BadLore."""
        return cls(path, read_text(expand_path(path), BadLore))

    def tables(self) -> dict[str, Any]:
        """Return the tables of the file, or raise BadLore."""
        return parse_toml(self.text, self.name, BadLore)

    def error(self, key: str, complaint: str) -> BadLore:
        """Return the error that *complaint* is about *key*, with its file and line."""
        return BadLore(str(super().error(key, complaint)))

    def part_error(self, table: str, number: int, complaint: str) -> BadLore:
        """Return the error that *complaint* is about part *number* (from 0) of *table*, with its file and line."""
        heads = [at for at, line in enumerate(self.text.splitlines(), 1) if line.strip().startswith(f"[[{table}]]")]
        line = heads[number] if number < len(heads) else None
        return BadLore(f"{at_line(self.name, line)}: {table}, part {number + 1}, {complaint}")


def load_lores(
    language: str,
    editions: Mapping[str, Edition],
    inflection: Inflection,
    *,
    wanted: str | None = None,
    tone: Tone = Tone.USUAL,
) -> dict[str, Lore]:
    """Return the lore of each of *editions*, or raise BadLore.

    It is the *wanted* one, by its name or the path of an owner's file; else the one that lists the edition.
    """
    files = {name: LoreFile.of_language(language, name) for name in lore_names(language)}
    chosen = dict.fromkeys(editions, _find(files, wanted)) if wanted else _by_edition(language, files, editions)
    known = [*_TALES, *replaceable_lines(editions, inflection)]
    lores = dict[str, Lore]()
    for file in dict.fromkeys(chosen.values()):
        users = [edition for edition, its in chosen.items() if its is file]
        lore = _read_lore(file, tone, known=known)
        words = [inflection.words[edition] for edition in users]
        for name in users:
            _check_complete(file, lore, editions[name], inflection, its_own=name in lore.editions)
        for key, variants in _all_lines(lore):
            ours = PORTRAIT_HOLES if "portrait." in key else ()
            check_variants(file, key, variants, ours=ours, inflection=inflection, words=words)
        lores |= dict.fromkeys(users, lore)
    return {edition: lores[edition] for edition in editions}


def lore_names(language: str) -> tuple[str, ...]:
    """Return the names of the lores of *language* in alphabetical order."""
    return tuple(name.removesuffix(".toml") for name in language_files(language, FOLDER) if name.endswith(".toml"))


def edition_lines(lore: Lore, edition: Edition, inflection: Inflection) -> Lines:
    """Return the lines of *lore* for *edition*."""
    first = [f"{prefix}." for prefix in inflection.words[edition.name].prefixes] + [""]
    found = {
        key: [lore.lines[each + key] for each in first if each + key in lore.lines] for key in _keys(edition.turns)
    }
    return {key: variants[0] for key, variants in found.items() if variants}


def replaceable_lines(editions: Mapping[str, Edition], inflection: Inflection) -> Lines:
    """Return the keys of the lines and tales that a lore of *editions* may have, each with what it may say.

    A key may begin with the name of an edition or of its shared file.
    """
    keys = dict[str, None]()
    for name, edition in editions.items():
        words = inflection.words[name]
        first, hours = ["", *(f"{prefix}." for prefix in words.prefixes)], max(edition.turns, len(words.hours))
        keys |= dict.fromkeys(each + key for each in first for key in _keys(hours))
    tales = [f"tales.{name}" for name in ("opening", *_TALES.values())]
    return {key: PORTRAIT_HOLES if "portrait." in key else () for key in (*keys, *tales)}


def _keys(hours: int) -> tuple[str, ...]:
    """Return the keys of the lines that a lore has for an edition of so many *hours*."""
    return (*_LINES, *(f"hour.{hour}" for hour in range(1, hours + 1)))


def _check_complete(file: LoreFile, lore: Lore, edition: Edition, inflection: Inflection, *, its_own: bool) -> None:
    """Raise BadLore if *lore* lacks a line for *edition*, or any of its endings where it is *its own* story."""
    there = edition_lines(lore, edition, inflection)
    for key in _keys(edition.turns):
        if key not in there:
            raise file.error(key, "is missing")
    for key, name in _TALES.items():
        needed = key != "ending.silence" or (edition.silence_is_fatal and its_own)
        if needed and name not in lore.tales:
            raise file.error(key, "is missing")


def _find(files: Mapping[str, LoreFile], wanted: str) -> LoreFile:
    if "/" in wanted or wanted.endswith(".toml"):
        return LoreFile.of_owner(wanted)
    if wanted not in files:
        found = ", ".join(files)
        raise BadLore(f"there is no lore {shorten(repr(wanted))}: one of {found}, or the path of a file of your own")
    return files[wanted]


def _by_edition(language: str, files: Mapping[str, LoreFile], editions: Mapping[str, Edition]) -> dict[str, LoreFile]:
    """Return the lore that lists each of *editions*."""
    chosen = dict[str, LoreFile]()
    for file in files.values():
        for edition in _editions(file, file.tables()):
            if edition in chosen:
                raise file.error("editions", f"lists {shorten(edition)}, whose lore is in {chosen[edition].name}")
            chosen[edition] = file
    for edition in editions:
        if edition not in chosen:
            where = f"voices/{language}/{FOLDER}"
            raise BadLore(f"{where}: no lore lists {edition} in its `editions`: write one, or add it to another's")
    return {edition: chosen[edition] for edition in editions}


def _editions(file: LoreFile, tables: Mapping[str, Any]) -> tuple[str, ...]:
    names = tables.get("editions", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise file.error("editions", "must be a list of editions, or [] where it is told only if asked for")
    return tuple(names)


def _read_lore(file: LoreFile, tone: Tone, *, known: Sequence[str]) -> Lore:
    tables = file.tables()
    family = tables.pop("family", {})
    if not isinstance(family, dict):
        raise file.error("family", "must be a table")
    title = tables.get("title")
    if not isinstance(title, str) or not title.strip():
        raise file.error("title", "must be a text" if "title" in tables else "is missing")
    lines, parts = _read_tables(file, tables, known=known)
    family_lines, family_parts = _read_tables(file, family, known=known, table="family.")
    if not parts:
        raise file.error("opening.long", "is missing: write each part as a table, [[opening.long]]")
    for number, part in enumerate(family_parts):
        if part.name not in (names := [each.name for each in parts]):
            raise file.part_error("family.opening.long", number, f"part must be one of {', '.join(names)}")
    if tone is Tone.FAMILY:
        lines |= family_lines
        instead = {part.name: part for part in family_parts}
        parts = tuple(instead.get(part.name, part) for part in parts)
    return Lore(
        title=title,
        editions=_editions(file, tables),
        opening=parts,
        lines={key: variants for key, variants in lines.items() if key not in _TALES},
        tales={name: lines[key] for key, name in _TALES.items() if key in lines},
    )


def _read_tables(
    file: LoreFile, tables: Mapping[str, Any], *, known: Sequence[str], table: str = ""
) -> tuple[Lines, tuple[LorePart, ...]]:
    """Return the lines and the parts of the opening in *tables*, which are under *table* in *file*."""
    opening, rest = tables.get("opening", {}), {key: each for key, each in tables.items() if key not in _HEADS}
    long = []
    if isinstance(opening, dict):
        long = opening.get("long", [])
        rest["opening"] = {key: each for key, each in opening.items() if key != "long"}
    lines = {key.removeprefix(table): variants for key, variants in file.lines(rest, table).items()}
    for key in lines:
        if key not in known:
            near = get_close_matches(key, known, 1)
            raise file.error(f"{table}{key}", "is unknown here" + (f": did you mean {near[0]}?" if near else ""))
    return lines, tuple(_read_parts(file, long, f"{table}opening.long"))


def _read_parts(file: LoreFile, parts: Any, table: str) -> Iterator[LorePart]:
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise file.error(table, f"must be written as tables, [[{table}]]")
    names = set[str]()
    for number, part in enumerate(parts):
        for key in part:
            if key not in ("part", "voice", "sentences"):
                raise file.part_error(table, number, f"{shorten(key)} is unknown here: use part, voice and sentences")
        for key in ("part", "voice"):
            if not isinstance(part.get(key, NARRATOR), str) or not _NAME.fullmatch(part.get(key, NARRATOR)):
                raise file.part_error(table, number, f'{key} must be a name such as "{_EXAMPLES[key]}"')
        name, sentences = part.get("part"), part.get("sentences")
        if name is None or name in names:
            raise file.part_error(table, number, "part is missing" if name is None else f"{name} is there twice")
        if not isinstance(sentences, list):
            raise file.part_error(table, number, 'sentences must be a list of texts such as ["one", "another"]')
        names.add(name)
        yield LorePart(name, part.get("voice", NARRATOR), file.variants(f"{table}.{name}", sentences))


_EXAMPLES = {"part": "letter", "voice": NARRATOR}


def _all_lines(lore: Lore) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the key and the texts of everything in *lore*."""
    yield from lore.lines.items()
    yield from ((key, lore.tales[name]) for key, name in _TALES.items() if name in lore.tales)
    yield from ((f"opening.long.{part.name}", part.sentences) for part in lore.opening)
