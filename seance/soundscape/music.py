"""The owner's music as ambience: the files of a folder, one after the other, streamed from disk."""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soxr

from seance.audio.files import BadAudioFile, stream_wave
from seance.audio.formats import MIX_RATE_HZ, Samples

_SUFFIXES = frozenset({".flac", ".mp3", ".oga", ".ogg", ".opus", ".wav"})
_PIECE_SECONDS = 0.25
_PIECES_AHEAD = 16

log = logging.getLogger(__name__)


class NoMusic(ValueError):
    """A folder has no music file or cannot be read; the message names it."""


class Music:
    """The music files below *folder*, in the order of their names and over and over, read ahead by a thread."""

    def __init__(self, folder: Path) -> None:
        try:
            self._files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES)
        except OSError as error:
            raise NoMusic(f"{folder}: it cannot be read: {error.strerror}") from None
        if not self._files:
            raise NoMusic(f"{folder}: there is no music in it ({', '.join(sorted(_SUFFIXES))})")
        self._ahead: queue.Queue[Samples] = queue.Queue(_PIECES_AHEAD)
        self._rest: Samples = np.zeros(0, np.float32)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._read_ahead, name="music", daemon=True)
        self._thread.start()

    def take(self, frames: int) -> Samples:
        """Return the next *frames* samples, with silence where the disk is too slow."""
        while len(self._rest) < frames:
            try:
                piece = self._ahead.get_nowait()
            except queue.Empty:
                piece = np.zeros(frames, np.float32)
            self._rest = np.concatenate([self._rest, piece])
        taken, self._rest = self._rest[:frames], self._rest[frames:]
        return taken

    def close(self) -> None:
        """End the reading thread."""
        self._closing.set()
        self._thread.join()

    def _read_ahead(self) -> None:
        for piece in self._pieces():
            while not self._closing.is_set():
                try:
                    self._ahead.put(piece, timeout=0.2)
                    break
                except queue.Full:
                    continue
            if self._closing.is_set():
                return

    def _pieces(self) -> Iterator[Samples]:
        """Yield the music as one channel at MIX_RATE_HZ, skipping a file once it could not be read."""
        bad: set[Path] = set()
        for path in itertools.cycle(self._files):
            if len(bad) == len(self._files):
                log.warning("none of the music can be read")
                return
            if path in bad:
                continue
            try:
                yield from _read(path)
            except BadAudioFile as error:
                log.warning("left out: %s", error)
                bad.add(path)


def _read(path: Path) -> Iterator[Samples]:
    resampler: soxr.ResampleStream | None = None
    for piece in stream_wave(path, _PIECE_SECONDS):
        if resampler is None:
            resampler = soxr.ResampleStream(piece.rate, MIX_RATE_HZ, 1, dtype="float32")
        yield resampler.resample_chunk(piece.samples)
    if resampler is None:
        raise BadAudioFile(f"{path}: there is no sound in it")
    yield resampler.resample_chunk(np.zeros(0, np.float32), last=True)
