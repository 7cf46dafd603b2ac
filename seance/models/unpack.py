"""Extracts a model's files from an archive or a folder, checks their hashes, and installs them atomically."""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from seance.models.catalogue import Model, ModelFile
from seance.models.download import ByteProgress, SourceFailed

Members = Iterator[tuple[str, IO[bytes]]]
"""Paths as in the catalogue, each with a stream of its bytes, in any order."""

_BLOCK_BYTES = 1 << 20
_ARCHIVE_ERRORS = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError)


def archive_members(archive: Path, prefix: str, model: Model, *, is_package: bool = False) -> Members:
    """Yield the model's files in a zip, wheel or tar, whose paths there begin with *prefix*."""
    wanted = {prefix + ((is_package and file.in_package) or file.path): file.path for file in model.files}
    yield from _zip_members(archive, wanted) if zipfile.is_zipfile(archive) else _tar_members(archive, wanted)


def folder_members(folder: Path, model: Model) -> Members:
    """Yield the model's files in *folder*."""
    for file in model.files:
        path = folder / file.path
        if path.is_file():
            with path.open("rb") as stream:
                yield file.path, stream


def unpack(members: Members, model: Model, into: Path, *, on_progress: ByteProgress) -> None:
    """Write the model to the new folder *into*, checked and synced to disk, or raise SourceFailed."""
    into.mkdir(parents=True)
    try:
        missing = _write_all(members, model, into, on_progress)
    except _ARCHIVE_ERRORS as why:
        raise SourceFailed(f"it is broken: {why}") from why
    if missing:
        raise SourceFailed(f"{min(missing)} is not in it")
    for root, _, _ in os.walk(into):
        _fsync_folder(Path(root))


def replace_folder(fresh: Path, target: Path, aside: Path) -> None:
    """Rename *fresh* to *target*; an old *target* is moved to *aside* first and removed at the end."""
    if target.is_symlink():
        target.unlink()
    elif target.exists():
        target.rename(aside)
    fresh.rename(target)
    _fsync_folder(target.parent)
    remove_folder(aside)


def remove_folder(folder: Path) -> None:
    """Remove *folder* as far as possible; files that another process still writes there are left for the next time."""
    shutil.rmtree(folder, ignore_errors=True)


def _zip_members(archive: Path, wanted: dict[str, str]) -> Members:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            if member.filename in wanted:
                with opened.open(member) as stream:
                    yield wanted[member.filename], stream


def _tar_members(archive: Path, wanted: dict[str, str]) -> Members:
    # Read as a stream: seeking backwards in a gzip decompresses it from the start again.
    with tarfile.open(archive, mode="r|*") as opened:
        for member in opened:
            stream = opened.extractfile(member) if member.isreg() and member.name in wanted else None
            if stream is not None:
                yield wanted[member.name], stream


def _write_all(members: Members, model: Model, into: Path, on_progress: ByteProgress) -> set[str]:
    """Write *members* and return the paths of the required files that were not among them."""
    by_path = {file.path: file for file in model.files}
    missing = {file.path for file in model.required_files}
    done = 0
    for path, stream in members:
        file, to = by_path[path], into / path
        to.parent.mkdir(parents=True, exist_ok=True)
        if _write(stream, to, file):
            missing.discard(path)
        elif file.note:
            to.unlink()
        else:
            raise SourceFailed(f"{path} is not the file of the catalogue: its sha256 differs")
        done += file.size
        on_progress(done, model.size)
    return missing


def _write(stream: IO[bytes], to: Path, file: ModelFile) -> bool:
    """Write at most the file's size, and return whether size and hash are those of the catalogue."""
    digest, left = hashlib.sha256(), file.size
    with to.open("wb") as out:
        while left and (block := stream.read(min(left, _BLOCK_BYTES))):
            out.write(block)
            digest.update(block)
            left -= len(block)
        longer = bool(stream.read(1))
        out.flush()
        os.fsync(out.fileno())
    return not left and not longer and digest.hexdigest() == file.sha256


def _fsync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
