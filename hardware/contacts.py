"""Contacts between a GPIO and ground, and a call when one may have changed; what a press is is decided elsewhere.

lgpio's thread for edges wakes two thousand times a second, which takes 4 % of a core for buttons that nobody presses.
So its pins are looked at instead, as often as a finger can tell; all others call by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gpiozero import DigitalInputDevice, InputDevice

from hardware.pins import is_lgpio
from hardware.timers import Timer, Timers

LOOK = 0.03
"""Seconds from one look to the next."""


class Contacts:
    """Contacts by name; *when_changed* is called with the name of one that opened, closed or bounced."""

    def __init__(
        self, pins: Mapping[str, int], when_changed: Callable[[str], None], *, timers: Timers, pin_factory: Any = None
    ) -> None:
        self._when_changed, self._timers = when_changed, timers
        self._devices: dict[str, Any] = {}
        self._seen: dict[str, bool] = {}
        self._next: Timer | None = None
        polled = bool(pins) and is_lgpio(pin_factory)
        kind = InputDevice if polled else DigitalInputDevice
        try:
            for name, pin in pins.items():
                self._devices[name] = kind(pin, pull_up=True, pin_factory=pin_factory)
        except BaseException:
            self.close()
            raise
        self._seen = {name: self.is_closed(name) for name in pins}
        if polled:
            self._next = timers.after(LOOK, self._look)
        else:
            for name, device in self._devices.items():
                device.when_activated = device.when_deactivated = partial(when_changed, name)

    def is_closed(self, name: str) -> bool:
        """Return whether a contact is closed just now."""
        device = self._devices.get(name)
        return device is not None and bool(device.is_active)

    def close(self) -> None:
        """Let go of the pins; a second time does nothing."""
        if self._next is not None:
            self._next.cancel()
        devices, self._devices = self._devices, {}
        for device in devices.values():
            device.close()

    def _look(self) -> None:
        for name in tuple(self._devices):
            if (closed := self.is_closed(name)) != self._seen[name]:
                self._seen[name] = closed
                self._when_changed(name)
        if self._devices:
            self._next = self._timers.after(LOOK, self._look)
