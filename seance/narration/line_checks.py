"""Checks that lines can be said; complaints name the file, the line and the key."""

from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from string import Formatter

from seance.languages import Language
from seance.narration.inflection import FORMS, EditionWords, Inflection, LineValue
from seance.narration.script_file import SAMPLE_VALUES, BadScript, Lines, ScriptFile, holes_of
from seance.rules import Category, Psychic
from seance.text_files import shorten
from seance.word_forms import CHOICE

_SAMPLE_COUNTS = (0, 1, 2, 3, 5, 11, 21)
"""Numbers that take all plural forms of most languages."""

Hole = tuple[str, str]
"""The name of a hole, and the form that it asks for."""


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
    check_holes(file, key, variants, ours=ours, words=words)
    for line in variants:
        for hole in _holes(line):
            check_hole(file, key, hole, inflection=inflection, words=words, line=line)


def check_holes(
    file: ScriptFile, key: str, variants: tuple[str, ...], *, ours: tuple[str, ...], words: Collection[EditionWords]
) -> None:
    """Raise BadScript if *variants* have holes that *ours* have not."""
    holes, plain = holes_of(*ours), {word for each in words for word in each.own}
    for hole in sorted(holes_of(*variants) - holes - plain):
        known = ", ".join(f"{{{each}}}" for each in sorted(holes - plain)) or "none"
        raise file.error(key, f"cannot say {{{hole}}}: its holes are {known}")


def check_lines(file: ScriptFile, lines: Lines, inflection: Inflection) -> None:
    """Raise BadScript if any of *lines* asks for a form that is not there; each hole is tried once."""
    first: dict[Hole, tuple[str, str]] = {}
    for key, variants in lines.items():
        for line in variants:
            for hole in _holes(line):
                first.setdefault(hole, (key, line))
    for hole, (key, line) in first.items():
        check_hole(file, key, hole, inflection=inflection, words=inflection.words.values(), line=line)


def check_hole(
    file: ScriptFile, key: str, hole: Hole, *, inflection: Inflection, words: Iterable[EditionWords], line: str
) -> None:
    """Raise BadScript if *hole*, which stands in *line*, cannot be filled in any of *words*."""
    for each in words:
        if not _is_fillable(hole, inflection, each):
            shown = f"{{{hole[0]}:{hole[1]}}}"
            raise file.error(key, f"asks for a form that is not there, {shown}: {shorten(repr(line))}")
        what, case = each.forms.split(hole[1])
        for value in _samples(hole[0], what, each) if case else ():
            text = inflection.base(value, what, each)
            if not each.forms.has(text, case):
                raise file.error(f"forms.{case}", f"does not say what {text!r} is, for which {key} asks")


def _holes(line: str) -> Iterator[Hole]:
    return ((hole, form or "") for _, hole, form, _ in Formatter().parse(line) if hole is not None)


def _is_fillable(hole: Hole, inflection: Inflection, words: EditionWords) -> bool:
    name, form = hole
    if name in words.own and not form:
        return True
    what, case = words.forms.split(form)
    value = SAMPLE_VALUES.get(name, words.own.get(name))
    if value is None:
        return False
    try:
        inflection.say(value, form, words)
    except (KeyError, IndexError):
        return False
    if CHOICE in what:
        return what.count(CHOICE) + 1 >= _alternatives(value, words.forms.language)
    return what in {"", *FORMS, *inflection.joins, *words.counted} and case in {"", *words.forms.language.forms}


def _alternatives(value: LineValue, language: Language) -> int:
    """Return how many words a choice for *value* needs."""
    if isinstance(value, tuple):
        return _alternatives(value[0], language)
    if isinstance(value, Psychic | Category):
        return len(language.genders)
    return language.plurals if isinstance(value, int) else 1


def _samples(hole: str, what: str, words: EditionWords) -> Iterator[Psychic | Category | int | str]:
    """Yield the values of *hole* of which every one must have a grammatical form."""
    value = SAMPLE_VALUES.get(hole, words.own.get(hole))
    value = value[0] if isinstance(value, tuple) else value
    if hole in words.plain and hole not in SAMPLE_VALUES:
        yield words.plain[hole]
    elif isinstance(value, Psychic):
        yield from Psychic
    elif isinstance(value, Category):
        yield from Category
    elif isinstance(value, int) and what == "hour":
        yield from range(1, len(words.hours) + 1)
    elif isinstance(value, int):
        yield from _SAMPLE_COUNTS if what in words.counted else (value,)
