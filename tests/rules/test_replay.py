"""The same seed and commands give the same night, byte for byte, in any process and on any Python (S6)."""

import hashlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from seance.engine import Engine
from seance.rules import Begin, Command, Event, apply, wire_name
from seance.rules.bots import Company, play
from seance.rules.chance import shuffled
from tests.rules.moments import SETUPS, to_the_end

ROOT = Path(__file__).parents[2]
NIGHTS = {
    "libellud medium for 5, manor deal, dealt visions": 1894,
    "libellud easy for 2, manor deal, dealt visions": 1,
    "igames normal for 4, hand deal, dealt visions": 2,
    "portal difficult for 6, manor deal, table visions": 3,
    "full_investigation easy for 3, manor deal, dealt visions": 4,
}


def _commands(setup: str) -> list[Command]:
    begin = replace(SETUPS[setup], seed=NIGHTS[setup])
    return [command for command, _, _ in play(begin, Company(Random(7), accuracy=0.8))]


COMMANDS = [command for setup in NIGHTS for command in _commands(setup)]
"""Some nights, one after another."""


# Over the wire


def _line(command: Command) -> bytes:
    given = {field.name: getattr(command, field.name) for field in fields(command)}
    if isinstance(command, Begin):
        given["edition"] = command.edition.name
    return json.dumps({"command": wire_name(type(command)), **given}).encode() + b"\n"


LINES = b"".join(map(_line, COMMANDS))

ANSWER = "import sys; from seance.engine import Engine; answer = Engine().answer; " + (
    "sys.stdout.buffer.writelines(answer(line) + b'\\n' for line in sys.stdin.buffer)"
)


def _answers() -> bytes:
    engine = Engine()
    return b"".join(engine.answer(line) + b"\n" for line in LINES.splitlines())


def test_S6_a_night_told_again_to_a_new_engine_is_answered_byte_for_byte_alike() -> None:
    assert _answers() == _answers()
    assert _answers().count(b'"ok":true') == len(COMMANDS)


@pytest.mark.parametrize("hash_seed", ["0", "1", "1894"])
def test_S6_a_night_is_the_same_in_every_process(hash_seed: str) -> None:
    assert _run(sys.executable, "-c", ANSWER, given=LINES, PYTHONHASHSEED=hash_seed) == _answers()


def _run(*program: str, given: bytes = b"", **environment: str) -> bytes:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env = inherited | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"} | environment
    return subprocess.run(program, input=given, env=env, capture_output=True, check=True, timeout=60).stdout


# On every Python


def _pythons() -> dict[str, str]:
    """Return each Python from 3.11 on that this machine has, by its version; the one that runs this is among them."""
    places = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep) if place]
    places += Path(sys.base_prefix).parent.glob("*/bin")
    found = [path for place in places for path in sorted(place.glob("python3.[0-9][0-9]"))]
    versions = {_version(str(path)): str(path) for path in reversed(found)}
    here = ".".join(map(str, sys.version_info[:3]))
    return {version: path for version, path in versions.items() if version} | {here: sys.executable}


def _version(python: str) -> str:
    """Return the version of *python*, or nothing where it is too old or does not run."""
    say = "import sys; print('.'.join(map(str, sys.version_info[:3])) if sys.version_info >= (3, 11) else '')"
    try:
        return _run(python, "-S", "-c", say).decode().strip()
    except (OSError, subprocess.SubprocessError):
        return ""


APPLY = """
import pickle, sys
from seance.rules import apply
state = None
for command in pickle.load(sys.stdin.buffer):
    state, events = apply(state, command)
    print(repr(events))
"""


def _events(commands: list[Command]) -> Iterator[tuple[Event, ...]]:
    state = None
    for command in commands:
        state, events = apply(state, command)
        yield events


PYTHONS = _pythons()


@pytest.mark.parametrize("python", PYTHONS.values(), ids=list(PYTHONS))
def test_S6_a_night_is_the_same_on_every_python(python: str) -> None:
    told = "".join(f"{events!r}\n" for events in _events(COMMANDS))
    # Without site packages: the rules need nothing but the standard library.
    assert _run(python, "-S", "-c", APPLY, given=pickle.dumps(COMMANDS)).decode() == told


# Chance does not change by accident: nights that were recorded can still be replayed


def test_S6_the_shuffle_is_what_it_always_was() -> None:
    assert shuffled(0, "table/character", range(1, 10)) == (7, 3, 1, 8, 5, 4, 2, 9, 6)
    assert shuffled(-1, "", "seance") == tuple("snecae")


PINNED = {
    "libellud medium for 5, manor deal, dealt visions": "e06d2be02692f52c",
    "libellud easy for 2, manor deal, dealt visions": "904e8c67bdbb3cc2",
    "igames normal for 4, manor deal, dealt visions": "f61d838868ffd89b",
    "portal difficult for 6, manor deal, dealt visions": "bb78bb6492134c1b",
    "manual easy for 7, manor deal, dealt visions": "38077ef397a3975b",
    "full_investigation easy for 3, manor deal, dealt visions": "5850c60be49ba6e4",
}
"""A digest of all that chance decides in a night of perfect psychics."""


@pytest.mark.parametrize("setup", PINNED)
def test_S6_what_chance_decides_is_what_it_always_was(setup: str) -> None:
    state, _ = apply(None, replace(SETUPS[setup], seed=1894))
    decided: list[Any] = [state.table, [search.secret for search in state.searches], state.deck]
    for _, after in to_the_end(state):
        decided.append((after.deck, after.ending.groups, after.ending.culprit, after.ending.shared))
    plain = json.dumps(decided, default=lambda value: [getattr(value, field.name) for field in fields(value)])
    assert hashlib.sha256(plain.encode()).hexdigest()[:16] == PINNED[setup]
