"""Pins whose level outlives the process, as on a Raspberry Pi; each is a byte in a file."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from gpiozero.pins.mock import MockFactory, MockPin


class PersistentPin(MockPin):
    """A pin that keeps its level when it is released, and when the process dies."""

    def _set_state(self, value):
        super()._set_state(value)
        os.pwrite(self.factory.file, bytes([bool(value)]), self._number)
        if value and self.factory.when_high is not None and self._number == self.factory.coil:
            self.factory.when_high()


class PersistentPinFactory(MockFactory):
    def __init__(self, levels: Path, *, coil: int = 0) -> None:
        super().__init__(revision="c03114", pin_class=PersistentPin)
        self.file = os.open(levels, os.O_RDWR | os.O_CREAT, 0o600)
        self.coil = coil
        self.when_high: Callable[[], None] | None = None
        """Called each time the coil's pin has been driven high."""


def level(levels: Path, pin: int) -> int:
    """Return the level that *pin* was left at."""
    return levels.read_bytes().ljust(64, b"\0")[pin]


def kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
