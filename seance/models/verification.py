"""Compares a model's files with the catalogue, and remembers which have been read, so that each is read once."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from seance.models.catalogue import Model, ModelFile
from seance.models.download import sha256_of
from seance.models.search_paths import DamagedFile, size_of

RECORD_NAME = ".verified.json"
"""The record in a model's folder: the identity of each file whose hash was right."""

Identity = tuple[str, int, int, int, str]
"""Path, size in bytes, modification time in ns, inode and sha256: a file that is written has another one afterwards."""


def find_damage(model: Model, folder: Path) -> tuple[DamagedFile, ...]:
    """Return the files that are missing or whose hash differs, every byte read; a README may be missing."""
    return _compare(model.files, folder, frozenset())


def find_new_damage(model: Model, folder: Path) -> tuple[DamagedFile, ...]:
    """Return the required files that are missing or damaged; a file that has not changed since it was read is sound."""
    return _compare(model.required_files, folder, _read_records(folder))


def _compare(files: tuple[ModelFile, ...], folder: Path, known: frozenset[Identity]) -> tuple[DamagedFile, ...]:
    damaged: list[DamagedFile] = []
    verified: list[Identity] = []
    for file in files:
        path = folder / file.path
        before = _identity(path, file)
        if before not in known and (problem := _problem(path, file)) is not None:
            damaged.append(DamagedFile(path, problem))
        elif before is not None and before == _identity(path, file):
            verified.append(before)
    if damaged or not known.issuperset(verified):
        _write_record(folder, verified)
    return tuple(damaged)


def _problem(path: Path, file: ModelFile) -> str | None:
    size = size_of(path)
    if size is None:
        return None if file.note else "is missing"
    if size != file.size:
        return f"has {size} bytes instead of {file.size}"
    try:
        return None if sha256_of(path) == file.sha256 else "is damaged: its sha256 differs"
    except OSError as why:
        return f"cannot be read: {why.strerror}"


def _identity(path: Path, file: ModelFile) -> Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return file.path, found.st_size, found.st_mtime_ns, found.st_ino, file.sha256


def _read_records(folder: Path) -> frozenset[Identity]:
    """Return what is recorded in the model's folder and in the user's cache; what cannot be read counts as nothing."""
    known: set[Identity] = set()
    for record in _record_paths(folder):
        try:
            known |= {
                (path, size, ns, inode, digest) for path, size, ns, inode, digest in json.loads(record.read_bytes())
            }
        except (OSError, ValueError, TypeError, RecursionError):
            continue
    return frozenset(known)


def _write_record(folder: Path, verified: list[Identity]) -> None:
    """Write the record to the model's folder or, where that is read-only, to the user's cache, or nowhere."""
    ours, users = _record_paths(folder)
    if _replace(ours, verified):
        users.unlink(missing_ok=True)
    else:
        _replace(users, verified)


def _replace(record: Path, verified: list[Identity]) -> bool:
    part = record.with_name(f"{record.name}.{os.getpid()}")
    try:
        record.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(verified), encoding="utf-8")
        part.replace(record)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        return False
    return True


def _record_paths(folder: Path) -> tuple[Path, Path]:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
    return folder / RECORD_NAME, cache / "seance" / "models" / f"{place}.json"
