"""The languages: each folder of `voices/`, and of the folder that SEANCE_VOICES names, with its language.toml."""

from __future__ import annotations

import gettext
import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from seance.text_files import BadTextFile, Error, at_line, line_of, parse_toml, read_text, validation_error

DEFAULT_LANGUAGE = "en"
FOLDER_VARIABLE = "SEANCE_VOICES"
"""The environment variable that names a folder with languages of the owner's, searched before ours."""

Text = Annotated[str, msgspec.Meta(min_length=1)]
_FOLDED_WORDS = 4096
"""How many words are kept folded: more than a language's grammar has."""
_TRIED_NUMBERS = 201
"""A plural rule is tried with the numbers below."""
_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_PLURAL_FORMS = re.compile(r"\s*nplurals\s*=\s*([1-6])\s*;\s*plural\s*=\s*([^;]+);?\s*")


class BadLanguage(BadTextFile):
    """A language is unknown, or its language.toml cannot be used; the message names the file, the line and the key."""


class LanguageModels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a language's models in the catalogue; None where there is none."""

    recogniser: str | None = None
    """Without it the language is played by typing."""
    rescoring: str | None = None
    voice: str | None = None
    """A Piper voice."""
    natural_voice: str | None = None
    """Kokoro, where it has a voice of the language."""

    @property
    def hearing(self) -> tuple[str, ...]:
        """The keys of the models that speech is heard with."""
        return tuple(key for key in (self.recogniser, self.rescoring) if key is not None)


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a language.toml."""

    name: Text
    """What the language calls itself."""
    letters: Text
    """Every lower-case letter that its texts are written with."""
    genders: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)]
    """In the order of a choice by gender: {psychic:he|she}."""
    plural_forms: str
    """As in gettext: `nplurals=2; plural=n != 1;`."""
    fold: Mapping[Text, str]
    """What is the same when typed, beside letters with and without accents: œ and oe."""
    forms: Mapping[Text, tuple[tuple[str, str], ...]] = {}
    """Grammatical forms that a hole may ask for, such as a case: what makes them, as a pattern and its replacement."""
    seams: tuple[tuple[str, str], ...] = ()
    """Elisions: what is replaced where a word meets a name, whose start is marked, as a pattern and its replacement."""
    test_voices: tuple[Text, ...] = ()
    """Voices of espeak-ng that speak to the recogniser in tests and benches."""
    models: LanguageModels = LanguageModels()

    @property
    def plurals(self) -> int:
        """How many plural forms there are, counting the singular."""
        return _plural_rule(self.plural_forms)[0]

    def plural(self, number: int) -> int:
        """Return which of the plural forms *number* takes, from 0 on."""
        count, rule = _plural_rule(self.plural_forms)
        form = rule(abs(number))
        if not 0 <= form < count:
            raise ValueError(f"{number} takes form {form} of {count}")
        return form

    def make_fold(self) -> Callable[[str], str]:
        """Return a function that gives a word as it is compared: in lower case, without accents, `fold` applied."""
        longest_first = sorted(self.fold, key=len, reverse=True)
        pattern = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

        @lru_cache(maxsize=_FOLDED_WORDS)
        def fold(word: str) -> str:
            composed = unicodedata.normalize("NFC", word).lower()
            plain = unicodedata.normalize("NFKD", pattern.sub(lambda found: self.fold[found[0]], composed))
            return "".join(letter for letter in plain if not unicodedata.combining(letter))

        return fold


class LanguageFile(NamedTuple):
    """A file of a language's folder."""

    source: str
    """Its name in error messages."""
    text: str


def language_codes() -> tuple[str, ...]:
    """Return the codes of all languages in alphabetical order: en, fr."""
    return tuple(sorted({folder.name for root in _roots() for folder in _folders(root)}))


def load_language(code: str) -> Language:
    """Return what is known of a language, or raise BadLanguage."""
    return _parse_language(_path(code, "language.toml"))


def language_names() -> dict[str, str]:
    """Return what each language calls itself, by code; or raise BadLanguage."""
    return {code: load_language(code).name for code in language_codes()}


