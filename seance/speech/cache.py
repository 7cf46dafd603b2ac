"""A folder of sound that is bounded: what was not asked for the longest goes first; it makes no sound itself."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from seance.audio.files import BadAudioFile, read_wave, write_flac
from seance.audio.waves import Wave

MEGABYTE = 1_000_000

log = logging.getLogger(__name__)


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return where this user's programs keep what can be made again."""
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "seance"


class Cache:
    """Sounds by key in *folder*, *limit* bytes at most; where it cannot be written, nothing is kept."""

    def __init__(self, folder: Path, limit: int = 150 * MEGABYTE) -> None:
        self.folder = folder
        self.limit = limit
        self._turn = threading.Lock()
        self._complained = False

    def __contains__(self, key: str) -> bool:
        return self._path(key).exists()

    def get(self, key: str) -> Wave | None:
        """Return the sound that was put under *key*, or None; one that cannot be read is thrown away."""
        path = self._path(key)
        try:
            wave = read_wave(path)
        except BadAudioFile:
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)
        return wave

    def put(self, key: str, wave: Wave) -> None:
        """Keep *wave* under *key*; what was not used the longest goes where there is no room."""
        with self._turn:
            try:
                write_flac(self._path(key), wave)
                self._make_room(self._path(key))
            except (OSError, RuntimeError) as why:
                if not self._complained:
                    self._complained = True
                    log.warning(
                        "%s: what is said cannot be kept there (%s); it is made anew each time", self.folder, why
                    )

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(size for _, size, _ in self._entries())

    def _path(self, key: str) -> Path:
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.flac"

    def _make_room(self, newest: Path) -> None:
        entries = sorted(self._entries())
        size = sum(size for _, size, _ in entries)
        for _, bytes_, path in entries:
            if size <= self.limit:
                return
            if path != newest:
                path.unlink(missing_ok=True)
                size -= bytes_

    def _entries(self) -> list[tuple[int, int, Path]]:
        """Return when each sound was used (nanoseconds), its bytes, and where it is."""
        found = []
        for path in self.folder.glob("*.flac"):
            try:
                stat = path.stat()
            except FileNotFoundError:
                continue
            found.append((stat.st_mtime_ns, stat.st_size, path))
        return found
