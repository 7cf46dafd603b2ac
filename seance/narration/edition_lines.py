"""Lines that editions have in place of those of script.toml; complaints name the file, the line and the key."""

import re
from collections.abc import Iterator, Mapping
from string import Formatter

from seance.edition_texts import EditionFile, EditionTexts
from seance.narration.inflection import FORMS, KIND_FORMS, PLAIN_WORDS, Inflection
from seance.narration.line_checks import check_variants, unknown_line
from seance.narration.script_file import SAMPLE_VALUES, Lines, ScriptFile
from seance.narration.script_grammar import counted_problem
from seance.rules import Category, Edition
from seance.word_forms import CHOICE


def read_edition_lines(texts: Mapping[str, EditionTexts], general: Lines, inflection: Inflection) -> Lines:
    """Return the lines of all editions by their full keys, such as `week.hour.1`, or raise BadScript.

    They stand for *general* lines, or are lines that every edition has of its own.
    """
    _check_words(texts, general, inflection)
    lines: Lines = {}
    for name, file in _files(texts).items():
        users = [edition for edition, each in texts.items() if file in each.files]
        own = {key for user in users for key in (*_hours(texts[user].edition), *_own_keys(texts[user].edition))}
        script = ScriptFile(file.source, file.text)
        for key, variants in script.lines(file.lines, "script.").items():
            line = key.removeprefix("script.")
            ours = line.removeprefix("brisk.")
            # A shared file may count further than those who share it.
            is_later_hour = name not in texts and re.fullmatch(r"hour\.\d+", ours)
            if ours not in general and ours not in own and not is_later_hour:
                raise unknown_line(script, key, ours, [*general, *sorted(own)])
            words = [inflection.words[user] for user in users]
            check_variants(script, key, variants, ours=general.get(ours, ()), inflection=inflection, words=words)
            lines[f"brisk.{name}.{ours}" if line != ours else f"{name}.{line}"] = variants
    _check_lines(texts, general, lines)
    return lines


def _files(texts: Mapping[str, EditionTexts]) -> dict[str, EditionFile]:
    return {file.name: file for each in texts.values() for file in each.files}


def _hours(edition: Edition) -> Iterator[str]:
    """Yield the keys of the lines that a lore has for *edition*, and that it may say otherwise, at a brisk pace too."""
    yield from (f"hour.{hour}" for hour in range(1, edition.turns + 1))


def _own_keys(edition: Edition) -> Iterator[str]:
    """Yield the keys of the lines that no other edition can say for *edition*."""
    yield from (f"summary.{variant}" for variant in edition.variants)


def _check_words(texts: Mapping[str, EditionTexts], general: Lines, inflection: Inflection) -> None:
    """Raise BadEditionTexts if an edition lacks a word that *general* lines say."""
    holes, asked = _holes_and_counted(general, inflection)
    plain, counted = {*PLAIN_WORDS, *(holes - {*SAMPLE_VALUES})}, asked - {*FORMS, *inflection.joins}
    kinds = {f"{kind}.{form}" for kind in Category for form in KIND_FORMS}
    for name, each in texts.items():
        words = inflection.words[name]
        missing = {
            "plain": plain - {*words.own},
            "counted": counted - {*words.counted},
            "kinds": kinds - {f"{kind}.{form}" for kind, forms in words.kinds.items() for form in forms},
        }
        for table, keys in missing.items():
            for key in sorted(keys):
                raise each.error(f"words.{table}.{key}", "is missing")
        for key, forms in each.tables.words.counted.items():
            if problem := counted_problem(forms, words.forms.language):
                raise each.error(f"words.counted.{key}", problem)
        for key in each.tables.words.forms:
            if key not in words.forms.language.forms:
                raise each.error(f"words.forms.{key}", "is no form of this language")


def _check_lines(texts: Mapping[str, EditionTexts], general: Lines, lines: Lines) -> None:
    """Raise BadEditionTexts if an edition lacks a line that only it can say."""
    for each in texts.values():
        for key in _own_keys(each.edition):
            if key not in general and not any(f"{file.name}.{key}" in lines for file in each.files):
                raise each.error(f"script.{key}", "is missing")


def _holes_and_counted(lines: Lines, inflection: Inflection) -> tuple[set[str], set[str]]:
    """Return the names of the holes of *lines*, and what their holes for numbers ask for by name."""
    parsed = [part for variants in lines.values() for line in variants for part in Formatter().parse(line)]
    words = inflection.edition_words(None)
    values = {**words.own, **SAMPLE_VALUES}
    numbers = [form for _, hole, form, _ in parsed if form and isinstance(values.get(hole or ""), int)]
    asked = {words.forms.split(form)[0] for form in numbers if CHOICE not in form}
    return {hole for _, hole, _, _ in parsed if hole is not None}, asked - {""}
