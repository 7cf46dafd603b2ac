"""Pins that write down when they changed, by the same hand-turned time as the devices."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.timers import ManualTimers


class WatchedPin(MockPWMPin):
    def __init__(self, factory, info):
        self.changes: list[tuple[float, float]] = []
        super().__init__(factory, info)

    def _change_state(self, value):
        changed = super()._change_state(value)
        if changed:
            self.changes.append((self.factory.timers.now(), float(value)))
        return changed


class WatchedFactory(MockFactory):
    def __init__(self, timers: ManualTimers) -> None:
        self.timers = timers
        super().__init__(revision="c03114", pin_class=WatchedPin)

    def pulses(self, pin: int) -> list[tuple[float, float]]:
        """Return begin and end of each time that *pin* was high; one that has not ended yet ends never."""
        found = []
        for now, value in self.pin(pin).changes:
            if value:
                found.append((now, float("inf")))
            elif found:
                found[-1] = (found[-1][0], now)
        return found
