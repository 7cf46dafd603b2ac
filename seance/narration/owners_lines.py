"""Reading our script with the owner's lines over it; complaints name the file, the line and the key."""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from string import Formatter
from typing import Any

from seance.narration.inflection import FORMS, Inflection
from seance.narration.script_file import SAMPLE_VALUES, Lines, ScriptFile, holes_of, read_inflection
from seance.text_files import shorten


def read_script(language: str, owners: Path | None = None) -> tuple[Inflection, Lines, Lines]:
    """Return the inflection, the lines and the tales of *language*, with the *owners* file over ours."""
    ours = ScriptFile.load_ours(language)
    tables = ours.tables()
    lines = ours.lines(tables) | ours.lines(tables["tales"], "tales.")
    inflection = read_inflection(tables)
    if owners is not None:
        theirs = ScriptFile.load(owners)
        changes = theirs.tables()
        _refuse_foreign(theirs, changes)
        more = theirs.lines(changes.pop("more", {}), "more.")
        changed = theirs.lines(changes) | theirs.lines(changes.get("tales", {}), "tales.")
        for key, variants in (changed | more).items():
            _check(theirs, key, variants, lines=lines, inflection=inflection)
        lines |= changed
        lines |= {key: lines[key] + added for name, added in more.items() for key in [name.removeprefix("more.")]}
        inflection = read_inflection({**tables, "called": _called(theirs, tables["called"], changes.get("called", {}))})
    tales = {key.removeprefix("tales."): told for key, told in lines.items() if key.startswith("tales.")}
    return inflection, {key: variants for key, variants in lines.items() if not key.startswith("tales.")}, tales


def _refuse_foreign(theirs: ScriptFile, changes: Mapping[str, Any]) -> None:
    for table in ("grammar", "words"):
        if table in changes:
            raise theirs.error(table, "is not for an owner's file: only lines, [tales], [more] and [called] are")


def _check(theirs: ScriptFile, key: str, variants: tuple[str, ...], *, lines: Lines, inflection: Inflection) -> None:
    """Raise BadScript if *variants* cannot be said for *key*."""
    name = key.removeprefix("more.")
    if name not in lines:
        near = get_close_matches(name, lines, 1)
        raise theirs.error(key, "is no line of ours" + (f": did you mean {near[0]}?" if near else ""))
    holes, plain = holes_of(*lines[name]), {word for words in inflection.words.values() for word in words.plain}
    for hole in sorted(holes_of(*variants) - holes - plain):
        known = ", ".join(f"{{{each}}}" for each in sorted(holes - plain)) or "none"
        raise theirs.error(key, f"cannot say {{{hole}}}: its holes are {known}")
    for line in variants:
        if (unknown := _unfillable(inflection, line)) is not None:
            raise theirs.error(key, f"asks for a form that is not there, {unknown}: {shorten(repr(line))}")


def _unfillable(inflection: Inflection, line: str) -> str | None:
    """Return the first hole of *line* that cannot be filled, or None."""
    for words in inflection.words.values():
        known = {*FORMS, *inflection.joins, *words.counted}
        for _, hole, form, _ in Formatter().parse(line):
            if hole is None or (hole in words.plain and not form):
                continue
            try:
                inflection.say(SAMPLE_VALUES[hole], form or "", words)
            except (KeyError, IndexError):
                return f"{{{hole}:{form}}}"
            if form and form not in known and "|" not in form:
                return f"{{{hole}:{form}}}"
    return None


def _called(theirs: ScriptFile, ours: Mapping[str, Any], changes: Any) -> dict[str, Any]:
    """Return the [called] table with the owner's *changes*, or raise BadScript."""
    if not isinstance(changes, dict):
        raise theirs.error("called", f"must be a table, not {shorten(repr(changes))}")
    for what, names in changes.items():
        if what not in ours or not isinstance(names, dict):
            raise theirs.error(f"called.{what}", f"is not one of {', '.join(f'[called.{known}]' for known in ours)}")
        for name, text in names.items():
            if name not in ours[what]:
                raise theirs.error(f"called.{what}.{name}", f"is unknown here: use {', '.join(ours[what])}")
            if not isinstance(text, str) or not text.strip() or (what == "genders" and text not in ("m", "f")):
                wanted = '"m" or "f"' if what == "genders" else "a text"
                raise theirs.error(f"called.{what}.{name}", f"must be {wanted}, not {shorten(repr(text))}")
    return {what: {**names, **changes.get(what, {})} for what, names in ours.items()}
