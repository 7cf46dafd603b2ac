"""Builds that are kept between runs, by the hash of their recipe, and scratch folders of a run."""

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

from report import RigFailed

MAX_AGE_S = 30 * 86400
"""After 30 days a build is made anew, since the package archives have changed."""
MIN_FREE_GB = 6
"""Free disk space that a run needs."""
UNUSED_AGE_S = 14 * 86400
"""Builds that were not used for two weeks are removed."""


def folder() -> Path:
    """Return the folder of the cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("SEANCE_RIG_CACHE") or cache / "seance-rig")


def cached_build(name: str, recipe: str, build: Callable[[Path], None]) -> Path:
    """Return the complete folder that *build* makes for *recipe*, from the cache if it is there."""
    cache = folder()
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / f"{name}-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}"
    with (cache / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = path / ".built"
        if not built.exists() or time.time() - float(built.read_text()) > MAX_AGE_S:
            shutil.rmtree(path, ignore_errors=True)
            fresh = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=cache))
            fresh.chmod(0o755)
            try:
                build(fresh)
                (fresh / ".built").write_text(str(time.time()))
                fresh.rename(path)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
        os.utime(path)
        _remove_unused(cache, f"{name}-*")
    return path


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield a folder for this run and remove it at the end, with those that killed runs left behind."""
    cache = folder()
    cache.mkdir(parents=True, exist_ok=True)
    for left in cache.glob("run-*"):
        with _try_lock(left) as is_free:
            if is_free:
                shutil.rmtree(left, ignore_errors=True)
    free = shutil.disk_usage(cache).free >> 30
    if free < MIN_FREE_GB:
        raise RigFailed(f"{cache} has {free} GB left, and {MIN_FREE_GB} are needed: make room, or set SEANCE_RIG_CACHE")
    here = Path(tempfile.mkdtemp(prefix="run-", dir=cache))
    with (here / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield here
        finally:
            _unmount_and_remove(here)


def _unmount_and_remove(path: Path) -> None:
    mounts = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    for mount in reversed([mount for mount in mounts if mount.startswith(f"{path}/")]):
        subprocess.run(["umount", "--lazy", mount], check=False)
    shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _try_lock(path: Path) -> Iterator[bool]:
    """Yield whether no other run holds *path*, and lock it meanwhile."""
    try:
        with (path / ".lock").open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield True
    except FileNotFoundError:
        yield time.time() - path.stat().st_mtime > 60 if path.exists() else False
    except BlockingIOError:
        yield False


def _remove_unused(cache: Path, pattern: str) -> None:
    for path in cache.glob(pattern):
        if time.time() - path.stat().st_mtime > UNUSED_AGE_S:
            shutil.rmtree(path, ignore_errors=True)