def read_language_file(code: str, name: str, error: Error = BadLanguage) -> LanguageFile:
    """Return the file *name* of a language's folder, or raise *error* or BadLanguage, which name it."""
    path = _path(code, name)
    return LanguageFile(_source(path), _read(path, error))


def has_language_file(code: str, name: str) -> bool:
    """Return whether a language's folder has the file *name*, or raise BadLanguage."""
    return _path(code, name).is_file()


def language_files(code: str, folder: str) -> tuple[str, ...]:
    """Return the names of the files in *folder* of a language in alphabetical order, or raise BadLanguage."""
    _path(code, folder)
    folders = [root / code / folder for root in _roots()]
    return tuple(sorted({path.name for each in folders if each.is_dir() for path in each.iterdir() if path.is_file()}))


def _roots() -> Iterator[Path]:
    """Yield the folders that hold one folder for each language, the owner's first."""
    if owners := os.environ.get(FOLDER_VARIABLE):
        yield Path(owners)
    yield _our_root()


@cache
def _our_root() -> Path:
    return Path(str(files("voices")))


def _folders(root: Path) -> Iterator[Path]:
    try:
        yield from (path for path in root.iterdir() if _CODE.fullmatch(path.name) and path.is_dir())
    except OSError as problem:
        raise BadLanguage(f"{root}: cannot be read: {problem.strerror}; {FOLDER_VARIABLE} names it") from None


def _path(code: str, name: str) -> Path:
    """Return the path of the file *name* of a language, the owner's before ours, or raise BadLanguage."""
    known = language_codes()
    if code not in known:
        raise BadLanguage(f"there is no language {code!r}: one of {', '.join(known)}")
    paths = [root / code / name for root in _roots() if (root / code).is_dir()]
    return next((path for path in paths if path.is_file()), paths[-1])


def _source(path: Path) -> str:
    """Return the name of *path* in messages; ours begin with voices/."""
    return f"voices/{path.relative_to(_our_root())}" if path.is_relative_to(_our_root()) else str(path)


def _read(path: Path, error: Error) -> str:
    return read_text(path, lambda problem: error(problem.replace(str(path), _source(path))))


@cache
def _parse_language(path: Path) -> Language:
    source, text = _source(path), _read(path, BadLanguage)
    try:
        language = msgspec.convert(parse_toml(text, source, BadLanguage), type=Language)
    except msgspec.ValidationError as problem:
        raise BadLanguage(validation_error(str(problem), text, source, "language")) from None
    for key, complaint in _complaints(language):
        raise BadLanguage(f"{at_line(source, line_of(text, key.split('.')))}: {key}: {complaint}")
    return language


def _complaints(language: Language) -> Iterator[tuple[str, str]]:
    """Yield each key whose value cannot be used, and why."""
    if len(set(language.genders)) < len(language.genders):
        yield "genders", "one of them is there twice"
    rules = {"seams": language.seams, **{f"forms.{name}": each for name, each in language.forms.items()}}
    for key, pairs in rules.items():
        for pattern, becomes in pairs:
            if problem := _pattern_problem(pattern, becomes):
                yield key, f"{pattern!r} and {becomes!r}: {problem}"
    for name in language.forms:
        if not name.isidentifier():
            yield "forms", f"{name!r} is no name"
    try:
        for number in range(_TRIED_NUMBERS):
            language.plural(number)
    except (ValueError, ZeroDivisionError, OverflowError) as problem:
        yield "plural_forms", f"this is not like `nplurals=2; plural=n != 1;`: {problem}"


def _pattern_problem(pattern: str, becomes: str) -> str | None:
    """Return what is wrong with a regular expression and its replacement, if anything."""
    try:
        re.sub(pattern, becomes, "")
    except (re.error, IndexError) as problem:
        return str(problem)
    return None


@cache
def _plural_rule(plural_forms: str) -> tuple[int, Callable[[int], int]]:
    given = _PLURAL_FORMS.fullmatch(plural_forms)
    if given is None:
        raise ValueError(plural_forms)
    return int(given[1]), gettext.c2py(given[2].strip())
