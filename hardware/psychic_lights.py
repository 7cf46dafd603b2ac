"""One light per seat at the table that shows how far the psychic there is."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from hardware.animations import Animation, Levels, breath_level
from hardware.lamp_device import LampDevice
from hardware.light_compositor import Segment
from hardware.power import ON_LEVEL
from hardware.timers import Timers


class LightState(StrEnum):
    """The state of a seat; all four look different even where lamps cannot be dimmed."""

    DARK = "dark"
    """The seat is empty."""
    WAITING = "waiting"
    """Waiting for something: a short wink every three seconds."""
    SERVED = "served"
    """It has arrived: a slow breath."""
    CHOSEN = "chosen"
    """Done: a steady light."""


class PsychicLights(LampDevice):
    """A row of lights, one per seat.

    >>> lights = PsychicLights([4, 5, 6])
    >>> lights.show(0, LightState.CHOSEN)
    """

    def __init__(
        self, lamps: Segment | Sequence[int] = (), *, timers: Timers | None = None, pin_factory: Any = None
    ) -> None:
        super().__init__(lamps, timers=timers, pin_factory=pin_factory)
        self._lock = threading.Lock()
        self._states: tuple[LightState, ...] = (LightState.DARK,) * len(self)

    def __repr__(self) -> str:
        return f"<PsychicLights {' '.join(self._states)}>"

    @property
    def value(self) -> tuple[LightState, ...]:
        """The state of each seat."""
        return self._states

    def show(self, seat: int, state: LightState) -> None:
        """Show *state* at *seat*, counted from 0; a seat without a lamp is ignored."""
        with self._lock:
            if 0 <= seat < len(self):
                self._set((*self._states[:seat], state, *self._states[seat + 1 :]))

    def show_all(self, states: Sequence[LightState]) -> None:
        """Show one state per seat; the remaining seats go dark."""
        with self._lock:
            self._set((*states, *(LightState.DARK,) * len(self))[: len(self)])

    def off(self) -> None:
        """Turn all lights off."""
        self.show_all(())

    def _set(self, states: tuple[LightState, ...]) -> None:
        self._states = states
        self._segment.play(_animation(states))


def _animation(states: tuple[LightState, ...]) -> Animation:
    is_moving = any(state in (LightState.WAITING, LightState.SERVED) for state in states)

    def levels(seconds: float) -> Levels:
        return tuple(_level(state, seconds) for state in states)

    return Animation(levels) if is_moving else Animation(levels, duration_s=0.0)


def _level(state: LightState, seconds: float) -> float:
    match state:
        case LightState.DARK:
            return 0.0
        case LightState.WAITING:
            return 1.0 if seconds % 3.0 < 0.15 else ON_LEVEL / 2
        case LightState.SERVED:
            return breath_level(seconds)
        case LightState.CHOSEN:
            return 1.0
