"""No list of languages stands anywhere: they are found by their folders in voices/."""

import re
from pathlib import Path

import pytest

from seance.languages import language_codes
from tests.sources import language_lists

ROOT = Path(__file__).parents[1]
CODES = language_codes()
EXCUSED = {
    "tests/test_fifth_edition.py": "the words of a made-up edition, in the languages in which it is played",
    "tests/test_language_lists.py": "planted lists",
}
PYTHON = [path for top in ("seance", "hardware", "script", "tests") for path in sorted((ROOT / top).rglob("*.py"))]
ANY_CODE = "|".join(CODES)
QUOTED = re.compile(rf"""["']({ANY_CODE})["']""")
IN_A_ROW = re.compile(rf"(?<![\w-])({ANY_CODE})(?![\w-])[^\w\n]+(?:or |--lang )?(?!\1)({ANY_CODE})(?![\w-])")


def programs() -> list[Path]:
    """Return the shell scripts of the project."""
    files = [path for path in (*(ROOT / "script").iterdir(), *(ROOT / "systemd").iterdir()) if path.is_file()]
    return [path for path in files if path.read_bytes().startswith(b"#!") and path.suffix != ".py"]


def test_no_python_enumerates_languages() -> None:
    sources = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PYTHON}
    found = {name: language_lists(source, CODES) for name, source in sources.items()}
    assert {name: lines for name, lines in found.items() if lines and name not in EXCUSED} == {}


def test_no_page_names_a_language() -> None:
    pages = (ROOT / "seance" / "web" / "pages").iterdir()
    assert [path.name for path in pages if QUOTED.search(path.read_text(encoding="utf-8"))] == []


def test_no_script_enumerates_languages() -> None:
    assert [path.name for path in programs() if IN_A_ROW.search(path.read_text(encoding="utf-8"))] == []


# The checks themselves


@pytest.mark.parametrize(
    "source",
    [
        "LANGUAGES = ('en', 'fr')",
        "parser.add_argument('--lang', choices=['en', 'fr'])",
        "language: Literal['en', 'fr'] = 'en'",
        "VOICES = {'en': 1, 'fr': 2}",
        "language = 'fr' if seed % 2 else 'en'",
        "known = language in {'fr', 'en'}",
    ],
)
def test_a_planted_list_is_found(source: str) -> None:
    assert language_lists(source, ("en", "fr")) == [1]


@pytest.mark.parametrize("source", ["x = ('en', 'de')", "[('en', 'yes'), ('fr', 'oui')]", "f('en'), f('fr')"])
def test_one_language_at_a_time_is_no_list(source: str) -> None:
    assert language_lists(source, ("en", "fr")) == []


@pytest.mark.parametrize(
    "text", ["case $x in en | fr) ;;", "# en or fr", "fetch_models en fr speaker", "--lang en --lang fr"]
)
def test_a_planted_list_in_a_script_is_found(text: str) -> None:
    assert IN_A_ROW.search(text)
