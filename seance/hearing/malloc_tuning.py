"""Memory that was freed, given back to the machine: a loaded model leaves as much behind as it needs."""

from __future__ import annotations

import ctypes

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
_LARGE = 128 * 1024
"""Bytes of a piece of memory that is the machine's again as soon as it is freed."""


def stay_small() -> None:
    """Let large pieces of memory never be kept for later, and all threads share the rest, where the C library can.

    By itself it keeps ever larger ones once a few were freed, for each thread apart; models that come and go at every
    step of a night leave holes then, and an ear that had 208 MB had 265 after 76 nights.
    """
    choose = getattr(ctypes.CDLL(None), "mallopt", None)
    if choose is not None:
        choose(_MMAP_THRESHOLD, _LARGE)
        choose(_ARENA_MAX, 1)


def give_back() -> None:
    """Return freed memory to the machine, where its C library can."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
