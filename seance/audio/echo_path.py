"""The echo path from loudspeaker to microphone, measured with a sine sweep: delay, level, loss and tail."""

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
from seance.audio.formats import FULL_SCALE, Block, Samples
from seance.audio.levels import MIN_NOISE_DBFS, SILENCE_DBFS, dbfs, frame_levels
from seance.audio.portaudio import open_at_supported_rate, portaudio_lock, register_stream

_SWEEP_SECONDS = 0.5
_SWEEP_FADE_SECONDS = 0.02
_SWEEP_START_HZ = 200.0
_SWEEP_END_HZ = 7000.0
_SWEEP_AMPLITUDE = 0.25
_MIN_CORRELATION_RATIO = 9.0
"""The sweep is found where the correlation is so many times its usual size: noise reaches 5."""
_TAIL_ABOVE_NOISE_DB = 6.0
_FRAME_SECONDS = 0.01
_FALLBACK_RATES_HZ = (48_000, 44_100)
_END_TIMEOUT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class EchoMeasurement:
    """How a microphone hears the loudspeaker. The field names are keys of `seance calibrate --json`."""

    delay_seconds: float
    """From handing sound to PortAudio until it arrives in a block of the microphone."""
    level_dbfs: float
    loss_db: float
    """How much quieter it arrives than it was sent."""
    tail_seconds: float
    """From the end of playback until the noise floor is reached again."""


@dataclass(slots=True)
class PlaybackTimes:
    """When the playback of a sound started and ended (monotonic); None until then."""

    started: float | None = None
    ended: float | None = None


def make_sweep(rate: int) -> Samples:
    """Return a rising exponential sine sweep that fades in and out."""
    at: npt.NDArray[np.float64] = np.arange(round(rate * _SWEEP_SECONDS)) / rate
    growth = np.log(_SWEEP_END_HZ / _SWEEP_START_HZ) / _SWEEP_SECONDS
    tone = _SWEEP_AMPLITUDE * np.sin(2 * np.pi * _SWEEP_START_HZ * np.expm1(growth * at) / growth)
    fade = np.minimum(1.0, np.minimum(at, at[::-1]) / _SWEEP_FADE_SECONDS)
    return np.asarray(tone * fade, np.float32)


def find_offset(sent: Samples, heard: Block) -> int | None:
    """Return the sample of *heard* at which *sent* begins, by cross-correlation; None when it is not in there."""
    if len(heard) < len(sent):
        return None
    size = len(heard) + len(sent)
    spectrum = np.fft.rfft(heard.astype(np.float64), size) * np.conj(np.fft.rfft(sent, size))
    correlation = np.abs(np.fft.irfft(spectrum, size)[: len(heard) - len(sent) + 1])
    # The median absolute value of Gaussian noise is 0.6745 standard deviations.
    usual = float(np.median(correlation)) / 0.6745
    best = int(np.argmax(correlation))
    return best if correlation[best] > _MIN_CORRELATION_RATIO * usual and correlation[best] > 0 else None


def measure_echo(
    heard: Block, heard_from: float, rate: int, times: PlaybackTimes, noise_dbfs: float
) -> EchoMeasurement | None:
    """Return the echo of the sweep in *heard*, whose first sample is of the monotonic time *heard_from*.

    None when the sweep was not found or not played.
    """
    sent = make_sweep(rate)
    start = find_offset(sent, heard)
    if start is None or times.started is None or times.ended is None:
        return None
    level = dbfs(heard[start : start + len(sent)])
    threshold = max(noise_dbfs, MIN_NOISE_DBFS) + _TAIL_ABOVE_NOISE_DB
    loud = np.flatnonzero(frame_levels(heard, rate, _FRAME_SECONDS) > threshold)
    last = heard_from + (float(loud[-1]) + 1) * _FRAME_SECONDS if len(loud) else times.ended
    return EchoMeasurement(
        # A sound server renders ahead, in chunks: what is in one may seem to arrive before it was handed over.
        delay_seconds=max(0.0, heard_from + start / rate - times.started),
        level_dbfs=level,
        loss_db=dbfs(sent * FULL_SCALE) - level if level > SILENCE_DBFS else -SILENCE_DBFS,
        tail_seconds=max(0.0, last - times.ended),
    )


@contextmanager
def play_in_background(sound: Samples, rate: int, device: Device) -> Iterator[PlaybackTimes]:
    """Play *sound* on *device* while the body runs, and wait for its end."""
    times, done = PlaybackTimes(), threading.Event()
    channels = min(device.channels, 2)
    rest = memoryview(b"")

    def fill_block(out: Any, _frames: int, _time: Any, _status: Any) -> None:
        nonlocal rest
        if times.started is None:
            times.started = time.monotonic()
        taken = rest[: len(out)]
        out[: len(taken)] = taken
        out[len(taken) :] = bytes(len(out) - len(taken))
        rest = rest[len(taken) :]
        if not rest:
            raise sounddevice.CallbackStop

    def mark_end() -> None:
        times.ended = time.monotonic()
        done.set()

    with portaudio_lock() as sounddevice:

        def open_stream(stream_rate: int) -> Any:
            return sounddevice.RawOutputStream(
                device=device.index,
                samplerate=stream_rate,
                channels=channels,
                dtype="float32",
                callback=fill_block,
                finished_callback=mark_end,
            )

        stream, stream_rate = open_at_supported_rate((rate, device.rate, *_FALLBACK_RATES_HZ), open_stream)
        samples = soxr.resample(sound, rate, stream_rate) if stream_rate != rate else sound
        rest = memoryview(np.repeat(samples[:, np.newaxis], channels, axis=1).astype(np.float32).tobytes())
        unregister = register_stream(stream.close)
        stream.start()
    try:
        yield times
        done.wait(len(sound) / rate + _END_TIMEOUT_SECONDS)
    finally:
        with portaudio_lock():
            unregister()
            stream.close()
