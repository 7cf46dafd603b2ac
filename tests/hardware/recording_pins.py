"""Mock pins that record when they changed, by the clock of the devices' timers."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.timers import ManualTimers


class RecordingPin(MockPWMPin):
    def __init__(self, factory, info):
        self.changes: list[tuple[float, float]] = []
        super().__init__(factory, info)

    def _change_state(self, value):
        changed = super()._change_state(value)
        if changed:
            self.changes.append((self.factory.timers.now(), float(value)))
        return changed


class RecordingPinFactory(MockFactory):
    def __init__(self, timers: ManualTimers) -> None:
        self.timers = timers
        super().__init__(revision="c03114", pin_class=RecordingPin)

    def pulses(self, pin: int) -> list[tuple[float, float]]:
        """Return the beginning and the end of each pulse of *pin*; the end is infinite while the pin is high."""
        found = []
        for now, value in self.pin(pin).changes:
            if value:
                found.append((now, float("inf")))
            elif found:
                found[-1] = (found[-1][0], now)
        return found
