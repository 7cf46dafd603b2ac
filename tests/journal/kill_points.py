"""Ends a program at its n-th system call that changes the disk, as a kill or a power cut does."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

CALLS = ("write", "fsync", "fdatasync", "replace", "rename", "link", "unlink", "mkdir", "ftruncate", "rmdir")


class Killed(BaseException):
    """The program is dead: nothing catches this."""


class Disk:
    """Counts calls, and makes the *limit*-th and all that follow fail; what was not synced then is half lost."""

    def __init__(self, limit: int, *, power_cut: bool) -> None:
        self.calls = 0
        self._limit = limit
        self._power_cut = power_cut
        self._synced_bytes: dict[tuple[int, int], int] = {}
        """How much of each file is surely on the disk, for files that were written to and not synced since."""

    def wrap(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(first: Any, *rest: Any, **options: Any) -> Any:
            self.calls += 1
            if self.calls >= self._limit:
                if name == "write" and self.calls == self._limit:
                    real(first, bytes(rest[0])[: len(rest[0]) // 2])  # a write may be cut in the middle
                raise Killed
            if name == "write":
                self._synced_bytes.setdefault(_identity(first), os.fstat(first).st_size)
            elif name in ("fsync", "fdatasync"):
                self._synced_bytes.pop(_identity(first), None)
            return real(first, *rest, **options)

        return call

    def lose_unsynced(self, folder: Path) -> None:
        """Cut off half of what was written to files below *folder* and not synced."""
        for path in folder.rglob("*") if self._power_cut else ():
            found = path.stat()
            synced = self._synced_bytes.get((found.st_dev, found.st_ino))
            if path.is_file() and synced is not None:
                os.truncate(path, (synced + found.st_size) // 2)


def _identity(descriptor: int) -> tuple[int, int]:
    found = os.fstat(descriptor)
    return found.st_dev, found.st_ino


@contextmanager
def killed_at(limit: int, folder: Path, *, power_cut: bool) -> Iterator[Disk]:
    """Kill what runs while this is entered at its call *limit*; files are below *folder*."""
    disk = Disk(limit, power_cut=power_cut)
    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, disk.wrap(name, getattr(os, name)))
        patch.setattr("seance.journal.disk.sync_data", os.fdatasync)
        patch.setattr("seance.journal.night_file.sync_data", os.fdatasync)
        with suppress(Killed):
            yield disk
    disk.lose_unsynced(folder)
