"""Removes the echo from a recording whose reference was recorded, too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import soxr

from seance.audio.echo_canceller import FRAME_SAMPLES, SpeexCanceller
from seance.audio.echo_delay import WINDOW_S, find_lag
from seance.audio.formats import FULL_SCALE, SPEECH_RATE_HZ, Block, Samples
from seance.audio.resampling import to_int16

MAX_LENGTH_DIFFERENCE_S = 0.5
_HOP_S = 0.5
_LEAD_SAMPLES = round(0.008 * SPEECH_RATE_HZ)
_MAX_OUTLIER_SAMPLES = 160
"""Windows whose lag is further from the usual one (10 ms) do not count."""
_MIN_WINDOWS_FOR_DRIFT = 8


class NoCommonSound(ValueError):
    """A recording and its reference do not belong together; the message says why."""


@dataclass(frozen=True, slots=True)
class EchoPath:
    """How a recording follows its reference."""

    lag_samples: int
    """How late the echo is at the beginning."""
    drift_ppm: float | None
    """How much faster the recording's clock is than the reference's (millionths); None where too little was heard."""


def remove_echo(near: Samples, far: Samples) -> Samples:
    """Return *near* without the echo of *far*, both at SPEECH_RATE_HZ, or raise NoCommonSound.

    Of several channels, which are columns of *near*, each has a filter of its own. A filter hears everything once
    before, as that of a house that has spoken for a while.
    """
    if near.ndim > 1:
        return np.stack([remove_echo(channel, far) for channel in near.T], axis=1)
    difference_s = abs(len(near) - len(far)) / SPEECH_RATE_HZ
    if difference_s > MAX_LENGTH_DIFFERENCE_S:
        lengths = f"{len(near) / SPEECH_RATE_HZ:.1f} s and {len(far) / SPEECH_RATE_HZ:.1f} s"
        raise NoCommonSound(f"the recording and its reference last {lengths}: cut them to the same stretch of time")
    heard = to_int16(near * FULL_SCALE)
    path = measure_path(heard, _fitted(to_int16(far * FULL_SCALE), len(heard)))
    if path is None:
        raise NoCommonSound("nothing of the reference is heard in the recording: was it played in that room?")
    if path.drift_ppm:
        far = soxr.resample(far, SPEECH_RATE_HZ, SPEECH_RATE_HZ * (1 + path.drift_ppm / 1e6))
    late = path.lag_samples - _LEAD_SAMPLES
    shifted = np.concatenate((np.zeros(max(0, late), np.float32), far[max(0, -late) :]))
    reference = _fitted(to_int16(shifted * FULL_SCALE), len(heard))
    canceller = SpeexCanceller()
    canceller.process(heard, reference)
    padding = np.zeros(FRAME_SAMPLES, np.int16)
    clean = canceller.process(np.concatenate((heard, padding)), np.concatenate((reference, padding)))
    return (clean[FRAME_SAMPLES:] / FULL_SCALE).astype(np.float32)


def measure_path(near: Block, far: Block) -> EchoPath | None:
    """Return the path from *far* to *near*, which are as long; None where no echo is found."""
    window, hop = round(WINDOW_S * SPEECH_RATE_HZ), round(_HOP_S * SPEECH_RATE_HZ)
    starts = range(0, max(1, len(near) - window + 1), hop)
    lags = [(at, find_lag(far[at : at + window], near[at : at + window])) for at in starts]
    found = np.array([(at, lag) for at, lag in lags if lag is not None], np.float64).reshape(-1, 2)
    if not len(found):
        return None
    found = found[np.abs(found[:, 1] - np.median(found[:, 1])) <= _MAX_OUTLIER_SAMPLES]
    if not len(found):
        return None
    if len(found) < _MIN_WINDOWS_FOR_DRIFT:
        return EchoPath(round(float(np.median(found[:, 1]))), None)
    slope, first = np.polyfit(found[:, 0], found[:, 1], 1)
    return EchoPath(round(float(first)), float(slope) * 1e6)


def _fitted(samples: Block, length: int) -> Block:
    """Return *samples* cut or filled up with silence to *length*."""
    return np.pad(samples[:length], (0, max(0, length - len(samples))))
