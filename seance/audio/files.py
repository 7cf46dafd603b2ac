"""Sound files: read as mono samples, written as FLAC."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import soundfile

from seance.audio.formats import SPEECH_RATE_HZ, Samples
from seance.audio.waves import Wave

_UNKNOWN_DATA_BYTES = 0x7FFFF000
"""A program that writes a WAV file to a pipe cannot know its size, and writes this or more."""


_MAX_CHUNKS = 1000
_PIECE_SAMPLES = 2**20
MIN_RATE_HZ = 1000
MAX_RATE_HZ = 768_000
MAX_SECONDS = 3600
"""Length of the longest file that is read."""
MAX_AMPLITUDE = 1e6
"""Samples of a file of floating-point numbers may exceed full scale, which is 1, but not by more than this."""


class BadAudioFile(ValueError):
    """A file cannot be read as sound; the message names it."""


def read_wave(path: Path) -> Wave:
    """Return the sound in *path* as one channel at the file's rate, or raise BadAudioFile."""
    return _read_mono(path)[0]


SOUND_FORMATS = {".flac": "FLAC", ".wav": "WAV"}
"""The formats that are written, by the ending of the file's name."""


def write_flac(path: Path, wave: Wave) -> None:
    """Write *wave* to *path* as FLAC of 16 bits, replacing the file atomically."""
    _write(path, wave, "FLAC")


def write_sound(path: Path, wave: Wave) -> None:
    """Write *wave* to *path* with 16 bits in the format of its ending, replacing the file atomically."""
    _write(path, wave, SOUND_FORMATS[path.suffix.lower()])


def _write(path: Path, wave: Wave, file_format: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    try:
        soundfile.write(draft, wave.samples, wave.rate, format=file_format, subtype="PCM_16")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_for_recognition(path: Path) -> Samples:
    """Return the whole of *path* as one channel at SPEECH_RATE_HZ, or raise BadAudioFile saying what is wrong."""
    if not path.exists():
        raise BadAudioFile(f"{path}: there is no such file")
    if path.is_dir():
        raise BadAudioFile(f"{path}: this is a folder, name the files in it")
    if not path.is_file():
        raise BadAudioFile(f"{path}: this is no file")
    if path.stat().st_size == 0:
        raise BadAudioFile(f"{path}: the file is empty")
    wave, promised_frames = _read_mono(path)
    if len(wave.samples) == 0:
        raise BadAudioFile(f"{path}: there is no sound in it")
    if len(wave.samples) < promised_frames or _is_truncated_wav(path):
        raise BadAudioFile(f"{path}: the file is cut short, record or copy it again")
    return wave.resample(SPEECH_RATE_HZ).samples


def stream_wave(path: Path, piece_seconds: float) -> Iterator[Wave]:
    """Yield the sound in *path* as one channel in pieces of at most so many seconds, or raise BadAudioFile."""
    with _open_sound(path) as file:
        for piece in _mono_pieces(path, file, round(piece_seconds * file.samplerate)):
            yield Wave(piece, file.samplerate)


def _read_mono(path: Path) -> tuple[Wave, int]:
    """Return the mean of all channels and how many frames the header promises, or raise BadAudioFile.

    The sound is read piece by piece, since a header may promise any number of frames.
    """
    pieces: list[Samples] = [np.zeros(0, np.float32)]
    frames = 0
    with _open_sound(path) as file:
        for piece in _mono_pieces(path, file, _PIECE_SAMPLES):
            pieces.append(piece)
            frames += len(piece)
            if frames > MAX_SECONDS * file.samplerate:
                raise BadAudioFile(f"{path}: longer than {MAX_SECONDS // 60} minutes, cut it into pieces")
        return Wave(np.concatenate(pieces), file.samplerate), file.frames


@contextmanager
def _open_sound(path: Path) -> Iterator[soundfile.SoundFile]:
    """Open *path*, or raise BadAudioFile; its errors while it is open become BadAudioFile too."""
    try:
        # By its descriptor: soundfile takes no name that is not UTF-8, and believes a suffix such as .raw.
        with path.open("rb") as opened, soundfile.SoundFile(opened.fileno(), closefd=False) as file:
            if not MIN_RATE_HZ <= file.samplerate <= MAX_RATE_HZ:
                raise BadAudioFile(f"{path}: {file.samplerate} samples a second, not {MIN_RATE_HZ} to {MAX_RATE_HZ}")
            yield file
    except (soundfile.LibsndfileError, RuntimeError, OSError) as error:
        raise BadAudioFile(f"{path}: not a sound file that can be read ({error})") from error


def _mono_pieces(path: Path, file: soundfile.SoundFile, frames: int) -> Iterator[Samples]:
    """Yield the mean of all channels of *file* in pieces of at most so many *frames*."""
    frames = max(1, min(frames, _PIECE_SAMPLES // file.channels))
    while len(piece := file.read(frames, dtype="float32", always_2d=True)):
        if not np.abs(piece).max() <= MAX_AMPLITUDE:  # so that NaN is refused, too
            raise BadAudioFile(f"{path}: there are samples in it that are no sound (no numbers, or too large)")
        yield piece.mean(axis=1, dtype=np.float32)


def _is_truncated_wav(path: Path) -> bool:
    """Return whether a WAV file is shorter than its header says, which libsndfile accepts without an error."""
    length = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(12)
        if head[:4] != b"RIFF" or head[8:12] != b"WAVE":
            return False
        for _ in range(_MAX_CHUNKS):
            chunk = file.read(8)
            if len(chunk) < 8:
                return True
            size = int.from_bytes(chunk[4:], "little")
            if chunk[:4] == b"data":
                return size < _UNKNOWN_DATA_BYTES and file.tell() + size > length
            file.seek(size + size % 2, os.SEEK_CUR)
    return True
