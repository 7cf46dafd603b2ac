"""A header without a Pi: gpiozero's mock pins that forget their past, a bus that remembers; a hand for its buttons."""

from __future__ import annotations

from typing import Any

from gpiozero import SPI
from gpiozero.pins.mock import MockFactory, MockPWMPin

REVISION = "c03114"
"""Of a Pi 4 B, which it pretends to be."""


class VirtualPin(MockPWMPin):
    """A mock pin for a whole evening: it keeps no list of all that it ever was."""

    def _change_state(self, value: float) -> bool:
        changed: bool = super()._change_state(value)
        del self.states[:-1]
        return changed


class VirtualSPI(SPI):
    """An SPI bus that keeps the last thing that was sent."""

    def __init__(self, clock_pin: int, mosi_pin: int, miso_pin: int, select_pin: int, pin_factory: Any) -> None:
        super().__init__(pin_factory=pin_factory)
        self.sent = b""
        self._rate = 500_000
        pin_factory.reserve_pins(self, clock_pin, mosi_pin, miso_pin, select_pin)

    def write(self, data: list[int]) -> int:
        """Keep *data*."""
        self.sent = bytes(data)
        return len(data)

    def close(self) -> None:
        """Let go of the pins."""
        self.pin_factory.release_all(self)
        super().close()

    @property
    def closed(self) -> bool:
        """It always answers."""
        return False

    def _get_rate(self) -> int:
        return self._rate

    def _set_rate(self, rate: int) -> None:
        self._rate = rate


class VirtualChip:
    """A chip on an I2C bus whose registers can be read."""

    def __init__(self) -> None:
        self.registers: dict[int, int] = {}

    def write(self, register: int, value: int) -> None:
        """Set one register (a byte)."""
        self.registers[register] = value

    def close(self) -> None:
        """Do nothing."""


class VirtualFactory(MockFactory):
    """Pins for the virtual board, and for tests of any other."""

    def __init__(self) -> None:
        super().__init__(revision=REVISION, pin_class=VirtualPin)
        self.chips: dict[tuple[int, int], VirtualChip] = {}
        """What answers on I2C, by bus and address."""

    def i2c(self, bus: int, address: int) -> VirtualChip:
        """Return the chip at *address*."""
        return self.chips.setdefault((bus, address), VirtualChip())

    def press(self, pin: int) -> None:
        """Connect *pin* to ground, as a button does."""
        self.pin(pin).drive_low()

    def release(self, pin: int) -> None:
        """Let go of *pin*; its pull-up lifts it."""
        self.pin(pin).drive_high()

    def _get_spi_class(self, shared: bool, hardware: bool) -> type[VirtualSPI]:  # noqa: ARG002 (gpiozero's)
        return VirtualSPI
