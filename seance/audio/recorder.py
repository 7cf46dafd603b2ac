"""Sound kept as WAV files, for an owner who asked for it; nothing else in the house writes sound down."""

from __future__ import annotations

import logging
import wave
from pathlib import Path
from typing import IO

from seance.audio.resampling import Block

_SEGMENT_SECONDS = 60
_SAMPLE_BYTES = 2

log = logging.getLogger(__name__)


class Keeper:
    """Write blocks to numbered WAV files of a minute each in *folder*, after those that are there.

    Beyond *most* bytes the oldest files are removed to make room; no others than its own are touched.
    """

    def __init__(self, folder: Path, rate: int, *, most: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._number = max((int(path.stem) for path in self._kept()), default=0)
        self._rate, self._most = rate, most
        self._left = 0
        self._file: wave.Wave_write | None = None
        self._disk: IO[bytes] | None = None
        self._broken = False

    def keep(self, block: Block) -> None:
        """Write *block*; where the disk refuses, say so once and keep nothing more."""
        if self._broken:
            return
        try:
            if self._left <= 0:
                self._next_file()
            if self._file is not None:
                self._file.writeframes(block.tobytes())
        except OSError as error:
            self._broken = True
            log.warning("sound is no longer kept in %s: %s", self._folder, error)
        self._left -= len(block)

    def close(self) -> None:
        """Finish the last file."""
        file, self._file = self._file, None
        disk, self._disk = self._disk, None
        if file is None or disk is None:
            return
        try:
            with disk:
                file.close()
        except OSError as error:
            log.warning("the last sound in %s is cut: %s", self._folder, error)

    def _kept(self) -> list[Path]:
        """Return the files of sound that are there, the oldest first."""
        numbered = (path for path in self._folder.glob("*.wav") if path.stem.isdecimal())
        return sorted(numbered, key=lambda path: int(path.stem))

    def _make_room(self, wanted: int) -> None:
        """Remove the oldest files until *wanted* bytes more fit."""
        sizes = {path: path.stat().st_size for path in self._kept()}
        held = sum(sizes.values())
        for path, size in sizes.items():
            if held + wanted <= self._most:
                break
            path.unlink()
            held -= size

    def _next_file(self) -> None:
        self.close()
        self._number += 1
        self._left = _SEGMENT_SECONDS * self._rate
        self._make_room(_SEGMENT_SECONDS * self._rate * _SAMPLE_BYTES)
        # Opened here because a Wave_write that could not open its file complains when it is forgotten.
        self._disk = (self._folder / f"{self._number:06}.wav").open("wb")
        self._file = wave.open(self._disk, "wb")  # noqa: SIM115
        self._file.setparams((1, _SAMPLE_BYTES, self._rate, 0, "NONE", ""))
