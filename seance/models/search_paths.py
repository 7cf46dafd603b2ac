"""Where models may lie on this machine, and whether one is whole; nothing is brought or changed here."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from seance.models.catalogue import Model, ModelFile
from seance.models.download import hash_of

OWNERS_FOLDER = "SEANCE_MODELS"
"""The environment variable that names the owner's own folder of models."""
MACHINE = (Path("/var/lib"), Path("/usr/local/share"), Path("/usr/share"))
"""Where every user of the machine finds things."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A file that is not as the catalogue says."""

    path: Path
    what: str

    def __str__(self) -> str:
        return f"{self.path} {self.what}"


def own_folder(named: Path | None = None) -> Path:
    """Return the folder that new models go to: the one named, the owner's, or the user's data folder."""
    if named is not None:
        return named.expanduser().absolute()
    if owners := os.environ.get(OWNERS_FOLDER):
        return Path(owners).expanduser().absolute()
    return _user_data() / "seance" / "models"


def folders(named: Path | None = None) -> tuple[Path, ...]:
    """Return every folder that may hold models, in the order of looking."""
    shared = [Path(folder) for folder in os.environ.get("XDG_DATA_DIRS", "").split(":") if folder]
    ours = [folder / "seance" / "models" for folder in (_user_data(), *shared, *MACHINE)]
    vosks = [folder / "vosk" for folder in (Path.home() / ".cache", *MACHINE)]
    return tuple(dict.fromkeys([own_folder(named), own_folder(), *ours, *vosks]))


def copies(model: Model, named: Path | None = None) -> Iterator[Path]:
    """Yield the folders on this machine that bear the model's name, whole or not."""
    for folder in folders(named):
        for place in (folder, folder / model.name):
            if place.name == model.name and _is_folder(place):
                yield place


def is_complete(model: Model, folder: Path) -> bool:
    """Return whether every file that is loaded is there in its size; quick, for every start."""
    places = ((folder / file.path, file.size) for file in model.loaded)
    return all(size_of(place) == size and os.access(place, os.R_OK) for place, size in places)


def damage(model: Model, folder: Path) -> tuple[Damage, ...]:
    """Return which files are not as the catalogue says, every byte read; a note may be missing."""
    found = []
    for file in model.files:
        path = folder / file.path
        size = size_of(path)
        if size is None:
            if not file.note:
                found.append(Damage(path, "is missing"))
        elif size != file.size:
            found.append(Damage(path, f"has {size} bytes instead of {file.size}"))
        elif (flaw := _flaw(path, file)) is not None:
            found.append(Damage(path, flaw))
    return tuple(found)


def size_of(path: Path) -> int | None:
    """Return the bytes of a file, or None where there is none that we may look at."""
    found = _look(path)
    return found.st_size if found is not None and stat.S_ISREG(found.st_mode) else None


def _user_data() -> Path:
    given = os.environ.get("XDG_DATA_HOME")
    return Path(given) if given else Path.home() / ".local" / "share"


def _flaw(path: Path, file: ModelFile) -> str | None:
    try:
        return None if hash_of(path) == file.sha256 else "is damaged: its sha256 differs"
    except OSError as why:
        return f"cannot be read: {why.strerror}"


def _is_folder(path: Path) -> bool:
    found = _look(path)
    return found is not None and stat.S_ISDIR(found.st_mode)


def _look(path: Path) -> os.stat_result | None:
    # A folder that is closed to us holds no model of ours; Path.is_file would raise.
    try:
        return path.stat()
    except OSError:
        return None
