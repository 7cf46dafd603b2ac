"""Opens SQLite files on disks that may be damaged, full or read-only, and moves damaged files aside."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from seance.journal.errors import Damaged, DiskFault, fault_of

BUSY_TIMEOUT_S = 2.0
"""How long a write waits for another program's lock (seconds)."""


def fetch_row(cursor: sqlite3.Cursor) -> tuple[Any, ...] | None:
    """Return the next row, or None after the last; or raise Damaged."""
    try:
        row: tuple[Any, ...] | None = cursor.fetchone()
    except UnicodeDecodeError as error:
        raise Damaged(str(error)) from None
    return row


class _Connection(sqlite3.Connection):
    """A connection that raises Damaged where SQLite's error message quotes bytes of the file that are not UTF-8."""

    def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
        try:
            return super().execute(sql, values)
        except UnicodeDecodeError as error:
            raise Damaged(str(error)) from None


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Return a connection to the existing file *path*; *mode* is `ro` or `rw`."""
    where = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(where, uri=True, isolation_level=None, timeout=BUSY_TIMEOUT_S, factory=_Connection)
    # Text that is not UTF-8 is damaged; the checksum of its row will not match.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


def connect_for_reading(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """Return a connection to *path*, or to a temporary copy where SQLite cannot write the files it needs to read."""
    connection = connect(path, "ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except (sqlite3.Error, Damaged) as error:
        connection.close()
        if fault_of(error) is DiskFault.DAMAGED:
            raise
    else:
        return connection
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="seance-")))
    for companion in ("", "-wal"):
        with suppress(FileNotFoundError):
            shutil.copyfile(path.with_name(path.name + companion), folder / f"copy{companion}")
    return connect(folder / "copy", "rw")


def make_folder_durably(folder: Path) -> None:
    """Make *folder* and its parents, and sync them so that they survive a power cut."""
    if folder.is_dir():
        return
    make_folder_durably(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    parent = os.open(folder.parent, os.O_RDONLY)
    try:
        os.fsync(parent)
    finally:
        os.close(parent)


def file_identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of the file at *path*, or None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def set_aside(path: Path, stamp: str) -> Path:
    """Rename a damaged database and its -wal and -shm files to an unused name, and return that."""
    names = (f"{path.stem}.damaged-{stamp}{more}{path.suffix}" for more in ("", *(f"-{n}" for n in range(2, 1000))))
    aside = next(
        name for name in map(path.with_name, names) if not any(each.exists() for each in _with_companions(name))
    )
    for old, new in zip(_with_companions(path), _with_companions(aside), strict=True):
        with suppress(FileNotFoundError):
            old.rename(new)
    return aside


def _with_companions(path: Path) -> Iterator[Path]:
    """Yield the files of the database *path*, itself last: SQLite deletes a -wal file that has lost its database."""
    return (path.with_name(path.name + companion) for companion in ("-wal", "-shm", ""))
