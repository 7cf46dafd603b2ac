"""Reading our script with the owner's lines over it; complaints name the file, the line and the key."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seance.edition_texts import EditionTexts, load_edition_texts
from seance.languages import DEFAULT_LANGUAGE, Language, load_language
from seance.narration.edition_lines import read_edition_lines
from seance.narration.inflection import Inflection
from seance.narration.line_checks import check_holes, check_lines, check_variants, unknown_line
from seance.narration.lore import Lore, Tone, edition_lines, load_lores, replaceable_lines
from seance.narration.script_file import Lines, ScriptFile
from seance.narration.script_grammar import check_grammar, read_forms, read_inflection, wanted_gender
from seance.rules import Edition
from seance.text_files import shorten
from seance.word_forms import WrittenForms

FORMER_LINES: Mapping[str, tuple[str, ...]] = {
    "event.intuition_placed": ("{category} {place}",),
    "event.found": ("{card}",),
    "layout.card": ("{card}",),
}
"""Lines and holes that owners may have written for earlier versions, and that ours no longer have."""


@dataclass(frozen=True, slots=True)
class ScriptParts:
    """What a script is made of."""

    inflection: Inflection
    lines: Lines
    """The variants of each line, by key; those of a lore begin with `lore.` and its edition."""
    lores: Mapping[str, Lore]
    """By edition."""


def read_script(
    language: str, owners: Path | None, editions: Mapping[str, Edition], *, lore: str | None, tone: Tone
) -> ScriptParts:
    """Return the script of *language*, with the *owners* file over ours, and its *lore* in that *tone*."""
    ours, texts, known = ScriptFile.load_ours(language), load_edition_texts(language, editions), load_language(language)
    tables = ours.tables()
    check_grammar(ours, tables, known)
    forms = read_forms(ours, tables, known)
    tables["called"] |= _edition_names(texts)
    inflection = read_inflection(tables, texts, known, levels={}, forms=forms)
    lines = ours.lines(tables)
    if language != DEFAULT_LANGUAGE:
        _compare(ours, lines, inflection)
    by_editions = read_edition_lines(texts, lines, inflection)
    check_lines(ours, lines, inflection)
    lines |= by_editions
    lores = load_lores(language, editions, inflection, wanted=lore, tone=tone)
    lines |= _lore_lines(lores, editions, inflection)
    if owners is not None:
        theirs = ScriptFile.load(owners)
        changes = theirs.tables()
        _refuse_foreign(theirs, changes)
        forms = _merge(forms, read_forms(theirs, changes, known))
        inflection = read_inflection(tables, texts, known, levels={}, forms=forms)
        more = theirs.lines(changes.pop("more", {}), "more.")
        changed = theirs.lines(changes) | theirs.lines(changes.get("tales", {}), "tales.")
        changed, more = _renamed(changed), _renamed(more)
        added = {key.removeprefix("more."): variants for key, variants in more.items()}
        replaceable = lines | replaceable_lines(editions, inflection)
        replaceable |= {key: lines.get(key, ()) + former for key, former in FORMER_LINES.items()}
        for key, variants in (changed | more).items():
            _check(theirs, key, variants, lines=replaceable, inflection=inflection)
        lines = _lay_over(lines, changed, added, inflection)
        lores = {edition: each.with_tales(_tales(changed), _tales(added)) for edition, each in lores.items()}
        called = changes.get("called", {})
        tables["called"] = _called(theirs, tables["called"], called, known)
        inflection = read_inflection(tables, texts, known, levels=called.get("levels", {}), forms=forms)
    return ScriptParts(inflection, lines, lores)


def _compare(ours: ScriptFile, lines: Lines, inflection: Inflection) -> None:
    """Raise BadScript if *lines* are not those of the default language, with the same holes at the most."""
    default = ScriptFile.load_ours(DEFAULT_LANGUAGE)
    expected = default.lines(default.tables())
    for key in expected:
        if key not in lines:
            raise ours.error(key, "is missing")
    for key, variants in lines.items():
        if key not in expected:
            raise unknown_line(ours, key, key, expected)
        check_holes(ours, key, variants, ours=expected[key], words=inflection.words.values())


def _merge(under: WrittenForms, over: WrittenForms) -> WrittenForms:
    return {name: {**under.get(name, {}), **over.get(name, {})} for name in {**under, **over}}


def _edition_names(texts: Mapping[str, EditionTexts]) -> dict[str, dict[str, str]]:
    """Return what levels and editions are called; a level, as in the first edition that has it."""
    levels: dict[str, str] = {}
    for each in texts.values():
        levels |= {name: level.said for name, level in each.tables.levels.items() if name not in levels}
    return {"levels": levels, "editions": {name: each.tables.called.said for name, each in texts.items()}}


def _lore_lines(lores: Mapping[str, Lore], editions: Mapping[str, Edition], inflection: Inflection) -> Lines:
    """Return the lines of *lores* by their full keys, such as `lore.libellud.hour.1`."""
    return {
        lore_key(key, edition): variants
        for edition, lore in lores.items()
        for key, variants in edition_lines(lore, editions[edition], inflection).items()
    }


def lore_key(key: str, edition: str) -> str:
    """Return the key of the line that the lore of *edition* has for *key*."""
    return f"lore.{edition}.{key}"


def _renamed(lines: Lines) -> Lines:
    """Return the owner's *lines* with the keys of today; those that nothing says any more are left out."""
    renamed: Lines = {}
    for key, variants in lines.items():
        old = _REMINDER.search(key)
        if old is None:
            renamed[key] = variants
        elif (new := _RENAMED_REMINDERS.get(old[1])) is not None:
            renamed.setdefault(key.removesuffix(old[0]) + f"next.{new}", variants)
    return renamed


