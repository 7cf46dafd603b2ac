"""Sound files: read as mono samples, written as FLAC, WAV or Vorbis."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import soundfile
import soxr

from seance.audio.formats import SPEECH_RATE_HZ, Channels, Samples
from seance.audio.waves import Wave

_UNKNOWN_DATA_BYTES = 0x7FFFF000
"""A program that writes a WAV file to a pipe cannot know its size, and writes this or more."""


_MAX_CHUNKS = 1000
_PIECE_SAMPLES = 2**20
_WRITTEN_SAMPLES = 2**14
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
    sound, rate, _ = _read(path, mixed=True)
    return Wave(sound[:, 0], rate)


SOUND_FORMATS = {".flac": "FLAC", ".wav": "WAV"}
"""The formats that are written, by the ending of the file's name."""


def write_flac(path: Path, wave: Wave) -> None:
    """Write *wave* to *path* as FLAC of 16 bits, replacing the file atomically."""
    _write(path, wave, "FLAC")


def write_sound(path: Path, wave: Wave) -> None:
    """Write *wave* to *path* with 16 bits in the format of its ending, replacing the file atomically."""
    _write(path, wave, SOUND_FORMATS[path.suffix.lower()])


def write_vorbis(path: Path, wave: Wave) -> None:
    """Write *wave* to *path* as Ogg Vorbis, about a quarter of FLAC, replacing the file atomically."""
    _write(path, wave, "OGG", "VORBIS")


def _write(path: Path, wave: Wave, file_format: str, subtype: str = "PCM_16") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    try:
        with soundfile.SoundFile(draft, "w", wave.rate, 1, subtype, format=file_format) as file:
            # libsndfile's encoders of lossy formats need as much of the stack as they are given at once.
            for at in range(0, len(wave.samples), _WRITTEN_SAMPLES):
                file.write(wave.samples[at : at + _WRITTEN_SAMPLES])
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_for_recognition(path: Path) -> Samples:
    """Return the whole of *path* as one channel at SPEECH_RATE_HZ, or raise BadAudioFile saying what is wrong."""
    sound, rate = _read_whole(path, mixed=True)
    return Wave(sound[:, 0], rate).resample(SPEECH_RATE_HZ).samples


def read_channels_for_recognition(path: Path, channel_count: int) -> Channels:
    """Return the whole of *path* with *channel_count* channels at SPEECH_RATE_HZ, or raise BadAudioFile."""
    sound, rate = _read_whole(path, mixed=False)
    if sound.shape[1] != channel_count:
        channels = "1 channel" if sound.shape[1] == 1 else f"{sound.shape[1]} channels"
        raise BadAudioFile(f"{path}: {channels}, but the array has {channel_count}")
    return sound if rate == SPEECH_RATE_HZ else np.asarray(soxr.resample(sound, rate, SPEECH_RATE_HZ), np.float32)


def _read_whole(path: Path, *, mixed: bool) -> tuple[Channels, int]:
    """Return the whole of *path* and its rate, with one channel if *mixed*, or raise BadAudioFile."""
    if not path.exists():
        raise BadAudioFile(f"{path}: there is no such file")
    if path.is_dir():
        raise BadAudioFile(f"{path}: this is a folder, name the files in it")
    if not path.is_file():
        raise BadAudioFile(f"{path}: this is no file")
    if path.stat().st_size == 0:
        raise BadAudioFile(f"{path}: the file is empty")
    sound, rate, promised_frames = _read(path, mixed=mixed)
    if len(sound) == 0:
        raise BadAudioFile(f"{path}: there is no sound in it")
    if len(sound) < promised_frames or _is_truncated_wav(path):
        raise BadAudioFile(f"{path}: the file is cut short, record or copy it again")
    return sound, rate


def stream_wave(path: Path, piece_seconds: float) -> Iterator[Wave]:
    """Yield the sound in *path* as one channel in pieces of at most so many seconds, or raise BadAudioFile."""
    with _open_sound(path) as file:
        for piece in _pieces(path, file, round(piece_seconds * file.samplerate), mixed=True):
            yield Wave(piece[:, 0], file.samplerate)


def _read(path: Path, *, mixed: bool) -> tuple[Channels, int, int]:
    """Return the channels, or their mean if *mixed*, the rate, and how many frames the header promises.

    The sound is read piece by piece, since a header may promise any number of frames.
    """
    pieces: list[Channels] = []
    frames = 0
    with _open_sound(path) as file:
        for piece in _pieces(path, file, _PIECE_SAMPLES, mixed=mixed):
            pieces.append(piece)
            frames += len(piece)
            if frames > MAX_SECONDS * file.samplerate:
                raise BadAudioFile(f"{path}: longer than {MAX_SECONDS // 60} minutes, cut it into pieces")
        nothing = np.zeros((0, 1 if mixed else file.channels), np.float32)
        return np.concatenate([nothing, *pieces]), file.samplerate, file.frames


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


def _pieces(path: Path, file: soundfile.SoundFile, frames: int, *, mixed: bool) -> Iterator[Channels]:
    """Yield all channels of *file*, or their mean if *mixed*, in pieces of at most so many *frames*."""
    frames = max(1, min(frames, _PIECE_SAMPLES // file.channels))
    while len(piece := file.read(frames, dtype="float32", always_2d=True)):
        if not np.abs(piece).max() <= MAX_AMPLITUDE:  # so that NaN is refused, too
            raise BadAudioFile(f"{path}: there are samples in it that are no sound (no numbers, or too large)")
        yield piece.mean(axis=1, dtype=np.float32, keepdims=True) if mixed else piece


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
