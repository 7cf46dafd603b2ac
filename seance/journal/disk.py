"""Connections to SQLite files, and the files around them, where disks fail; what is in them is not known here."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from seance.journal.errors import Damaged, Fault, fault_of

BUSY_SECONDS = 2.0
"""How long a write waits for another program to finish its own."""


def next_row(cursor: sqlite3.Cursor) -> tuple[Any, ...] | None:
    """Return the next row, or None after the last; or raise Damaged."""
    try:
        row: tuple[Any, ...] | None = cursor.fetchone()
    except UnicodeDecodeError as error:
        raise Damaged(str(error)) from None
    return row


class _Connection(sqlite3.Connection):
    """A connection that knows damage by the message that Python cannot read: it quotes what was found in the file."""

    def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
        try:
            return super().execute(sql, values)
        except UnicodeDecodeError as error:
            raise Damaged(str(error)) from None


def connected(path: Path, mode: str) -> sqlite3.Connection:
    """Return a connection to the file at *path*, which is there, to read (`ro`) or to write (`rw`)."""
    where = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(where, uri=True, isolation_level=None, timeout=BUSY_SECONDS, factory=_Connection)
    # What is no UTF-8 is damaged, and is found by its seal.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


def readable(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """Return a connection to *path*, or where SQLite cannot write what it needs for reading, to a copy for a while."""
    connection = connected(path, "ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except (sqlite3.Error, Damaged) as error:
        connection.close()
        if fault_of(error) is Fault.DAMAGED:
            raise
    else:
        return connection
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="seance-")))
    for companion in ("", "-wal"):
        with suppress(FileNotFoundError):
            shutil.copyfile(path.with_name(path.name + companion), folder / f"copy{companion}")
    return connected(folder / "copy", "rw")


def make_folder(folder: Path) -> None:
    """Make *folder*, in a way that outlives a power cut."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    above = os.open(folder.parent, os.O_RDONLY)
    try:
        os.fsync(above)
    finally:
        os.close(above)


def inode(path: Path) -> tuple[int, int] | None:
    """Return which file is at *path*, if any."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def set_aside(path: Path, stamp: str) -> Path:
    """Rename a damaged file and its companions, and return its new name; nothing is overwritten."""
    names = (f"{path.stem}.damaged-{stamp}{more}{path.suffix}" for more in ("", *(f"-{n}" for n in range(2, 1000))))
    aside = next(
        name for name in map(path.with_name, names) if not any(each.exists() for each in _with_companions(name))
    )
    for old, new in zip(_with_companions(path), _with_companions(aside), strict=True):
        with suppress(FileNotFoundError):
            old.rename(new)
    return aside


def _with_companions(path: Path) -> Iterator[Path]:
    """Yield the files that belong to *path*, itself last: SQLite would throw away a log that has lost its database."""
    return (path.with_name(path.name + companion) for companion in ("-wal", "-shm", ""))
