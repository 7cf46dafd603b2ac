"""The grammar of a script: numbers, counted things, names and forms; complaints name the file, line and key."""

from collections.abc import Iterator, Mapping
from typing import Any

from seance.edition_texts import EditionTexts
from seance.languages import Language
from seance.narration.inflection import FORMS, EditionWords, Inflection
from seance.narration.script_file import ScriptFile
from seance.rules import Psychic
from seance.text_files import shorten
from seance.word_forms import WordForms, WrittenForms

_GRAMMAR_KEYS = ("comma", "card", "joins", "places", "numbers", "counted")
_JOINS = ("and", "or")
_PSYCHIC_TABLES = ("colours", "names", "genders")


def read_inflection(
    tables: Mapping[str, Any],
    texts: Mapping[str, EditionTexts],
    language: Language,
    *,
    levels: Mapping[str, str],
    forms: WrittenForms,
) -> Inflection:
    """Return the inflection that the [grammar] and [called] tables of a script and the *texts* of editions describe.

    The owner's *levels* are called so in every edition; *forms* are those that the script and the owner have written.
    """
    grammar, called = tables["grammar"], tables["called"]
    return Inflection(
        numbers=tuple(grammar["numbers"]),
        places=tuple(grammar["places"]),
        joins=grammar["joins"],
        comma=grammar["comma"],
        card=grammar["card"],
        words={name: _words(each, grammar["counted"], levels, language, forms) for name, each in texts.items()},
        psychics={psychic: called["colours"][psychic] for psychic in Psychic},
        names={psychic: called["names"][psychic] for psychic in Psychic},
        genders={psychic: called["genders"][psychic] for psychic in Psychic},
        called={what: called[what] for what in ("levels", "editions", "marks")},
    )


def check_grammar(file: ScriptFile, tables: Mapping[str, Any], language: Language) -> None:
    """Raise BadScript if [grammar], [called] or [forms] lack something or do not fit *language*."""
    for key, complaint in (*_grammar_problems(tables, language), *_name_problems(tables, language)):
        raise file.error(key, complaint)
    read_forms(file, tables, language)


def read_forms(file: ScriptFile, tables: Mapping[str, Any], language: Language) -> WrittenForms:
    """Return the [forms] of a script or of the owner's lines, or raise BadScript."""
    forms = tables.get("forms", {})
    if not isinstance(forms, dict):
        raise file.error("forms", f"must be a table, not {shorten(repr(forms))}")
    for name, texts in forms.items():
        if name not in language.forms or not isinstance(texts, dict):
            known = ", ".join(f"[forms.{each}]" for each in language.forms) or f"none in {language.name}"
            raise file.error(f"forms.{name}", f"is no form of this language: {known}")
        for text, becomes in texts.items():
            if not isinstance(becomes, str) or not becomes.strip():
                raise file.error(f"forms.{name}", f"must say what {text!r} is, not {shorten(repr(becomes))}")
    return forms


def counted_problem(forms: Any, language: Language) -> str | None:
    """Return what is wrong with the *forms* of a counted thing, if anything."""
    if isinstance(forms, list | tuple) and len(forms) == 1 + language.plurals:
        return None
    return f"must have {1 + language.plurals} texts, for none and for each plural form, not {shorten(repr(forms))}"


def _words(
    texts: EditionTexts,
    counted: Mapping[str, Any],
    levels: Mapping[str, str],
    language: Language,
    forms: WrittenForms,
) -> EditionWords:
    words = texts.tables.words
    written = {name: {**words.forms.get(name, {}), **forms.get(name, {})} for name in language.forms}
    return EditionWords(
        prefixes=tuple(file.name for file in texts.files),
        levels={name: levels.get(name, level.said) for name, level in texts.tables.levels.items()},
        hours=texts.tables.turns.said,
        plain=words.plain,
        numbers={"turns": texts.edition.turns, "shared_cards": texts.edition.shared_vision_cards},
        counted={what: tuple(each) for what, each in {**counted, **words.counted}.items()},
        kinds=words.kinds,
        forms=WordForms(language, written),
    )


def _grammar_problems(tables: Mapping[str, Any], language: Language) -> Iterator[tuple[str, str]]:
    grammar = tables.get("grammar", {})
    for key in _GRAMMAR_KEYS:
        if key not in grammar:
            yield f"grammar.{key}", "is missing"
            return
    for join in _JOINS:
        if join not in grammar["joins"]:
            yield f"grammar.joins.{join}", "is missing"
    for what, forms in grammar["counted"].items():
        if problem := counted_problem(forms, language):
            yield f"grammar.counted.{what}", problem
    for name in language.forms:
        if name in {*FORMS, *grammar["joins"], *grammar["counted"]}:
            yield "grammar", f"cannot have a form {name}, which language.toml names: it means something else in a hole"


def _name_problems(tables: Mapping[str, Any], language: Language) -> Iterator[tuple[str, str]]:
    called = tables.get("called", {})
    for table in _PSYCHIC_TABLES:
        for psychic in Psychic:
            if psychic not in called.get(table, {}):
                yield f"called.{table}.{psychic}", "is missing"
    for psychic, gender in called.get("genders", {}).items():
        if gender not in language.genders:
            yield f"called.genders.{psychic}", wanted_gender(gender, language)
    if "marks" not in called:
        yield "called.marks", "is missing"


def wanted_gender(given: Any, language: Language) -> str:
    """Return the complaint about a gender that *language* does not have."""
    known = " or ".join(f'"{each}"' for each in language.genders)
    return f"must be {known}, not {shorten(repr(given))}"
