"""Finds, fetches and verifies the speech models on this machine."""

from __future__ import annotations

import fcntl
import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from seance.models.catalogue import Catalogue, Model, ModelError, look_up
from seance.models.download import SourceFailed
from seance.models.search_paths import DamagedFile, find_copies, install_folder, is_complete
from seance.models.sources import FetchContext, ModelSource, find_sources, manual_instructions
from seance.models.unpack import remove_folder, replace_folder, unpack
from seance.models.verification import find_damage, find_new_damage

log = logging.getLogger(__name__)

_STAGING_FOLDER = ".fetching"
_SCRATCH_PREFIX = "scratch-"
_REPLACED_FOLDER = "aside"
_SPARE_BYTES = 1_000_000
_NO_SPACE_ADVICE = "make room there, or name another folder with --folder or in SEANCE_MODELS"


class ModelAbsent(ModelError, LookupError):
    """The model is not on this machine."""

    def __init__(self, message: str, incomplete: Path | None) -> None:
        super().__init__(message)
        self.incomplete = incomplete
        """A folder that has a part of it; None where nothing is there."""


class ModelDamaged(ModelError):
    """A file of the model has changed, and is not the one of the catalogue."""

    def __init__(self, message: str, damage: DamagedFile) -> None:
        super().__init__(message)
        self.damage = damage


class FetchFailed(ModelError, OSError):
    """No source could deliver the model."""


class CannotStore(ModelError, OSError):
    """The folder of models is full or cannot be written."""


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """How far a fetch has got."""

    model: str
    activity: str
    done: int = 0
    """Bytes."""
    total: int = 0
    """Bytes; 0 where the size is not known."""


ProgressCallback = Callable[[FetchProgress], None]


def find(name: str, folder: Path | None = None, *, catalogue: Catalogue | None = None) -> Path | None:
    """Return the folder of an undamaged model, or None; files that changed since they were last read are read again."""
    model = look_up(name, catalogue)
    there, damage = _find_undamaged(model, folder)
    if there is None and damage is not None:
        log.warning("%s; `seance models fetch %s` repairs it", damage, model.key)
    return there


def require(name: str, folder: Path | None = None, *, catalogue: Catalogue | None = None) -> Path:
    """Return the folder that `find` returns, or raise ModelDamaged or ModelAbsent."""
    model = look_up(name, catalogue)
    there, damage = _find_undamaged(model, folder)
    if there is not None:
        return there
    if damage is not None:
        raise ModelDamaged(f"{damage}; run `seance models fetch {model.key}`", damage)
    broken = next(find_copies(model, folder), None)
    state = f"{broken} is not whole" if broken else f"{model.name} is not on this machine"
    raise ModelAbsent(f"{state}: run `seance models fetch {model.key}`", broken)


def verify(
    model: str | Path, folder: Path | None = None, *, catalogue: Catalogue | None = None
) -> tuple[DamagedFile, ...]:
    """Read every byte of a model, given by name or folder, and return its damaged files; or raise ModelAbsent."""
    if isinstance(model, Path):
        return find_damage(look_up(model.name, catalogue), model)
    known = look_up(model, catalogue)
    copies = sorted(find_copies(known, folder), key=lambda copy: not is_complete(known, copy))
    return find_damage(known, copies[0] if copies else require(model, folder, catalogue=catalogue))


def fetch(
    name: str,
    *,
    into: Path | None = None,
    progress: ProgressCallback | None = None,
    catalogue: Catalogue | None = None,
) -> Path:
    """Return the folder of an undamaged model, downloaded and installed if need be, or raise ModelError."""
    model = look_up(name, catalogue)
    home = install_folder(into)
    home = home.parent if home.name == model.name else home
    for there in find_copies(model) if into is None else (home / model.name,):
        if is_complete(model, there) and not find_damage(model, there):
            return there
    try:
        with _staging_folder(home, model, progress or _ignore_progress) as parts_folder:
            return _install(model, home, parts_folder, progress or _ignore_progress)
    except ModelError:
        raise
    except OSError as why:
        reason = f"{why.filename or home}: {(why.strerror or str(why)).lower()}"
        raise CannotStore(f"cannot store {model.name}: {reason}; {_NO_SPACE_ADVICE}") from why


