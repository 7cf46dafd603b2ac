"""Acoustic echo cancellation: removes from what a microphone hears what the loudspeaker played.

The adaptive filter is that of Speex, a library of the system.
"""

from __future__ import annotations

import ctypes
import time
from typing import Protocol

import numpy as np

from seance.audio.formats import SPEECH_RATE_HZ, Block

FRAME_SAMPLES = 256
"""Samples that are filtered at once; so many is the result behind what is given."""
FILTER_SAMPLES = 4096
"""Length of the filter: an echo that begins or lasts longer (256 ms) stays."""

MAX_COST = 0.1
"""The largest share of a core that is spent on one channel."""

_LIBRARY = "libspeexdsp.so.1"
_SET_SAMPLING_RATE = 24


class NoEchoCanceller(RuntimeError):
    """There is no library for it; the message says what to install."""


class EchoCanceller(Protocol):
    """Removes the echo from one channel; every channel needs an instance of its own."""

    def process(self, near: Block, far: Block) -> Block:
        """Return *near* without the echo of *far*, FRAME_SAMPLES late: as many samples as both have.

        Both are at SPEECH_RATE_HZ and go on where the call before ended. *far* is what the loudspeaker played at the
        time of *near*, or shortly before.
        """


class SpeexCanceller:
    """The canceller of Speex, for a microphone and a loudspeaker that have one clock."""

    def __init__(self) -> None:
        """Raise NoEchoCanceller where the library is missing."""
        self._speex = _load_speex()
        self._state = self._speex.speex_echo_state_init(FRAME_SAMPLES, FILTER_SAMPLES)
        self._speex.speex_echo_ctl(self._state, _SET_SAMPLING_RATE, ctypes.byref(ctypes.c_int(SPEECH_RATE_HZ)))
        self._near = self._far = np.empty(0, np.int16)
        self._out = np.zeros(FRAME_SAMPLES, np.int16)

    def process(self, near: Block, far: Block) -> Block:
        """Return *near* without the echo of *far*, FRAME_SAMPLES late."""
        if len(near) != len(far):
            raise ValueError(f"{len(near)} samples of the microphone, but {len(far)} of the loudspeaker")
        self._near = np.concatenate((self._near, near)).astype(np.int16, copy=False)
        self._far = np.concatenate((self._far, far)).astype(np.int16, copy=False)
        whole = len(self._near) // FRAME_SAMPLES * FRAME_SAMPLES
        clean = np.empty(whole, np.int16)
        near_at, far_at, clean_at = (each.ctypes.data for each in (self._near, self._far, clean))
        for offset in range(0, clean.nbytes, FRAME_SAMPLES * clean.itemsize):
            self._speex.speex_echo_cancellation(self._state, near_at + offset, far_at + offset, clean_at + offset)
        self._near, self._far = self._near[whole:], self._far[whole:]
        out = np.concatenate((self._out, clean))
        self._out = out[len(near) :]
        return out[: len(near)]

    def __del__(self) -> None:
        """Free the filter."""
        if state := getattr(self, "_state", None):
            self._speex.speex_echo_state_destroy(state)


def measure_cost(canceller: EchoCanceller) -> float:
    """Return which share of a core *canceller* takes (1 is all of it), by half a second of noise."""
    noise = (np.random.default_rng(0).standard_normal(SPEECH_RATE_HZ // 2) * 1000).astype(np.int16)
    began = time.thread_time()
    canceller.process(noise, noise)
    return (time.thread_time() - began) * SPEECH_RATE_HZ / len(noise)


def _load_speex() -> ctypes.CDLL:
    try:
        speex = ctypes.CDLL(_LIBRARY)
    except OSError as error:
        raise NoEchoCanceller(f"{_LIBRARY} is missing: `sudo apt-get install libspeexdsp1`") from error
    speex.speex_echo_state_init.restype = ctypes.c_void_p
    speex.speex_echo_state_init.argtypes = [ctypes.c_int, ctypes.c_int]
    speex.speex_echo_ctl.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
    speex.speex_echo_cancellation.argtypes = [ctypes.c_void_p] * 4
    speex.speex_echo_cancellation.restype = None
    speex.speex_echo_state_destroy.argtypes = [ctypes.c_void_p]
    speex.speex_echo_state_destroy.restype = None
    return speex
