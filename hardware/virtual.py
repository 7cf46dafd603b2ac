"""Virtual pins, SPI and I2C for machines without GPIO: gpiozero's mock pins, with buttons that can be pressed."""

from __future__ import annotations

from typing import Any

from gpiozero import SPI
from gpiozero.pins.mock import MockFactory, MockPWMPin

PI_4B_REVISION = "c03114"
"""The revision code of the Pi 4 B that is simulated."""


class VirtualPin(MockPWMPin):
    """A mock pin without a history of its states, which would grow all evening."""

    def _change_state(self, value: float) -> bool:
        changed: bool = super()._change_state(value)
        del self.states[:-1]
        return changed


class VirtualSPI(SPI):
    """An SPI bus that keeps the last bytes that were sent."""

    def __init__(self, clock_pin: int, mosi_pin: int, miso_pin: int, select_pin: int, pin_factory: Any) -> None:
        super().__init__(pin_factory=pin_factory)
        self.sent = b""
        self._rate = 500_000
        pin_factory.reserve_pins(self, clock_pin, mosi_pin, miso_pin, select_pin)

    def write(self, data: list[int]) -> int:
        """Store *data* as `sent` and return its length."""
        self.sent = bytes(data)
        return len(data)

    def close(self) -> None:
        """Release the pins."""
        self.pin_factory.release_all(self)
        super().close()

    @property
    def closed(self) -> bool:
        """Always False: the bus can be used again after `close`."""
        return False

    def _get_rate(self) -> int:
        return self._rate

    def _set_rate(self, rate: int) -> None:
        self._rate = rate


class VirtualI2CChip:
    """An I2C chip whose registers can be read."""

    def __init__(self) -> None:
        self.registers: dict[int, int] = {}

    def write(self, register: int, value: int) -> None:
        """Set a register to a byte."""
        self.registers[register] = value

    def close(self) -> None:
        """Do nothing."""


class VirtualPinFactory(MockFactory):
    """A pin factory for the virtual board, and for tests of any other board."""

    def __init__(self) -> None:
        super().__init__(revision=PI_4B_REVISION, pin_class=VirtualPin)
        self.chips: dict[tuple[int, int], VirtualI2CChip] = {}
        """The chips in use, by bus and address."""

    def i2c(self, bus: int, address: int) -> VirtualI2CChip:
        """Return the chip at *address*, made on first use."""
        return self.chips.setdefault((bus, address), VirtualI2CChip())

    def press(self, pin: int) -> None:
        """Pull *pin* to ground, as a pressed button does."""
        self.pin(pin).drive_low()

    def release(self, pin: int) -> None:
        """Release *pin* to its pull-up."""
        self.pin(pin).drive_high()

    def _get_spi_class(self, shared: bool, hardware: bool) -> type[VirtualSPI]:  # noqa: ARG002 (gpiozero's)
        return VirtualSPI
