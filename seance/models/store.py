"""Speech models on this machine: find, fetch, verify; what is in them is vosk's and Piper's business."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from seance.models.catalogue import CATALOGUE, SECOND_OPINION, Catalogue, Model, ModelTrouble, entry
from seance.models.download import SourceFailed
from seance.models.search_paths import Damage, copies, damage, is_complete, own_folder
from seance.models.sources import Bench, Source, advice, sources
from seance.models.unpack import put_in_place, throw_away, unpack

_WORKSHOP = ".fetching"
_SCRATCH = "scratch-"
_ASIDE = "aside"
_SPARE = 1_000_000
_ELSEWHERE = "make room there, or name another folder with --folder or in SEANCE_MODELS"


class ModelAbsent(ModelTrouble, LookupError):
    """The model is not on this machine."""


class OutOfReach(ModelTrouble, OSError):
    """No source could bring the model."""


class CannotStore(ModelTrouble, OSError):
    """The folder of models cannot be written, or is full."""


@dataclass(frozen=True, slots=True)
class Step:
    """How far a fetch has come."""

    model: str
    doing: str
    done: int = 0
    """Bytes."""
    total: int = 0
    """Bytes; 0 where there is nothing to count."""


Progress = Callable[[Step], None]


def find(name: str, folder: Path | None = None, *, catalogue: Catalogue | None = None) -> Path | None:
    """Return the folder of a model that is whole by the sizes of its files, or None."""
    model = entry(name, catalogue)
    return next((copy for copy in copies(model, folder) if is_complete(model, copy)), None)


def second(language: str, folder: Path | None = None, *, catalogue: Catalogue | None = None) -> Path | None:
    """Return the folder of a model that gives a second opinion on what is said in *language*, or None."""
    known = (CATALOGUE if catalogue is None else catalogue).values()
    keys = [model.key for model in known if (model.kind, model.language) == (SECOND_OPINION, language)]
    return next((there for key in keys if (there := find(key, folder, catalogue=catalogue))), None)


def require(name: str, folder: Path | None = None, *, catalogue: Catalogue | None = None) -> Path:
    """Return what `find` does, or raise ModelAbsent."""
    model = entry(name, catalogue)
    there = find(name, folder, catalogue=catalogue)
    if there is None:
        broken = next(copies(model, folder), None)
        state = f"{broken} is not whole" if broken else f"{model.name} is not on this machine"
        raise ModelAbsent(f"{state}: run `seance models fetch {model.key}`")
    return there


def verify(model: str | Path, folder: Path | None = None, *, catalogue: Catalogue | None = None) -> tuple[Damage, ...]:
    """Return the damaged files of a model, given by name or folder, every byte read; or raise ModelAbsent."""
    if isinstance(model, Path):
        return damage(entry(model.name, catalogue), model)
    known = entry(model, catalogue)
    there = find(model, folder, catalogue=catalogue) or next(copies(known, folder), None)
    return damage(known, there or require(model, folder, catalogue=catalogue))


def fetch(
    name: str,
    *,
    into: Path | None = None,
    progress: Progress | None = None,
    catalogue: Catalogue | None = None,
) -> Path:
    """Return the folder of a sound model, brought and installed if need be, or raise ModelTrouble."""
    model = entry(name, catalogue)
    home = own_folder(into)
    home = home.parent if home.name == model.name else home
    for there in copies(model) if into is None else (home / model.name,):
        if is_complete(model, there) and not damage(model, there):
            return there
    try:
        with _workshop(home, model, progress or _in_silence) as kept:
            return _install(model, home, kept, progress or _in_silence)
    except ModelTrouble:
        raise
    except OSError as why:
        reason = f"{why.filename or home}: {(why.strerror or str(why)).lower()}"
        raise CannotStore(f"cannot store {model.name}: {reason}; {_ELSEWHERE}") from why


def _install(model: Model, home: Path, kept: Path, tell: Progress) -> Path:
    target = home / model.name
    if is_complete(model, target) and not damage(model, target):
        return target  # another process was quicker
    tried = []
    for source in sources(model, home):
        try:
            _check_room(model, source, home)
            fresh = _bring(model, source, kept, tell)
        except SourceFailed as why:
            tried.append(f"{source.label}: {why}")
            tell(Step(model.name, f"nothing from {tried[-1]}"))
        else:
            put_in_place(fresh, target, fresh.with_name(_ASIDE))
            return target
    listed = "\n".join(f"    {failure}" for failure in tried)
    raise OutOfReach(f"could not fetch {model.name}; tried\n{listed}\n{advice(model, home)}")


def _check_room(model: Model, source: Source, home: Path) -> None:
    needed, free = source.room + model.size + _SPARE, shutil.disk_usage(home).free
    if free < needed:
        room = f"{needed // 10**6} MB are needed in {home}, {free // 10**6} MB are free"
        raise CannotStore(f"cannot store {model.name}: {room}; {_ELSEWHERE}")


def _bring(model: Model, source: Source, kept: Path, tell: Progress) -> Path:
    """Return a new folder with the model from *source*, whole and checked."""

    def told(doing: str, done: int, total: int) -> None:
        tell(Step(model.name, doing, done, total))

    tell(Step(model.name, source.label))
    scratch = Path(mkdtemp(prefix=_SCRATCH, dir=kept))
    fresh = scratch / "fresh"
    members = source.bring(Bench(kept, scratch, partial(told, source.label)))
    unpack(members, model, fresh, told=partial(told, "unpacking and checking"))
    return fresh


@contextmanager
def _workshop(home: Path, model: Model, tell: Progress) -> Iterator[Path]:
    """Hold the one place in *home* where models are made ready; it is cleared of what a cut left behind."""
    workshop = home / _WORKSHOP
    kept = workshop / model.name
    workshop.mkdir(parents=True, exist_ok=True)
    with (workshop / "lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell(Step(model.name, f"waiting for another fetch into {home}"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        _clear(workshop)
        kept.mkdir(exist_ok=True)
        try:
            yield kept
            throw_away(kept)
        finally:
            _clear(workshop)
            if kept.exists() and not any(kept.iterdir()):
                kept.rmdir()


def _clear(workshop: Path) -> None:
    """Undo a cut: a model that had been set aside for a new one comes back, what is half made goes."""
    for scratch in workshop.glob(f"*/{_SCRATCH}*"):
        aside, target = scratch / _ASIDE, workshop.parent / scratch.parent.name
        if aside.exists() and not target.exists():
            aside.rename(target)
        throw_away(scratch)


def _in_silence(_step: Step) -> None:
    pass
