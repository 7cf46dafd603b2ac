"""Files of sound as the ear wants them: one channel, its own rate; nothing is ever written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile
import soxr

from seance.audio.formats import SPEECH_RATE_HZ, Sound


class BadSound(ValueError):
    """A file cannot be listened to."""


def read_sound(path: Path) -> Sound:
    """Return the whole of *path*, WAV or FLAC of any rate, as one channel at the ear's rate."""
    if not path.exists():
        raise BadSound(f"{path}: there is no such file")
    if path.is_dir():
        raise BadSound(f"{path}: this is a folder, name the files in it")
    if path.stat().st_size == 0:
        raise BadSound(f"{path}: the file is empty")
    try:
        with soundfile.SoundFile(path) as file:
            promised = file.frames
            samples = file.read(dtype="float32", always_2d=True)
            rate = file.samplerate
    except (soundfile.LibsndfileError, RuntimeError, OSError) as error:
        raise BadSound(f"{path}: not a sound file that can be read ({error})") from error
    if samples.shape[0] == 0:
        raise BadSound(f"{path}: there is no sound in it")
    if samples.shape[0] < promised or _cut(path):
        raise BadSound(f"{path}: the file is cut short, record or copy it again")
    mono: Sound = np.nan_to_num(samples.mean(axis=1, dtype=np.float32))
    if rate != SPEECH_RATE_HZ:
        mono = soxr.resample(mono, rate, SPEECH_RATE_HZ)
    return mono


def _cut(path: Path) -> bool:
    """Tell whether a WAV file is shorter than its header says; libsndfile forgives that in silence."""
    head = path.read_bytes()
    if head[:4] != b"RIFF" or head[8:12] != b"WAVE":
        return False
    at = 12
    while at + 8 <= len(head):
        size = int.from_bytes(head[at + 4 : at + 8], "little")
        if head[at : at + 4] == b"data":
            # a program that writes to a pipe cannot know the size and says the greatest there is
            return size < 0x7FFFF000 and at + 8 + size > len(head)
        at += 8 + size + size % 2
    return True
