"""Electrical contacts between a GPIO pin and ground, and a callback when one may have changed.

lgpio's thread for edge detection wakes two thousand times a second, which takes 4 % of a core even while nobody presses
anything. So lgpio's pins are polled, often enough for a finger; other pins report their edges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gpiozero import DigitalInputDevice, InputDevice

from hardware.pins import is_lgpio
from hardware.timers import Timer, Timers

POLL_INTERVAL_S = 0.03
"""Seconds from one poll to the next."""


class Contacts:
    """Contacts by name; *when_changed* is called with the name of each that opened, closed or bounced."""

    def __init__(
        self, pins: Mapping[str, int], when_changed: Callable[[str], None], *, timers: Timers, pin_factory: Any = None
    ) -> None:
        self._when_changed, self._timers = when_changed, timers
        self._devices: dict[str, Any] = {}
        self._last_closed: dict[str, bool] = {}
        self._next_poll: Timer | None = None
        polled = bool(pins) and is_lgpio(pin_factory)
        kind = InputDevice if polled else DigitalInputDevice
        try:
            for name, pin in pins.items():
                self._devices[name] = kind(pin, pull_up=True, pin_factory=pin_factory)
        except BaseException:
            self.close()
            raise
        self._last_closed = {name: self.is_closed(name) for name in pins}
        if polled:
            self._next_poll = timers.after(POLL_INTERVAL_S, self._poll)
        else:
            for name, device in self._devices.items():
                device.when_activated = device.when_deactivated = partial(when_changed, name)

    def is_closed(self, name: str) -> bool:
        """Return whether a contact is closed now."""
        device = self._devices.get(name)
        return device is not None and bool(device.is_active)

    def close(self) -> None:
        """Release the pins; safe to call twice."""
        if self._next_poll is not None:
            self._next_poll.cancel()
        devices, self._devices = self._devices, {}
        for device in devices.values():
            device.close()

    def _poll(self) -> None:
        for name in tuple(self._devices):
            if (closed := self.is_closed(name)) != self._last_closed[name]:
                self._last_closed[name] = closed
                self._when_changed(name)
        if self._devices:
            self._next_poll = self._timers.after(POLL_INTERVAL_S, self._poll)
