"""The documents agree with the code: examples, settings, programs and links."""

import doctest
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from seance.cli import PROGRAMS
from seance.settings import Settings, parse

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MAX_README_LINES = 180
"""So that somebody in a hurry reads it."""
SETTINGS = (ROOT / "docs/settings.md").read_text(encoding="utf-8")


def test_the_readme_is_short():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= MAX_README_LINES


def test_the_changelog_begins_with_the_version_of_the_package():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    versions = re.findall(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert next(each for each in versions if each != "Unreleased") == version


def test_the_examples_in_python_are_true():
    results = doctest.testfile(str(ROOT / "docs/engine.md"), module_relative=False)
    assert (results.failed, results.attempted > 5) == (0, True)


def test_every_setting_is_documented_with_its_default():
    rows = re.findall(r"^\| `([a-z_.<>]+)` \| (?:`(.+?)`|none) \|", SETTINGS, re.MULTILINE)
    documented = {key: tomllib.loads(f"it = {default}")["it"] if default else None for key, default in rows}
    assert documented == dict(defaults(Settings()))


def defaults(settings: Any, table: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each key under *table* with its default; the keys of an edition are listed once."""
    for name, value in msgspec.structs.asdict(settings).items():
        key = f"{table}{name}".replace("more_cards.libellud", "more_cards.<edition>")
        if isinstance(value, msgspec.Struct):
            if table != "more_cards." or name == "libellud":
                yield from defaults(value, f"{key}.")
        else:
            yield key, list(value) if isinstance(value, tuple) else value


def test_the_example_of_settings_can_be_used():
    (example,) = re.findall(r"```toml\n(language.+?)```", SETTINGS, re.DOTALL)
    assert parse(example) != Settings()


def test_every_program_has_a_place_in_the_readme():
    text = README.read_text(encoding="utf-8")
    assert [name for name in PROGRAMS if f"seance {name}" not in text and f"script/{name}" not in text] == []


def test_every_picture_and_document_that_is_named_is_there():
    documents = [README, ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md"), ROOT / "hardware/wiring/README.md"]
    links = [
        (document, link)
        for document in documents
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8"))
    ]
    assert [link for document, link in links if not (document.parent / link).exists()] == []
    assert len(links) > 5


def test_every_source_file_that_a_document_names_is_there():
    documents = [README, ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    named = {
        (document.name, name)
        for document in documents
        for name in re.findall(r"(?<![\w*/.])((?:[a-z_0-9]+/)*[a-z_0-9]+\.py)\b", document.read_text(encoding="utf-8"))
    }
    places = (ROOT, ROOT / "seance", ROOT / "seance/rules", ROOT / "seance/hearing")
    assert sorted(one for one in named if not any((place / one[1]).exists() for place in places)) == []
    assert len(named) > 30
