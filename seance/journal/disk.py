"""Reads and writes files so that neither a power cut nor a bad sector costs more than it must."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

BLOCK_BYTES = 4096
TEMPORARY_SUFFIX = ".tmp"

sync_data = getattr(os, "fdatasync", os.fsync)
"""Sync the data of a file descriptor, and the metadata that is needed to read them."""


def read_file(path: Path, limit: int | None = None) -> bytes:
    """Return the first *limit* bytes of *path*, all of them without one; blocks that cannot be read are zeros."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        size = size if limit is None else min(size, limit)
        try:
            return _read_range(descriptor, 0, size)
        except OSError:
            blocks = ((at, min(BLOCK_BYTES, size - at)) for at in range(0, size, BLOCK_BYTES))
            return b"".join(_read_block(descriptor, at, length) for at, length in blocks)
    finally:
        os.close(descriptor)


def write_file(path: Path, data: bytes) -> None:
    """Replace *path* by a file of *data*, readable by its owner alone; after a power cut it is the old or the new one.

    The folder has to be synced before the new name is durable.
    """
    temporary = path.with_name(path.name + TEMPORARY_SUFFIX)
    # Nights hold secrets, and the key of the ghost's seat.
    descriptor = os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    try:
        try:
            write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def write_all(descriptor: int, data: bytes) -> None:
    """Write *data*, in as many writes as the disk makes of it."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def remove_temporary_files(folder: Path) -> None:
    """Remove what an interrupted `write_file` has left in *folder*."""
    for path in folder.glob(f"*.night{TEMPORARY_SUFFIX}"):
        path.unlink()


def sync_folder(folder: Path) -> None:
    """Make the names in *folder* durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder_durably(folder: Path) -> None:
    """Make *folder* and its parents, and sync them so that they survive a power cut."""
    if folder.is_dir():
        return
    make_folder_durably(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(0o700)
    sync_folder(folder.parent)


def is_folder(path: Path) -> bool:
    """Return whether there is a folder at *path*, as far as we may know."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Return whether there is a file at *path*, as far as we may know."""
    try:
        return path.is_file()
    except OSError:
        return False


def file_identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of what is at *path*, or None where nothing is."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def keep_copy(path: Path, copy: Path) -> None:
    """Give the file at *path* the second name *copy*, or copy it where the file system has no second names."""
    try:
        copy.hardlink_to(path)
    except OSError:
        write_file(copy, read_file(path))
    sync_folder(copy.parent)


def rename_with_companions(path: Path, new: Path, companions: Iterable[str]) -> None:
    """Rename *path* and the files whose names are its own and one of *companions*, itself last."""
    for companion in (*companions, ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + companion).rename(new.with_name(new.name + companion))
    sync_folder(path.parent)


def unused_name(path: Path, label: str, companions: Iterable[str] = ()) -> Path:
    """Return a name like that of *path* with *label* before its suffix that no file has, also with *companions*."""
    numbered = (f"{path.stem}.{label}{more}{path.suffix}" for more in ("", *(f"-{n}" for n in range(2, 10_000))))
    return next(
        path.with_name(name)
        for name in numbered
        if not any(os.path.lexists(path.with_name(name + companion)) for companion in ("", *companions))
    )


def _read_block(descriptor: int, at: int, length: int) -> bytes:
    try:
        return _read_range(descriptor, at, length)
    except OSError:
        return bytes(length)


def _read_range(descriptor: int, at: int, length: int) -> bytes:
    parts = []
    while length and (part := os.pread(descriptor, length, at)):
        parts.append(part)
        at, length = at + len(part), length - len(part)
    return b"".join(parts)
