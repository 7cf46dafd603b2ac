"""Invented voices for the rig: sound that is unlike any other, so that it can be found again."""

import wave
from pathlib import Path

import numpy as np
import soxr

RATE = 16000


def voice(seconds=0.6, *, seed=7, rate=RATE, level=0.1):
    """Return noise in the band of a voice that swells and fades, as int16."""
    noise = np.random.default_rng(seed).standard_normal(round(8000 * seconds))
    swell = 0.6 + 0.4 * np.sin(2 * np.pi * 4 * np.arange(len(noise)) / 8000)
    return (soxr.resample(noise * swell, 8000, rate) * level * 32768).clip(-32768, 32767).astype(np.int16)


def write(path: Path, samples, rate=RATE) -> Path:
    """Write *samples*, one column for each channel, as a WAV file."""
    columns = samples.reshape(len(samples), -1)
    with wave.open(str(path), "wb") as file:
        file.setparams((columns.shape[1], 2, rate, 0, "NONE", ""))
        file.writeframes(columns.astype("<i2").tobytes())
    return path


def likeness(heard, said):
    """Return how well *said* is found in *heard*, wherever it begins: 1 when it is the same sound."""
    heard, said = heard.astype(float), said.astype(float)
    if len(heard) < len(said):
        return 0.0
    size = len(heard) + len(said)
    found = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(said, size)), size)
    start = int(np.argmax(found[: len(heard) - len(said) + 1]))
    part = heard[start : start + len(said)]
    norm = np.linalg.norm(part) * np.linalg.norm(said)
    return float(part @ said / norm) if norm else 0.0


def take(microphone, seconds):
    """Return the next *seconds* that a microphone delivers."""
    blocks, wanted = [], seconds * microphone.rate
    while sum(map(len, blocks)) < wanted:
        block = microphone.read(timeout=5)
        assert block is not None, f"no block came; the microphone is {microphone.status}"
        blocks.append(block)
    return np.concatenate(blocks)
