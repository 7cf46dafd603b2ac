"""Where models are looked for on this machine, and whether one is complete."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from seance.models.catalogue import Model

FOLDER_VARIABLE = "SEANCE_MODELS"
"""The environment variable that names a folder of models, searched first and installed to."""
SYSTEM_DATA_FOLDERS = (Path("/var/lib"), Path("/usr/local/share"), Path("/usr/share"))
"""Data folders that all users of the machine share."""


@dataclass(frozen=True, slots=True)
class DamagedFile:
    """A file that is missing or differs from the catalogue."""

    path: Path
    problem: str

    def __str__(self) -> str:
        return f"{self.path} {self.problem}"


def install_folder(named: Path | None = None) -> Path:
    """Return the folder that models are installed to: *named*, that of SEANCE_MODELS, or the user's data folder."""
    if named is not None:
        return _expand(named)
    if owners := os.environ.get(FOLDER_VARIABLE):
        return _expand(Path(owners))
    return _user_data_folder() / "seance" / "models"


def _expand(folder: Path) -> Path:
    with suppress(RuntimeError):  # there is no such user: then the folder is as good as missing
        folder = folder.expanduser()
    return folder.absolute()


def search_folders(named: Path | None = None) -> tuple[Path, ...]:
    """Return every folder that may hold models, in search order."""
    shared = [Path(folder) for folder in os.environ.get("XDG_DATA_DIRS", "").split(":") if folder]
    seance_folders = [folder / "seance" / "models" for folder in (_user_data_folder(), *shared, *SYSTEM_DATA_FOLDERS)]
    vosk_folders = [folder / "vosk" for folder in (Path.home() / ".cache", *SYSTEM_DATA_FOLDERS)]
    return tuple(dict.fromkeys([install_folder(named), install_folder(), *seance_folders, *vosk_folders]))


def find_copies(model: Model, named: Path | None = None) -> Iterator[Path]:
    """Yield the folders on this machine that have the model's name, complete or not."""
    for folder in search_folders(named):
        for path in (folder, folder / model.name):
            if path.name == model.name and _is_folder(path):
                yield path


def is_complete(model: Model, folder: Path) -> bool:
    """Return whether every required file is readable and has its size; quick enough for every start."""
    files = ((folder / file.path, file.size) for file in model.required_files)
    return all(size_of(path) == size and os.access(path, os.R_OK) for path, size in files)


def size_of(path: Path) -> int | None:
    """Return the size of a regular file in bytes, or None where there is none that we may look at."""
    found = _stat(path)
    return found.st_size if found is not None and stat.S_ISREG(found.st_mode) else None


def _user_data_folder() -> Path:
    given = os.environ.get("XDG_DATA_HOME")
    return Path(given) if given else Path.home() / ".local" / "share"


def _is_folder(path: Path) -> bool:
    found = _stat(path)
    return found is not None and stat.S_ISDIR(found.st_mode)


def _stat(path: Path) -> os.stat_result | None:
    # A folder that we may not enter counts as absent; Path.is_file would raise.
    try:
        return path.stat()
    except OSError:
        return None
