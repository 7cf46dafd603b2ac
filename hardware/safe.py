"""Drives the coil low and leaves it so: what runs after any stop, also one that no program could hear of."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from hardware.board import Board
from hardware.pins import NoPins, named_trouble, open_pins

_RUNTIME = "RUNTIME_DIRECTORY"
"""Where systemd says which folder a service has until its end."""


def make_safe(board: Board, *, pin_factory: Any = None) -> str:
    """Drive the coil's pin low and return what was done, or raise BodyTrouble."""
    if board.knocker is None:
        return f"board '{board.name}' has no coil: nothing to do"
    return drive_low(board.knocker.pin, pin_factory=pin_factory)


def drive_low(pin: int, *, pin_factory: Any = None) -> str:
    """Drive a coil's *pin* low and return what was done, or raise BodyTrouble."""
    if pin_factory is None:
        try:
            pin_factory = open_pins()
        except NoPins as reason:
            return f"{reason}: there is no coil to turn off"
    with named_trouble(f"GPIO {pin} (knocker.pin)"):
        # The bare pin, not a device: a device lets its pin float when the program ends, and this one shall stay low.
        pin_factory.pin(pin).output_with_state(False)
    return f"GPIO {pin} (knocker.pin) is low: the coil is off"


def remember_coil(board: Board) -> None:
    """Let whoever makes this service safe know its coil, whatever has become of the settings by then."""
    noted = _note()
    if noted is not None and board.knocker is not None:
        with suppress(OSError):  # then the settings are asked
            noted.write_text(f"{board.knocker.pin}\n")


def remembered_coil() -> int | None:
    """Return the pin of the coil that this service has driven; None where nobody knows."""
    noted = _note()
    if noted is None:
        return None
    with suppress(OSError, ValueError):
        return int(noted.read_text())
    return None


def _note() -> Path | None:
    folder = os.environ.get(_RUNTIME)
    return Path(folder, "coil") if folder else None
