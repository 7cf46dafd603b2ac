"""The loudspeaker as the microphone hears it: how late, how loud, how long; found by a sweep that nobody else sings."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import soxr

from seance.audio.devices import Device
from seance.audio.levels import FULL_SCALE, NOTHING_DBFS, dbfs, frame_levels
from seance.audio.portaudio import open_at, stand_aside, steady
from seance.audio.resampling import Block

_SWEEP_SECONDS, _FADE_SECONDS = 0.5, 0.02
_LOWEST, _HIGHEST = 200.0, 7000.0
_AMPLITUDE = 0.25
_CERTAIN = 9.0
"""A correlation so many times its usual size is no accident: noise reaches 5."""
_STILL_HEARD_DB = 6.0
_FRAME_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Echo:
    """How a microphone hears the loudspeaker."""

    delay_seconds: float
    """From handing sound over until it arrives in a block."""
    level_dbfs: float
    loss_db: float
    """How much quieter it arrives than it was sent."""
    tail_seconds: float
    """From the end of playing until the room was as quiet as before."""


@dataclass(slots=True)
class Playing:
    """Sound on its way to a loudspeaker; times are monotonic, None until then."""

    begun: float | None = None
    ended: float | None = None


def sweep(rate: int) -> npt.NDArray[np.float32]:
    """Return a rising tone that fades in and out, 1.0 being full scale."""
    at: npt.NDArray[np.float64] = np.arange(round(rate * _SWEEP_SECONDS)) / rate
    growth = np.log(_HIGHEST / _LOWEST) / _SWEEP_SECONDS
    tone = _AMPLITUDE * np.sin(2 * np.pi * _LOWEST * np.expm1(growth * at) / growth)
    fade = np.minimum(1.0, np.minimum(at, at[::-1]) / _FADE_SECONDS)
    return np.asarray(tone * fade, np.float32)


def find(sent: npt.NDArray[np.float32], heard: Block) -> int | None:
    """Return at which sample of *heard* the sound *sent* begins; None when it is not in there."""
    if len(heard) < len(sent):
        return None
    size = len(heard) + len(sent)
    spectrum = np.fft.rfft(heard.astype(np.float64), size) * np.conj(np.fft.rfft(sent, size))
    likeness = np.abs(np.fft.irfft(spectrum, size)[: len(heard) - len(sent) + 1])
    usual = float(np.median(likeness)) / 0.6745
    best = int(np.argmax(likeness))
    return best if likeness[best] > _CERTAIN * usual and likeness[best] > 0 else None


def measure_echo(heard: Block, began: float, rate: int, playing: Playing, noise_dbfs: float) -> Echo | None:
    """Return the echo in *heard*, whose first sample was at *began*; None when the sweep cannot be heard."""
    sent = sweep(rate)
    start = find(sent, heard)
    if start is None or playing.begun is None or playing.ended is None:
        return None
    level = dbfs(heard[start : start + len(sent)])
    loud = np.flatnonzero(frame_levels(heard, rate, _FRAME_SECONDS) > max(noise_dbfs, -80.0) + _STILL_HEARD_DB)
    last = began + (float(loud[-1]) + 1) * _FRAME_SECONDS if len(loud) else playing.ended
    return Echo(
        # A sound server renders ahead, in chunks: what is in one may seem to come before it was handed over.
        delay_seconds=max(0.0, began + start / rate - playing.begun),
        level_dbfs=level,
        loss_db=dbfs(sent * FULL_SCALE) - level if level > NOTHING_DBFS else -NOTHING_DBFS,
        tail_seconds=max(0.0, last - playing.ended),
    )


@contextmanager
def played(sound: npt.NDArray[np.float32], rate: int, device: Device) -> Iterator[Playing]:
    """Play *sound* on *device* while the body runs, and wait for its end."""
    playing, done = Playing(), threading.Event()
    channels = min(device.channels, 2)
    rest = memoryview(b"")

    def give(out: Any, _frames: int, _time: Any, _status: Any) -> None:
        nonlocal rest
        if playing.begun is None:
            playing.begun = time.monotonic()
        taken = rest[: len(out)]
        out[: len(taken)] = taken
        out[len(taken) :] = bytes(len(out) - len(taken))
        rest = rest[len(taken) :]
        if not rest:
            raise sounddevice.CallbackStop

    def end() -> None:
        playing.ended = time.monotonic()
        done.set()

    with steady() as sounddevice:

        def make(at: int) -> Any:
            return sounddevice.RawOutputStream(
                device=device.index,
                samplerate=at,
                channels=channels,
                dtype="float32",
                callback=give,
                finished_callback=end,
            )

        stream, opened_at = open_at((rate, device.rate, 48000, 44100), make)
        samples = soxr.resample(sound, rate, opened_at) if opened_at != rate else sound
        rest = memoryview(np.repeat(samples[:, np.newaxis], channels, axis=1).astype(np.float32).tobytes())
        leave = stand_aside(stream.close)
        stream.start()
    try:
        yield playing
        done.wait(len(sound) / rate + 2.0)
    finally:
        with steady():
            leave()
            stream.close()