def _find_undamaged(model: Model, folder: Path | None) -> tuple[Path | None, DamagedFile | None]:
    """Return the first undamaged copy, and the first damage of the complete copies before it."""
    first_damage = None
    for copy in find_copies(model, folder):
        if is_complete(model, copy):
            damage = find_new_damage(model, copy)
            if not damage:
                return copy, first_damage
            first_damage = first_damage or damage[0]
    return None, first_damage


def _install(model: Model, home: Path, parts_folder: Path, tell: ProgressCallback) -> Path:
    target = home / model.name
    if is_complete(model, target) and not find_damage(model, target):
        return target  # another process has installed it meanwhile
    tried = []
    for source in find_sources(model, home):
        try:
            _check_disk_space(model, source, home)
            fresh = _stage(model, source, parts_folder, tell)
        except SourceFailed as why:
            tried.append(f"{source.label}: {why}")
            tell(FetchProgress(model.name, f"nothing from {tried[-1]}"))
        else:
            replace_folder(fresh, target, fresh.with_name(_REPLACED_FOLDER))
            find_new_damage(model, target)  # records it as verified, also for users who cannot write there
            return target
    listed = "\n".join(f"    {failure}" for failure in tried)
    raise FetchFailed(f"could not fetch {model.name}; tried\n{listed}\n{manual_instructions(model, home)}")


def _check_disk_space(model: Model, source: ModelSource, home: Path) -> None:
    needed, free = source.extra_bytes + model.size + _SPARE_BYTES, shutil.disk_usage(home).free
    if free < needed:
        room = f"{needed // 10**6} MB are needed in {home}, {free // 10**6} MB are free"
        raise CannotStore(f"cannot store {model.name}: {room}; {_NO_SPACE_ADVICE}")


def _stage(model: Model, source: ModelSource, parts_folder: Path, tell: ProgressCallback) -> Path:
    """Return a new folder with the complete, checked model from *source*."""

    def report(activity: str, done: int, total: int) -> None:
        tell(FetchProgress(model.name, activity, done, total))

    tell(FetchProgress(model.name, source.label))
    scratch = Path(mkdtemp(prefix=_SCRATCH_PREFIX, dir=parts_folder))
    fresh = scratch / "fresh"
    members = source.open_members(FetchContext(parts_folder, scratch, partial(report, source.label)))
    unpack(members, model, fresh, on_progress=partial(report, "unpacking and checking"))
    return fresh


@contextmanager
def _staging_folder(home: Path, model: Model, tell: ProgressCallback) -> Iterator[Path]:
    """Lock the staging folder of *home*, undo interrupted fetches, and yield the folder of partial downloads."""
    staging = home / _STAGING_FOLDER
    parts_folder = staging / model.name
    staging.mkdir(parents=True, exist_ok=True)
    with (staging / "lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell(FetchProgress(model.name, f"waiting for another fetch into {home}"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        _clean_up(staging)
        parts_folder.mkdir(exist_ok=True)
        try:
            yield parts_folder
            remove_folder(parts_folder)
        finally:
            _clean_up(staging)
            if parts_folder.exists() and not any(parts_folder.iterdir()):
                parts_folder.rmdir()


def _clean_up(staging: Path) -> None:
    """Restore a model that an interrupted fetch had moved aside, and remove what was half made."""
    for scratch in staging.glob(f"*/{_SCRATCH_PREFIX}*"):
        aside, target = scratch / _REPLACED_FOLDER, staging.parent / scratch.parent.name
        if aside.exists() and not target.exists():
            aside.rename(target)
        remove_folder(scratch)


def _ignore_progress(_step: FetchProgress) -> None:
    pass
