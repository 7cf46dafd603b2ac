"""Removes the echo of the loudspeaker from the blocks of a microphone, and knows how well that works.

Reference → delay → adaptive filter → quality.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from seance.audio.echo_canceller import FRAME_SAMPLES, EchoCanceller
from seance.audio.echo_delay import MIN_LEVEL_DBFS, WINDOW_S, find_lag
from seance.audio.echo_reference import EchoReference
from seance.audio.formats import FULL_SCALE, SPEECH_RATE_HZ, Block

MIN_ERLE_DB = 8.0
"""The least echo return loss enhancement with which a house may listen while it speaks (decibels)."""

OWN_VOICE_SHARE = 0.6
"""Of the echo return loss enhancement (decibels): where more was removed of a sound, it was hardly but the echo."""
MAX_REMOVED_DB = 15.0
"""More is never removed of a sound in which somebody speaks loudly enough to be understood."""
KEPT_S = 15.0
"""Seconds for which it is known how much was removed."""

_CHECK_S = 1.0
"""Seconds from one check of the delay and the quality to the next, while something is played."""
_KEPT_CHECKS = 8
_SETTLED_CHECKS = 5
"""Once the echo is removed well, its lag is looked for at each of so many checks only."""
_WANTED_LAG = round(0.02 * SPEECH_RATE_HZ)
_MIN_LAG = round(0.002 * SPEECH_RATE_HZ)
_MAX_LAG = round(0.06 * SPEECH_RATE_HZ)
"""Between these an echo is left where it is, since another lag has to be learnt anew."""
_MAX_LAG_JITTER = round(0.004 * SPEECH_RATE_HZ)


class EchoRemover:
    """Blocks at SPEECH_RATE_HZ without the echo of what *reference* has."""

    def __init__(
        self,
        cancellers: Sequence[EchoCanceller],
        reference: EchoReference,
        *,
        channels: Sequence[int] = (0,),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take one of *cancellers* for each of *channels*, counted from 0; delay and quality are those of the first.

        What a device delivers on other channels passes unchanged: it may be no microphone's. Of a block without
        columns, the sound of one microphone, the echo is removed as of the first.
        """
        self._cancellers, self._reference, self._clock = tuple(cancellers), reference, clock
        self._channels = list(channels)
        self._quality = EchoQuality()
        self._removed = RemovedEcho()
        self._far = self._near = np.zeros(round(WINDOW_S * SPEECH_RATE_HZ), np.int16)
        self._played_samples = 0
        """Samples since the last check in which something was played."""
        self._last_lag: int | None = None
        self._checks = 0
        self._late_near = np.zeros(FRAME_SAMPLES, np.int16)

    @property
    def is_trusted(self) -> bool:
        """Whether so little of the echo is left that a house may listen while it speaks."""
        return self._quality.is_good

    @property
    def erle_db(self) -> float | None:
        """How much quieter the echo has become (decibels); None before anything was played."""
        return self._quality.erle_db

    @property
    def heard_s(self) -> float:
        """Seconds of sound that were processed."""
        return self._removed.heard_s

    def is_own_voice(self, began_s: float, ended_s: float) -> bool:
        """Whether hardly anything but the loudspeaker was heard between these times of `heard_s`."""
        erle_db = self.erle_db
        if erle_db is None:
            return False
        return self._removed.between_db(began_s, ended_s) > min(OWN_VOICE_SHARE * erle_db, MAX_REMOVED_DB)

    def process(self, near: Block) -> Block:
        """Return *near*, with a column for each channel if there are several, without the echo; FRAME_SAMPLES late."""
        far = self._reference.read(len(near), self._clock())
        channels = near[np.newaxis] if near.ndim == 1 else np.ascontiguousarray(near[:, self._channels].T)
        # An array whose device has too few channels is one microphone, with the first of the cancellers.
        pairs = zip(self._cancellers, channels, strict=near.ndim > 1)
        clean = [canceller.process(channel, far) for canceller, channel in pairs]
        heard = np.concatenate((self._late_near, channels[0]))
        self._late_near = heard[len(near) :]
        is_played = power(far) > 10 ** (MIN_LEVEL_DBFS / 10)
        near_power, clean_power = power(heard[: len(near)]), power(clean[0])
        self._removed.add(len(near) / SPEECH_RATE_HZ, near_power, clean_power)
        if is_played:
            self._quality.add(near_power, clean_power)
        self._follow_delay(channels[0], far, is_played=is_played)
        if near.ndim == 1:
            return clean[0]
        cleaned = near.copy()
        cleaned[:, self._channels] = np.stack(clean, axis=1)
        return cleaned

    def _follow_delay(self, near: Block, far: Block, *, is_played: bool) -> None:
        """Move the reference where two checks in a row find that the echo has another lag."""
        self._near = np.concatenate((self._near[len(near) :], near))
        self._far = np.concatenate((self._far[len(far) :], far))
        self._played_samples += len(far) if is_played else 0
        if self._played_samples < _CHECK_S * SPEECH_RATE_HZ:
            return
        self._played_samples = 0
        self._quality.check()
        self._checks += 1
        if self._quality.is_good and self._checks % _SETTLED_CHECKS:
            return
        lag, before = find_lag(self._far, self._near), self._last_lag
        self._last_lag = lag
        if lag is None or before is None or abs(lag - before) > _MAX_LAG_JITTER:
            return
        if not _MIN_LAG <= lag <= _MAX_LAG:
            self._reference.delay(lag - _WANTED_LAG)
            self._quality.forget()
            self._last_lag = None


