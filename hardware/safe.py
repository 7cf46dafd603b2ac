"""Drives the coil low and leaves it so: what runs after any stop, also one that no program could hear of."""

from __future__ import annotations

from typing import Any

from hardware.board import Board
from hardware.pins import NoPins, named_trouble, open_pins


def make_safe(board: Board, *, pin_factory: Any = None) -> str:
    """Drive the coil's pin low and return what was done, or raise BodyTrouble."""
    if board.knocker is None:
        return f"board '{board.name}' has no coil: nothing to do"
    if pin_factory is None:
        try:
            pin_factory = open_pins()
        except NoPins as reason:
            return f"{reason}: there is no coil to turn off"
    pin = board.knocker.pin
    with named_trouble(f"GPIO {pin} (knocker.pin)"):
        # The bare pin, not a device: a device lets its pin float when the program ends, and this one shall stay low.
        pin_factory.pin(pin).output_with_state(False)
    return f"GPIO {pin} (knocker.pin) is low: the coil is off"
