"""Checks of a chronicle.toml and of what editions say in its place; complaints name the file, the line and the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from seance.chronicle.holes import Count, Word, WordList
from seance.languages import DEFAULT_LANGUAGE, Language, LanguageFile, read_language_file
from seance.rules import Category, Psychic
from seance.text_files import BadTextFile, at_line, line_of, parse_toml
from seance.word_forms import CHOICE, WordForms

Tables = Mapping[str, Mapping[str, Any]]
_OPTIONAL = ("forms", "genders")
"""Tables that a language has if its sentences ask for them."""
_COUNTS = ("count", "spaces", "minutes", "hours")
"""Holes that numbers fill."""


class BadChronicle(BadTextFile):
    """A chronicle.toml is missing or has something unusable; the message names the file, the line and the key."""


def check_tables(file: LanguageFile, tables: Tables, language: Language) -> None:
    """Raise BadChronicle if *tables* lack what the default language has, or ask for a form that is not there."""
    default = read_language_file(DEFAULT_LANGUAGE, "chronicle.toml", BadChronicle)
    expected: Tables = tables if default == file else parse_toml(default.text, default.source, BadChronicle)
    for key, complaint in (*_differences(tables, expected), *_form_problems(tables, tables, language)):
        raise BadChronicle(f"{at_line(file.source, line_of(file.text, key.split('.')))}: {key} {complaint}")


def own_problems(own: Tables, tables: Tables, language: Language) -> Iterator[tuple[str, str]]:
    """Yield each key of an edition's *own* texts that cannot stand for one of *tables*, and why."""
    for table, texts in own.items():
        for key, text in texts.items():
            ours = tables.get(table, {}).get(key)
            if ours is None:
                yield f"{table}.{key}", "is unknown in chronicle.toml"
            elif type(text) is not type(ours) or not all(isinstance(each, str) for each in text):
                yield f"{table}.{key}", f"must be {'a list of texts' if isinstance(ours, list) else 'a text'}"
            elif unknown := sorted(_holes(text) - _holes(ours)):
                known = ", ".join(f"{{{hole}}}" for hole in sorted(_holes(ours))) or "none"
                yield f"{table}.{key}", f"cannot say {{{unknown[0]}}}: its holes are {known}"
    yield from _form_problems(own, tables, language)


def _differences(tables: Tables, expected: Tables) -> Iterator[tuple[str, str]]:
    """Yield each key that *tables* lack or have too many, and each hole that nothing fills."""
    for table, texts in expected.items():
        for key, ours in texts.items():
            if table in _OPTIONAL:
                continue
            text = tables.get(table, {}).get(key)
            if text is None:
                yield f"{table}.{key}", "is missing"
            elif not text or type(text) is not type(ours):
                yield f"{table}.{key}", f"must be {'a list of texts' if isinstance(ours, list) else 'a text'}"
            elif unknown := sorted(_holes(text) - _holes(ours)):
                yield f"{table}.{key}", f"cannot say {{{unknown[0]}}}"


def _form_problems(said: Tables, tables: Tables, language: Language) -> Iterator[tuple[str, str]]:
    """Yield each key that lacks a form or a gender for which the texts *said* ask."""
    written, genders = tables.get("forms", {}), tables.get("genders", {})
    for psychic, gender in genders.items():
        if gender not in language.genders:
            yield f"genders.{psychic}", f"must be one of {', '.join(language.genders)}"
    for name in written:
        if name not in language.forms:
            yield f"forms.{name}", "is no form of this language"
    forms = WordForms(language, written)
    for table, key, hole, form in _asked_forms(said):
        for sample in _samples(hole, tables, forms):
            complaint = _complaint(sample, form, forms, f"{table}.{key}", hole)
            if complaint is not None:
                yield complaint


def _asked_forms(said: Tables) -> Iterator[tuple[str, str, str, str]]:
    """Yield table, key, hole and form of every hole that asks for a form."""
    for table, texts in said.items():
        for key, text in texts.items():
            for line in (text,) if isinstance(text, str) else text if isinstance(text, list) else ():
                for _, hole, form, _ in Formatter().parse(line) if table not in _OPTIONAL else ():
                    if hole is not None and form:
                        yield table, key, hole, form


def _samples(hole: str, tables: Tables, forms: WordForms) -> Iterator[Word | WordList | Count]:
    """Yield values of *hole* of which every one must have a form."""
    genders = tables.get("genders", {})
    if hole in ("name", "names"):
        names = tables.get("psychics", {})
        yield from (Word(text, forms, genders.get(psychic)) for psychic in Psychic for text in names[psychic][:2])
    elif hole == "what":
        yield from (Word(tables["categories"][kind], forms) for kind in Category)
    elif hole in _COUNTS:
        yield Count(2, "2", forms)
    else:
        yield Word(hole, forms)


def _complaint(
    sample: Word | WordList | Count, form: str, forms: WordForms, key: str, hole: str
) -> tuple[str, str] | None:
    """Return the key that lacks *form* of *sample* and a complaint, or None."""
    try:
        format(sample, form)
    except (LookupError, ValueError) as problem:
        return key, f"asks for a form that is not there, {{{hole}:{form}}}: {problem}"
    needed = len(forms.language.genders) if isinstance(sample, Word) else forms.language.plurals
    if CHOICE in form and form.count(CHOICE) + 1 < needed:
        return key, f"must choose among {needed} in {{{hole}:{form}}}"
    if isinstance(sample, Word) and CHOICE not in form and sample.text != hole and not forms.has(sample.text, form):
        return f"forms.{form}", f"does not say what {sample.text!r} is, for which {key} asks"
    return None


def _holes(text: str | list[str]) -> set[str]:
    lines = [text] if isinstance(text, str) else text
    return {hole for line in lines for _, hole, _, _ in Formatter().parse(line) if hole is not None}
