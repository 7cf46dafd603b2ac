"""Languages are found by their folders, and a folder that cannot be used is named with file and key."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from shutil import copytree

import pytest

from seance.dialogue.grammar.sentences import Sentences
from seance.languages import BadLanguage, Language, language_codes, language_names, load_language, read_language_file
from seance.models.catalogue import CATALOGUE
from seance.settings import BadSettings, parse
from tests.languages import EACH_LANGUAGE

TOML = """
name = "Deutsch"
letters = "abcdefghijklmnopqrstuvwxyzäöüß"
genders = ["m", "f", "n"]
plural_forms = "nplurals=2; plural=n != 1;"
[fold]
"ß" = "ss"
"ae" = "a"
"""


@pytest.fixture
def add_language(tmp_path, monkeypatch):
    """Adds a language in a folder of the owner's."""
    monkeypatch.setenv("SEANCE_VOICES", str(tmp_path))

    def add(code, toml):
        (tmp_path / code).mkdir()
        (tmp_path / code / "language.toml").write_text(toml)
        return tmp_path / code

    return add


def test_a_folder_of_the_owners_is_a_language(add_language):
    before = language_codes()
    add_language("de", TOML)
    assert set(language_codes()) == {*before, "de"}
    assert language_names()["de"] == "Deutsch"
    assert parse('language = "de"').language == "de"


def test_settings_name_the_languages_that_there_are(add_language):
    add_language("de", TOML)
    with pytest.raises(BadSettings, match=r"line 1: language: there is no language 'xx': one of de, en, fr"):
        parse('language = "xx"')


def test_an_unknown_language_is_named_with_those_there_are():
    with pytest.raises(BadLanguage, match=rf"there is no language '\.\./en': one of {', '.join(language_codes())}"):
        load_language("../en")


@pytest.mark.parametrize(
    ("toml", "complaint"),
    [
        (TOML.replace('name = "Deutsch"', ""), r"language\.toml: name: is missing"),
        (TOML.replace('name = "Deutsch"', 'name = ""'), r"language\.toml, line 2: name: "),
        (TOML.replace("[fold]", "[tones]"), r"language\.toml, line 6: tones: there is no such key"),
        (TOML.replace('"f", "n"', '"m"'), r"language\.toml, line 4: genders: "),
        (TOML.replace("n != 1", "n !!"), r"language\.toml, line 5: plural_forms: this is not like"),
        (TOML.replace("n != 1", "n"), r"language\.toml, line 5: plural_forms: this is not like"),
        (TOML.replace("n != 1", "__import__('os')"), r"language\.toml, line 5: plural_forms: this is not like"),
        ("name = ", r"language\.toml: not TOML"),
    ],
)
def test_a_bad_language_is_named_with_file_and_key(add_language, toml, complaint):
    folder = add_language("de", toml)
    with pytest.raises(BadLanguage, match=re.escape(str(folder)) + "/" + complaint):
        load_language("de")


def test_a_folder_without_its_language_toml_is_named(add_language):
    (add_language("de", TOML) / "language.toml").unlink()
    with pytest.raises(BadLanguage, match=r"de/language\.toml: there is no such file"):
        load_language("de")


def test_a_file_that_a_language_does_not_have_is_named(add_language):
    folder = add_language("de", TOML)
    with pytest.raises(BadLanguage, match=re.escape(f"{folder}/script.toml: there is no such file")):
        read_language_file("de", "script.toml")


def test_a_folder_of_languages_that_is_not_there_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("SEANCE_VOICES", str(tmp_path / "nowhere"))
    with pytest.raises(BadLanguage, match=r"nowhere: cannot be read: .*; SEANCE_VOICES names it"):
        language_codes()


@pytest.mark.parametrize(
    ("rule", "forms"),
    [
        ("nplurals=1; plural=0;", [0, 0, 0, 0, 0]),
        ("nplurals=2; plural=n > 1;", [0, 0, 1, 1, 1]),
        ("nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;", [2, 0, 1, 2, 1]),
    ],
)
def test_a_plural_rule_is_that_of_gettext(rule, forms):
    language = Language(name="x", letters="x", genders=("m",), plural_forms=rule, fold={})
    assert [language.plural(number) for number in (0, 1, 2, 5, 22)] == forms


@pytest.mark.parametrize("typed", ["Straße", "STRASSE", "strasse"])
def test_a_letter_is_typed_as_its_language_writes_it(add_language, typed):
    add_language("de", TOML)
    assert load_language("de").make_fold()(typed) == "strasse"


def test_an_umlaut_may_be_typed_with_or_without_its_e(add_language):
    add_language("de", TOML)
    fold = load_language("de").make_fold()
    assert fold("zählt") == fold("zaehlt") == fold("zahlt") == fold("za\u0308hlt")


def test_typed_words_fold_as_their_language_says(add_language, tmp_path):
    add_language("de", TOML)
    (tmp_path / "de" / "names.toml").write_text("")
    copytree(str(files("voices").joinpath("en", "editions")), tmp_path / "de" / "editions")
    file = tmp_path / "mine.yaml"
    file.write_text('language: "de"\nintents:\n  walk:\n    data:\n      - sentences: ["auf der straße zählen"]\n')
    spoken = Sentences.load("de", sentences_file=file)
    assert spoken.match("Auf der Strasse zaehlen").name == "walk"


@EACH_LANGUAGE
def test_every_model_of_a_language_is_in_the_catalogue(language):
    models = load_language(language).models
    kinds = {"recogniser": models.recogniser, "second opinion": models.rescoring, "voice": models.voice}
    for kind, key in kinds.items():
        assert key is None or (CATALOGUE[key].kind, CATALOGUE[key].language) == (kind, language)


@EACH_LANGUAGE
def test_a_language_is_written_with_its_letters_alone(language):
    def letters(value):
        if isinstance(value, str):
            is_phonemes = value.startswith("/") and value.endswith("/")
            return set() if is_phonemes else {letter for letter in value.lower() if letter.isalpha()}
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return set().union(*map(letters, inner))

    folder = Path(str(files("voices"))) / language
    paths = [path for path in folder.rglob("*.toml") if path.name != "language.toml"]
    strange = {path.name: letters(tomllib.loads(path.read_text(encoding="utf-8"))) for path in paths}
    known = set(load_language(language).letters)
    assert {name: found - known for name, found in strange.items() if not found <= known} == {}