class EchoQuality:
    """The echo return loss enhancement of the last seconds in which something was played."""

    def __init__(self) -> None:
        self._near_power = self._clean_power = 0.0
        self._checks: deque[float] = deque(maxlen=_KEPT_CHECKS)

    @property
    def erle_db(self) -> float | None:
        """The best of the last seconds, for others may have spoken in some; None before the first."""
        return max(self._checks, default=None)

    @property
    def is_good(self) -> bool:
        """Whether it is at least MIN_ERLE_DB."""
        return self.erle_db is not None and self.erle_db >= MIN_ERLE_DB

    def add(self, near_power: float, clean_power: float) -> None:
        """Compare the power of what was heard while something was played with what is left of it."""
        self._near_power += near_power
        self._clean_power += clean_power

    def check(self) -> None:
        """End a second."""
        if self._near_power > 0:
            self._checks.append(ratio_db(self._near_power, self._clean_power))
        self._near_power = self._clean_power = 0.0

    def forget(self) -> None:
        """Begin anew: the filter has to learn another echo."""
        self._checks.clear()


class RemovedEcho:
    """How much was removed of the sound of the last KEPT_S."""

    def __init__(self) -> None:
        self.heard_s = 0.0
        """Seconds of sound so far."""
        self._blocks: deque[tuple[float, float, float]] = deque()
        """Of each block the time of its end, and its energy before and after the echo was removed."""

    def add(self, seconds: float, near_power: float, clean_power: float) -> None:
        """Add a block of so many seconds."""
        self.heard_s += seconds
        self._blocks.append((self.heard_s, near_power * seconds, clean_power * seconds))
        while self._blocks[0][0] < self.heard_s - KEPT_S:
            self._blocks.popleft()

    def between_db(self, began_s: float, ended_s: float) -> float:
        """Return by how much the sound between two times became quieter (decibels)."""
        found = [(near, clean) for end_s, near, clean in self._blocks if began_s < end_s <= ended_s]
        return ratio_db(sum(near for near, _ in found), sum(clean for _, clean in found))


def ratio_db(power: float, other: float) -> float:
    """Return how much larger *power* is than *other* (decibels); that of silence is next to nothing."""
    return 10 * math.log10(max(power, 1e-12) / max(other, 1e-12))


def power(samples: Block) -> float:
    """Return the mean power of *samples*; 1 is a square wave of full scale."""
    scaled = samples.astype(np.float32) / FULL_SCALE
    return float(scaled @ scaled) / max(1, len(scaled))
