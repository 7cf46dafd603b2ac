"""Checks of lines that are said in place of others; complaints name the file, the line and the key."""

from collections.abc import Collection
from difflib import get_close_matches
from string import Formatter

from seance.narration.inflection import FORMS, EditionWords, Inflection
from seance.narration.script_file import SAMPLE_VALUES, BadScript, ScriptFile, holes_of
from seance.text_files import shorten


def unknown_line(file: ScriptFile, key: str, name: str, known: Collection[str]) -> BadScript:
    """Return the error that *key* of *file* is for a line *name* that is not among the *known* ones."""
    near = get_close_matches(name, known, 1)
    return file.error(key, "is no line of ours" + (f": did you mean {near[0]}?" if near else ""))


def check_variants(
    file: ScriptFile,
    key: str,
    variants: tuple[str, ...],
    *,
    ours: tuple[str, ...],
    inflection: Inflection,
    words: Collection[EditionWords],
) -> None:
    """Raise BadScript if *variants* have holes that *ours* have not, or cannot be said in any of *words*."""
    holes, plain = holes_of(*ours), {word for each in words for word in each.plain}
    for hole in sorted(holes_of(*variants) - holes - plain):
        known = ", ".join(f"{{{each}}}" for each in sorted(holes - plain)) or "none"
        raise file.error(key, f"cannot say {{{hole}}}: its holes are {known}")
    for line in variants:
        if (unknown := _unfillable(inflection, words, line)) is not None:
            raise file.error(key, f"asks for a form that is not there, {unknown}: {shorten(repr(line))}")


def _unfillable(inflection: Inflection, words: Collection[EditionWords], line: str) -> str | None:
    """Return the first hole of *line* that cannot be filled, or None."""
    for each in words:
        known = {*FORMS, *inflection.joins, *each.counted}
        for _, hole, form, _ in Formatter().parse(line):
            if hole is None or (hole in each.plain and not form):
                continue
            try:
                inflection.say(SAMPLE_VALUES[hole], form or "", each)
            except (KeyError, IndexError):
                return f"{{{hole}:{form}}}"
            if form and form not in known and "|" not in form:
                return f"{{{hole}:{form}}}"
    return None
