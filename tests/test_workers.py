"""Tests side by side: files stay together, and others make way for real-time tests."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.workers import REALTIME, ROWS

CONFTEST = Path(__file__).with_name("workers.py")
FILE = """
import json, os, pathlib, pytest

@pytest.mark.parametrize("number", range(4))
def test_it(number):
    with pathlib.Path("notes").open("a") as notes:
        notes.write(json.dumps([__file__, os.getpid(), os.nice(0)]) + "\\n")
"""
OTHERS = ("tests/rules/test_a.py", "tests/rules/test_b.py", "tests/web/test_c.py")


@dataclass(frozen=True)
class Note:
    """One test that was run."""

    file: str
    worker: int
    niceness: int


@pytest.fixture
def notes(tmp_path: Path) -> list[Note]:
    """What was run on three workers, as our own tests are, in the order of time."""
    for name in (*REALTIME, *OTHERS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(FILE, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    workers = ["-p", "xdist", "-n", "3", "--dist", "loadfile"]
    environ = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run([*command, *workers], check=True, cwd=tmp_path, env=environ)
    noted = [json.loads(line) for line in (tmp_path / "notes").read_text().splitlines()]
    return [Note(Path(file).relative_to(tmp_path).as_posix(), *rest) for file, *rest in noted]


def test_a_file_stays_with_one_worker(notes: list[Note]) -> None:
    assert len({(note.file, note.worker) for note in notes}) == len(REALTIME) + len(OTHERS)


@pytest.mark.parametrize("row", ROWS)
def test_a_row_of_realtime_tests_is_what_one_worker_begins_with(notes: list[Note], row: tuple[str, ...]) -> None:
    realtime = [note for note in notes if note.file in row]
    (worker,) = {note.worker for note in realtime}
    assert len(realtime) == 4 * len(row)
    assert [note for note in notes if note.worker == worker][: len(realtime)] == realtime


def test_the_others_make_way_for_them(notes: list[Note]) -> None:
    usual = os.nice(0)
    assert {note.niceness for note in notes if note.file in REALTIME} == {usual}
    assert {note.niceness for note in notes if note.file in OTHERS} == {max(usual, 10)}


def test_every_file_of_realtime_tests_exists() -> None:
    root = Path(__file__).parents[1]
    assert [name for name in REALTIME if not (root / name).is_file()] == []
