"""Recordings of the microphone as WAV files, for an owner who asked for them."""

from __future__ import annotations

import logging
import wave
from pathlib import Path
from typing import IO

from seance.audio.formats import Block

_FILE_SECONDS = 60
_SAMPLE_BYTES = 2

log = logging.getLogger(__name__)


class Recorder:
    """Write blocks to numbered WAV files of one minute each in *folder*, continuing the numbers that are there.

    A block with a column for each channel is written with all of them; a file ends where their number changes.
    Beyond *max_bytes* the oldest numbered files are removed; other files in the folder are left alone. Where the folder
    cannot be made, that is logged and nothing is recorded.
    """

    def __init__(self, folder: Path, rate: int, *, max_bytes: int) -> None:
        self._folder = folder
        self._number = 0
        self._rate, self._max_bytes = rate, max_bytes
        self._channels = 1
        self._samples_left = 0
        self._wav: wave.Wave_write | None = None
        self._file: IO[bytes] | None = None
        self._failed = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._number = max((int(path.stem) for path in self._recordings()), default=0)
        except OSError as error:
            self._fail(error)

    def write(self, block: Block) -> None:
        """Write *block*; after the first write error, log it and record nothing more."""
        if self._failed:
            return
        try:
            channels = 1 if block.ndim == 1 else block.shape[1]
            if self._samples_left <= 0 or channels != self._channels:
                self._channels = channels
                self._start_file()
            if self._wav is not None:
                self._wav.writeframes(block.tobytes())
        except OSError as error:
            self._fail(error)
        self._samples_left -= len(block)

    def close(self) -> None:
        """Finish the last file."""
        wav, self._wav = self._wav, None
        file, self._file = self._file, None
        if wav is None or file is None:
            return
        try:
            with file:
                wav.close()
        except OSError as error:
            log.warning("the last sound in %s is cut: %s", self._folder, error)

    def _fail(self, error: OSError) -> None:
        self._failed = True
        log.warning("sound is no longer kept in %s: %s", self._folder, error)

    def _recordings(self) -> list[Path]:
        """Return the numbered files in the folder, the oldest first."""
        numbered = (path for path in self._folder.glob("*.wav") if path.stem.isdecimal())
        return sorted(numbered, key=lambda path: int(path.stem))

    def _remove_oldest(self, needed_bytes: int) -> None:
        """Remove the oldest files until *needed_bytes* more fit."""
        sizes = {path: path.stat().st_size for path in self._recordings()}
        total = sum(sizes.values())
        for path, size in sizes.items():
            if total + needed_bytes <= self._max_bytes:
                break
            path.unlink()
            total -= size

    def _start_file(self) -> None:
        self.close()
        self._number += 1
        self._samples_left = _FILE_SECONDS * self._rate
        self._remove_oldest(_FILE_SECONDS * self._rate * _SAMPLE_BYTES * self._channels)
        # Opened here because a Wave_write that could not open its file complains when it is garbage collected.
        self._file = (self._folder / f"{self._number:06}.wav").open("wb")
        self._wav = wave.open(self._file, "wb")  # noqa: SIM115
        self._wav.setparams((self._channels, _SAMPLE_BYTES, self._rate, 0, "NONE", ""))
