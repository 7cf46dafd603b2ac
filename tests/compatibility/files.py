"""The files of earlier versions, and how a test gets at them; none of them is ever written again."""

import io
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from seance.cli import main

FOLDER = Path(__file__).parent
FINISHED = "finished"
"""A journal with nights of every edition, every command and every event, and one that was imported."""
UNFINISHED = ("accusing", "counting", "paused", "sand-running")
"""Journals with one night each, as a kill has left them."""
EXPORTS = sorted(FOLDER.glob("exports/*.json"))
"""The nights of FINISHED, each as a document, in their order."""
SNAPSHOTS = sorted(FOLDER.glob("snapshots/*.json"))
"""What the journal keeps beside the events of a night, with every field other than by default."""
TRANSCRIPTS = sorted(FOLDER.glob("engine/*.txt"))
BOARDS = sorted(FOLDER.glob("owner/boards/*.toml"))
SETTINGS = FOLDER / "owner" / "settings.toml"
LINES = FOLDER / "owner" / "lines.toml"
NAMES = FOLDER / "owner" / "names.toml"


def journal(name: str, path: Path) -> Path:
    """Make the SQLite file at *path* that the text *name* spells, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FOLDER / "nights" / f"{name}.sql").read_text(encoding="utf-8"))
    return path


def rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """Return what *sql* finds in the file at *path*, without any code of ours."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def lines(folder: Path, number: int) -> list[dict[str, Any]]:
    """Return the records of night *number* in *folder*, without any code of ours."""
    return [json.loads(line[9:]) for line in (folder / f"{number:04}.night").read_bytes().splitlines()]


def without_seat(notes: dict[str, Any]) -> dict[str, Any]:
    """Return *notes* without the ghost's seat and its key, which are not given away."""
    return {
        key: {name: each for name, each in value.items() if name != "chair"} if isinstance(value, dict) else value
        for key, value in notes.items()
    }


def told(name: str) -> bytes:
    """Return what a program has printed or written."""
    return (FOLDER / "told" / name).read_bytes()


def called(*arguments: object, given: bytes = b"") -> bytes:
    """Return what `seance` prints when it is called with *arguments* and *given* on its standard input."""
    before, out = (sys.stdin, sys.stdout), io.BytesIO()
    sys.stdin, sys.stdout = io.TextIOWrapper(io.BytesIO(given)), io.TextIOWrapper(out, encoding="utf-8")
    try:
        code = main([str(argument) for argument in arguments])
        sys.stdout.flush()
        assert code == 0
        return out.getvalue()
    finally:
        sys.stdin, sys.stdout = before


def plain(value: Any) -> Any:
    """Return *value* as it is written to a file of JSON."""
    return json.loads(msgspec.json.encode(value))


def lost(stored: Any, read: Any, where: str = "") -> Iterator[str]:
    """Yield each place of *stored* that is not in *read*, or is other there; what *read* has beyond it is welcome."""
    if isinstance(stored, dict) and isinstance(read, dict):
        for key, value in stored.items():
            if key in read:
                yield from lost(value, read[key], f"{where}.{key}")
            else:
                yield f"{where}.{key} is not read"
    elif isinstance(stored, list) and isinstance(read, list) and len(stored) == len(read):
        for place, (value, other) in enumerate(zip(stored, read, strict=True)):
            yield from lost(value, other, f"{where}[{place}]")
    elif stored != read:
        yield f"{where}: {stored!r} is read as {read!r}"
