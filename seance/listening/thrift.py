"""Memory that was freed, given back to the machine: a loaded model leaves as much behind as it needs."""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Return freed memory to the machine, where its C library can."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
