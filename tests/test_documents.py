"""The documents agree with the code: examples, settings, programs and links."""

import argparse
import doctest
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from seance.cli import PROGRAMS
from seance.settings import Settings, parse
from tests.command_lines import parsers_of

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MAX_README_LINES = 180
"""So that somebody in a hurry reads it."""
DOCUMENTS = sorted(
    document
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "hardware/wiring/README.md"]
    if not document.name.startswith("night-")
)
"""All but the nights, which are generated."""
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
    links = [
        (document, link)
        for document in DOCUMENTS
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8"))
    ]
    assert [link for document, link in links if not (document.parent / link).exists()] == []
    assert len(links) > 5


def test_every_heading_that_is_linked_is_there():
    links = [
        (document.name, place, heading)
        for document in DOCUMENTS
        for place, heading in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", document.read_text(encoding="utf-8"))
        if heading not in anchors(document.parent / place if place else document)
    ]
    assert links == []


def anchors(document: Path) -> set[str]:
    """Return what links call the headings of *document*."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_command_that_a_document_names_can_be_typed():
    commands = [(document.name, command) for document in DOCUMENTS for command in commands_of(document)]
    assert [each for each in commands if mistakes_in(each[1])] == []
    assert len(commands) > 100


def test_blocks_to_copy_are_written_for_the_clone():
    blocks = [(document.name, line) for document in DOCUMENTS for line in block_lines(document)]
    bare = [each for each in blocks if re.match(r"(sudo )?(seance|python3?|dask|pip) ", each[1])]
    assert [name for name, _ in bare] == ["README.md"]  # after `sudo script/install`


def block_lines(document: Path) -> list[str]:
    """Return the lines of all blocks of *document* that are in no language."""
    blocks = re.findall(r"^```\n(.*?)^```", document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]


def commands_of(document: Path) -> list[str]:
    """Return the commands of ours that *document* has in blocks and between backticks."""
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    written = [*block_lines(document), *re.findall(r"`([^`\n]+)`", text)]
    ours = re.compile(r"(?:sudo )?(?:(?:\.venv/bin/)?seance|script/[a-z]+)(?: (?!·).*)?$")
    return [command for command in written if ours.fullmatch(command)]


def mistakes_in(command: str) -> list[str]:
    """Return the words of *command* that are no program, verb or option."""
    words = shlex.split(command.partition(" #")[0])
    name, *arguments = words[1:] if words[0] == "sudo" else words
    options = [each.partition("=")[0] for each in arguments if each.startswith("--")]
    if name.startswith("script/"):
        if not (ROOT / name).is_file():
            return [] if (ROOT / name).is_dir() else [name]
        known = scripts_options(name, arguments)
        return [each for each in options if each not in known]
    if not arguments or arguments[0] in ("--help", "--version"):
        return []
    if arguments[0] not in PROGRAMS:
        return [arguments[0]]
    known = set()
    for parser in parsers_of(arguments[0]):
        known.update(parser._option_string_actions)
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction) and arguments[1:] and arguments[1] not in action.choices:
                return [arguments[1]]
    return [each for each in options if each not in known]


def scripts_options(name: str, arguments: list[str]) -> str:
    """Return the text in which the options of a script stand."""
    files = [ROOT / name, ROOT / f"{name}.py"]
    if name == "script/bench" and arguments:
        files += (ROOT / "script/benches").glob(f"*{arguments[0]}.py")
    text = "".join(file.read_text(encoding="utf-8") for file in files if file.is_file())
    if name == "script/run":
        text += " ".join(next(parsers_of("run"))._option_string_actions)
    return text


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
