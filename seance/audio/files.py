"""Sound files: read as mono samples, written as FLAC."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile
import soxr

from seance.audio.formats import SPEECH_RATE_HZ, Samples
from seance.audio.waves import Wave

_UNKNOWN_DATA_BYTES = 0x7FFFF000
"""A program that writes a WAV file to a pipe cannot know its size, and writes this or more."""


class BadAudioFile(ValueError):
    """A file cannot be read as sound; the message names it."""


def read_wave(path: Path) -> Wave:
    """Return the sound in *path* as one channel at the file's rate, or raise BadAudioFile."""
    try:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, RuntimeError, OSError) as error:
        raise BadAudioFile(f"{path}: not a sound file that can be read ({error})") from error
    return Wave(np.ascontiguousarray(samples.mean(axis=1, dtype=np.float32)), rate)


def write_flac(path: Path, wave: Wave) -> None:
    """Write *wave* to *path* as FLAC of 16 bits, replacing the file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    try:
        soundfile.write(draft, wave.samples, wave.rate, format="FLAC", subtype="PCM_16")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_for_recognition(path: Path) -> Samples:
    """Return the whole of *path* as one channel at SPEECH_RATE_HZ, or raise BadAudioFile saying what is wrong."""
    if not path.exists():
        raise BadAudioFile(f"{path}: there is no such file")
    if path.is_dir():
        raise BadAudioFile(f"{path}: this is a folder, name the files in it")
    if path.stat().st_size == 0:
        raise BadAudioFile(f"{path}: the file is empty")
    try:
        with soundfile.SoundFile(path) as file:
            promised_frames = file.frames
            samples = file.read(dtype="float32", always_2d=True)
            rate = file.samplerate
    except (soundfile.LibsndfileError, RuntimeError, OSError) as error:
        raise BadAudioFile(f"{path}: not a sound file that can be read ({error})") from error
    if samples.shape[0] == 0:
        raise BadAudioFile(f"{path}: there is no sound in it")
    if samples.shape[0] < promised_frames or _is_truncated_wav(path):
        raise BadAudioFile(f"{path}: the file is cut short, record or copy it again")
    mono: Samples = np.nan_to_num(samples.mean(axis=1, dtype=np.float32))
    if rate != SPEECH_RATE_HZ:
        mono = soxr.resample(mono, rate, SPEECH_RATE_HZ)
    return mono


def _is_truncated_wav(path: Path) -> bool:
    """Return whether a WAV file is shorter than its header says, which libsndfile accepts without an error."""
    content = path.read_bytes()
    if content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        return False
    offset = 12
    while offset + 8 <= len(content):
        size = int.from_bytes(content[offset + 4 : offset + 8], "little")
        if content[offset : offset + 4] == b"data":
            return size < _UNKNOWN_DATA_BYTES and offset + 8 + size > len(content)
        offset += 8 + size + size % 2
    return True
