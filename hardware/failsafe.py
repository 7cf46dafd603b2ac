"""Drives the coil's pin low and leaves it low, for use after a process that could not do so itself (kill -9)."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from hardware.board import Board
from hardware.pins import NoGPIOError, explain_errors, open_pins

_RUNTIME_DIRECTORY = "RUNTIME_DIRECTORY"
"""The environment variable in which systemd names the folder that exists while the service runs."""


def drive_coil_low(board: Board, *, pin_factory: Any = None) -> str:
    """Drive the pin of the board's coil low and return a sentence for the user; raise HardwareError if it fails."""
    if board.knocker is None:
        return f"board '{board.name}' has no coil: nothing to do"
    return drive_pin_low(board.knocker.pin, pin_factory=pin_factory)


def drive_pin_low(pin: int, *, pin_factory: Any = None) -> str:
    """Drive the coil's *pin* low and return a sentence for the user; raise HardwareError if it fails."""
    if pin_factory is None:
        try:
            pin_factory = open_pins()
        except NoGPIOError as reason:
            return f"{reason}: there is no coil to turn off"
    with explain_errors(f"GPIO {pin} (knocker.pin)"):
        # The bare pin, not a device: a device lets its pin float when the program ends, and this one must stay low.
        pin_factory.pin(pin).output_with_state(False)
    return f"GPIO {pin} (knocker.pin) is low: the coil is off"


def remember_coil(board: Board) -> None:
    """Write the coil's pin to the runtime folder, where `recall_coil` finds it even if the settings change."""
    path = _coil_file()
    if path is not None and board.knocker is not None:
        with suppress(OSError):  # `seance safe` then reads the settings
            path.write_text(f"{board.knocker.pin}\n")


def recall_coil() -> int | None:
    """Return the pin of the coil that this service has driven; None if it is not known."""
    path = _coil_file()
    if path is None:
        return None
    with suppress(OSError, ValueError):
        return int(path.read_text())
    return None


def _coil_file() -> Path | None:
    folder = os.environ.get(_RUNTIME_DIRECTORY)
    return Path(folder, "coil") if folder else None
