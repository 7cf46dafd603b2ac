"""One light per place at the table and how it stands there; who sits where is not known here."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from hardware.lamp_device import Fixture
from hardware.light_compositor import Strip
from hardware.power import LIT
from hardware.scenes import Levels, Scene, breath
from hardware.timers import Timers


class Light(StrEnum):
    """How it stands at a place; each can be told from the others also where lamps cannot be dimmed."""

    DARK = "dark"
    """Nobody is here."""
    WAITING = "waiting"
    """Something is still to come: a short wink every three seconds."""
    SERVED = "served"
    """It has come: slow breath."""
    CHOSEN = "chosen"
    """All is done here: steady light."""


class PsychicLights(Fixture):
    """Lights for places at the table.

    >>> lights = PsychicLights([4, 5, 6])
    >>> lights.show(0, Light.CHOSEN)
    """

    def __init__(
        self, lamps: Strip | Sequence[int] = (), *, timers: Timers | None = None, pin_factory: Any = None
    ) -> None:
        super().__init__(lamps, timers=timers, pin_factory=pin_factory)
        self._lock = threading.Lock()
        self._lights: tuple[Light, ...] = (Light.DARK,) * len(self)

    def __repr__(self) -> str:
        return f"<PsychicLights {' '.join(self._lights)}>"

    @property
    def value(self) -> tuple[Light, ...]:
        """How it stands at each place."""
        return self._lights

    def show(self, place: int, light: Light) -> None:
        """Show how it stands at *place*, from 0; a place without a lamp is nobody's loss."""
        with self._lock:
            if 0 <= place < len(self):
                self._set((*self._lights[:place], light, *self._lights[place + 1 :]))

    def show_all(self, lights: Sequence[Light]) -> None:
        """Show how it stands at each place; places beyond are dark."""
        with self._lock:
            self._set((*lights, *(Light.DARK,) * len(self))[: len(self)])

    def off(self) -> None:
        """Let all places be dark."""
        self.show_all(())

    def _set(self, lights: tuple[Light, ...]) -> None:
        self._lights = lights
        self._strip.play(_scene(lights))


def _scene(lights: tuple[Light, ...]) -> Scene:
    moves = any(light in (Light.WAITING, Light.SERVED) for light in lights)

    def levels(seconds: float) -> Levels:
        return tuple(_level(light, seconds) for light in lights)

    return Scene(levels) if moves else Scene(levels, lasts=0.0)


def _level(light: Light, seconds: float) -> float:
    match light:
        case Light.DARK:
            return 0.0
        case Light.WAITING:
            return 1.0 if seconds % 3.0 < 0.15 else LIT / 2
        case Light.SERVED:
            return breath(seconds)
        case Light.CHOSEN:
            return 1.0
