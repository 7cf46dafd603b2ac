"""The cache of rendered speech: a folder of bounded size that evicts what was used least recently."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from seance.audio.files import BadAudioFile, read_wave, write_flac, write_vorbis
from seance.audio.waves import Wave

MEGABYTE = 1_000_000
_SUFFIXES = (".ogg", ".flac")

log = logging.getLogger(__name__)


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return this user's cache folder for seance."""
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "seance"


class SpeechCache:
    """Sounds by key in *folder*, *max_bytes* at most; where the folder cannot be written, nothing is kept."""

    def __init__(self, folder: Path, max_bytes: int = 150 * MEGABYTE) -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self._lock = threading.Lock()
        self._warned = False

    def __contains__(self, key: str) -> bool:
        return any(path.exists() for path in self._paths(key))

    def get(self, key: str) -> Wave | None:
        """Return the sound under *key*, or None; a file that cannot be read is removed."""
        for path in self._paths(key):
            try:
                wave = read_wave(path)
            except BadAudioFile:
                with suppress(OSError):
                    path.unlink()
                continue
            with suppress(OSError):
                os.utime(path)
            return wave
        return None

    def put(self, key: str, wave: Wave, *, compact: bool = False) -> None:
        """Keep *wave* under *key*, evicting the least recently used sounds where the cache is full.

        With *compact* it takes a quarter of the room, and is not kept sample by sample.
        """
        with self._lock:
            try:
                vorbis, flac = self._paths(key)
                path, write = (vorbis, write_vorbis) if compact else (flac, write_flac)
                write(path, wave)
                self._evict(path)
            except (OSError, RuntimeError) as why:
                if not self._warned:
                    self._warned = True
                    log.warning(
                        "%s: what is said cannot be kept there (%s); it is made anew each time", self.folder, why
                    )

    @property
    def size(self) -> int:
        """The size on disk in bytes."""
        return sum(size for _, size, _ in self._entries())

    def _paths(self, key: str) -> tuple[Path, ...]:
        """Return the files in which the sound under *key* may be."""
        name = hashlib.sha256(key.encode()).hexdigest()[:32]
        return tuple(self.folder / f"{name}{suffix}" for suffix in _SUFFIXES)

    def _evict(self, newest: Path) -> None:
        """Remove the least recently used files but *newest* until the cache fits."""
        entries = sorted(self._entries())
        total = sum(size for _, size, _ in entries)
        for _, size, path in entries:
            if total <= self.max_bytes:
                return
            if path != newest:
                path.unlink(missing_ok=True)
                total -= size

    def _entries(self) -> list[tuple[int, int, Path]]:
        """Return the time of last use (nanoseconds), the size in bytes and the path of each sound."""
        entries = []
        for path in self.folder.glob("*"):
            if path.suffix not in _SUFFIXES:
                continue
            try:
                stat = path.stat()
            except FileNotFoundError:
                continue
            entries.append((stat.st_mtime_ns, stat.st_size, path))
        return entries