_REMINDER = re.compile(r"\breminder\.((?:some|none)\.[a-z_]+)$")
_RENAMED_REMINDERS = {
    "some.visions": "give_visions",
    "some.interpretation": "choose",
    "none.interpretation": "end_choosing",
    "some.manifestation": "answer_psychics",
    "none.lineup": "mark_culprit",
    "none.shared_vision": "lay_shared_vision",
    "some.vote": "vote_silently",
    "some.eldest": "name_eldest",
    "some.accusation": "point",
}
"""Up to version 0.1 reminders had lines of their own: which line each of them is now."""


def _tales(lines: Lines) -> Lines:
    """Return those of the owner's *lines* that are told in order, by name."""
    return {key.removeprefix("tales."): told for key, told in lines.items() if key.startswith("tales.")}


def _lay_over(lines: Lines, changed: Lines, more: Lines, inflection: Inflection) -> Lines:
    """Return *lines* with what the owner has *changed* and added.

    What the owner writes for all editions also goes before what an edition has in its own file.
    """
    theirs = {_own_key(key, edition) for key in changed for edition in inflection.words}
    lines = {key: variants for key, variants in lines.items() if key not in theirs} | changed
    for key, added in more.items():
        for each in (key, *_keys_of_editions(key, inflection)):
            if each in lines:
                lines[each] += added
    return {key: variants for key, variants in lines.items() if not key.startswith("tales.")}


def _keys_of_editions(key: str, inflection: Inflection) -> Iterator[str]:
    """Yield the keys of the lines that editions and their lores have in place of *key*."""
    for edition, words in inflection.words.items():
        yield _own_key(key, edition)
        for prefix in ("", *(f"{each}." for each in words.prefixes)):
            if key.startswith(prefix):
                yield lore_key(key.removeprefix(prefix), edition)


def _own_key(key: str, edition: str) -> str:
    """Return the key of the line that *edition* has in its own file in place of *key*."""
    name = key.removeprefix("brisk.")
    return f"{edition}.{name}" if name == key else f"brisk.{edition}.{name}"


def _refuse_foreign(theirs: ScriptFile, changes: Mapping[str, Any]) -> None:
    for table in ("grammar", "words"):
        if table in changes:
            allowed = "only lines, [tales], [more], [called] and [forms] are"
            raise theirs.error(table, f"is not for an owner's file: {allowed}")


def _check(theirs: ScriptFile, key: str, variants: tuple[str, ...], *, lines: Lines, inflection: Inflection) -> None:
    """Raise BadScript if *variants* cannot be said for *key*."""
    name = key.removeprefix("more.")
    if name not in lines:
        raise unknown_line(theirs, key, name, lines)
    words = list(inflection.words.values())
    check_variants(theirs, key, variants, ours=lines[name], inflection=inflection, words=words)


def _called(theirs: ScriptFile, ours: Mapping[str, Any], changes: Any, language: Language) -> dict[str, Any]:
    """Return the [called] table with the owner's *changes*, or raise BadScript."""
    if not isinstance(changes, dict):
        raise theirs.error("called", f"must be a table, not {shorten(repr(changes))}")
    for what, names in changes.items():
        if what not in ours or not isinstance(names, dict):
            raise theirs.error(f"called.{what}", f"is not one of {', '.join(f'[called.{known}]' for known in ours)}")
        for name, text in names.items():
            if name not in ours[what]:
                raise theirs.error(f"called.{what}.{name}", f"is unknown here: use {', '.join(ours[what])}")
            if what == "genders" and text not in language.genders:
                raise theirs.error(f"called.{what}.{name}", wanted_gender(text, language))
            if not isinstance(text, str) or not text.strip():
                raise theirs.error(f"called.{what}.{name}", f"must be a text, not {shorten(repr(text))}")
    return {what: {**names, **changes.get(what, {})} for what, names in ours.items()}
