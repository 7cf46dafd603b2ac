"""What is kept between runs: built once for a recipe, thrown away when nobody has wanted it for two weeks."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from report import CannotGoOn

FRESH = 30 * 86400
"""Seconds after which a thing is built anew: the archives that it came from have moved on."""
ROOM = 6
"""GB that a run may need for a while."""
UNWANTED = 14 * 86400
"""Seconds after which a thing that no run has asked for goes."""


def folder() -> Path:
    """Return where things are kept."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("SEANCE_RIG_CACHE") or cache / "seance-rig")


def kept(name: str, recipe: str, build: Callable[[Path], None]) -> Path:
    """Return the folder that *build* fills by *recipe*; a half-filled one is never seen."""
    shelf = folder()
    shelf.mkdir(parents=True, exist_ok=True)
    place = shelf / f"{name}-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}"
    with (shelf / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = place / ".built"
        if not built.exists() or time.time() - float(built.read_text()) > FRESH:
            shutil.rmtree(place, ignore_errors=True)
            fresh = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=shelf))
            fresh.chmod(0o755)
            try:
                build(fresh)
                (fresh / ".built").write_text(str(time.time()))
                fresh.rename(place)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
        os.utime(place)
        _throw_away(shelf, f"{name}-*")
    return place


@contextmanager
def scratch() -> Iterator[Path]:
    """Give a folder for this run, and take it away; those of runs that were killed go, too."""
    shelf = folder()
    shelf.mkdir(parents=True, exist_ok=True)
    for left in shelf.glob("run-*"):
        with _is_left(left) as is_free:
            if is_free:
                shutil.rmtree(left, ignore_errors=True)
    free = shutil.disk_usage(shelf).free >> 30
    if free < ROOM:
        raise CannotGoOn(f"{shelf} has {free} GB left, and {ROOM} are needed: make room, or set SEANCE_RIG_CACHE")
    here = Path(tempfile.mkdtemp(prefix="run-", dir=shelf))
    with (here / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield here
        finally:
            _take_away(here)


def _take_away(place: Path) -> None:
    mounts = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    for mount in reversed([mount for mount in mounts if mount.startswith(f"{place}/")]):
        subprocess.run(["umount", "--lazy", mount], check=False)
    shutil.rmtree(place, ignore_errors=True)


@contextmanager
def _is_left(place: Path) -> Iterator[bool]:
    """Say whether no run holds *place*, and hold it meanwhile."""
    try:
        with (place / ".lock").open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield True
    except FileNotFoundError:
        yield time.time() - place.stat().st_mtime > 60 if place.exists() else False
    except BlockingIOError:
        yield False


def _throw_away(shelf: Path, pattern: str) -> None:
    for place in shelf.glob(pattern):
        if time.time() - place.stat().st_mtime > UNWANTED:
            shutil.rmtree(place, ignore_errors=True)
