"""Drivers of lamps: LEDs on GPIO pins, on a shift register or on an I2C expander."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gpiozero import OutputDevice, PinPWMUnsupported

from hardware.animations import Levels
from hardware.power import Dimming, LampLoad

LED_MA = 3.0
"""The current of a LED with 470 Ω on 3.3 V, in milliamperes."""
PWM_HZ = 100
"""The PWM frequency of a dimmed LED: too fast to be seen."""
IDLE_PWM_HZ = 20
"""The PWM frequency of a LED that is dark or fully on: there is nothing to be seen, and it takes less CPU."""


class Lamps(Protocol):
    """A row of lamps that are written together."""

    loads: tuple[LampLoad, ...]
    """The current of each lamp, one entry per lamp."""

    def write(self, levels: Sequence[float]) -> None:
        """Show one brightness per lamp."""

    def close(self) -> None:
        """Turn all lamps off and release the pins."""


class PinLamps:
    """One LED per GPIO pin, dimmed where the pins support PWM."""

    def __init__(self, pins: Sequence[int], *, led_ma: float = LED_MA, pin_factory: Any = None) -> None:
        self._leds: list[Any] = []
        try:
            for pin in pins:
                self._leds.append(OutputDevice(pin, pin_factory=pin_factory))
            kind = Dimming.PWM if all(map(_enable_pwm, self._leds)) else Dimming.ON_OFF
        except BaseException:
            self._release_pins()
            raise
        self.loads = (LampLoad(led_ma, kind),) * len(pins)
        self._shown: list[float] = [0.0] * len(pins)

    def write(self, levels: Sequence[float]) -> None:
        """Set the LEDs whose brightness has changed."""
        for index, level in enumerate(levels):
            duty = round(level, 2)
            if duty != self._shown[index]:
                _set_duty(self._leds[index].pin, duty)
                self._shown[index] = duty

    def close(self) -> None:
        """Turn all LEDs off and release the pins."""
        if self._leds:
            self.write((0.0,) * len(self._leds))
        self._release_pins()

    def _release_pins(self) -> None:
        for led in self._leds:
            led.close()
        self._leds = []


class RegisterLamps:
    """LEDs on a chain of 74HC595 shift registers, on or off. Output 0 is QA of the first chip."""

    def __init__(
        self,
        count: int,
        *,
        data: int,
        clock: int,
        latch: int,
        led_ma: float = LED_MA,
        pin_factory: Any = None,
    ) -> None:
        self._chips = -(-count // 8)
        self.loads = (LampLoad(led_ma, Dimming.ON_OFF),) * count
        self._pins: list[Any] = []
        try:
            for pin in (data, clock, latch):
                self._pins.append(OutputDevice(pin, pin_factory=pin_factory))
        except BaseException:
            self._release_pins()
            raise
        self._shown: tuple[bool, ...] | None = None
        self.write((0.0,) * count)

    def write(self, levels: Sequence[float]) -> None:
        """Shift out and latch all outputs if any of them has changed."""
        lit = tuple(level > 0 for level in levels)
        if lit == self._shown:
            return
        data, clock, latch = self._pins
        bits = lit + (False,) * (self._chips * 8 - len(lit))
        for bit in reversed(bits):  # the first bit ends up at the far end of the chain
            data.value = bit
            clock.on()
            clock.off()
        latch.on()
        latch.off()
        self._shown = lit

    def close(self) -> None:
        """Turn all LEDs off and release the pins."""
        if self._pins:
            self.write((0.0,) * len(self.loads))
        self._release_pins()

    def _release_pins(self) -> None:
        for pin in self._pins:
            pin.close()
        self._pins = []


class I2CChip(Protocol):
    """A chip on an I2C bus."""

    def write(self, register: int, value: int) -> None:
        """Set a register to a byte."""

    def close(self) -> None:
        """Release the bus."""


class ExpanderLamps:
    """LEDs on the sixteen outputs of an MCP23017 expander, on or off. Output 0 is GPA0, output 8 is GPB0."""

    _IODIR_REGISTER = 0x00
    _OLAT_REGISTER = 0x14

    def __init__(self, chip: I2CChip, *, led_ma: float = LED_MA) -> None:
        self.loads: tuple[LampLoad, ...] = (LampLoad(led_ma, Dimming.ON_OFF),) * 16
        self._chip: I2CChip | None = chip
        self._shown = [-1, -1]
        self.write((0.0,) * 16)
        for port in (0, 1):
            chip.write(self._IODIR_REGISTER + port, 0x00)

    def write(self, levels: Sequence[float]) -> None:
        """Set the ports that have changed."""
        if self._chip is None:
            return
        for port in (0, 1):
            eight = levels[port * 8 : port * 8 + 8]
            byte = sum(1 << index for index, level in enumerate(eight) if level > 0)
            if byte != self._shown[port]:
                self._chip.write(self._OLAT_REGISTER + port, byte)
                self._shown[port] = byte

    def close(self) -> None:
        """Turn all LEDs off and release the bus."""
        if self._chip is not None:
            self.write((0.0,) * 16)
            self._chip.close()
            self._chip = None


class LampRow:
    """Several rows of lamps joined into one."""

    def __init__(self, *parts: Lamps) -> None:
        self._parts = parts
        self.loads = tuple(load for part in parts for load in part.loads)

    def write(self, levels: Sequence[float]) -> None:
        """Show one brightness per lamp."""
        rest: Levels = tuple(levels)
        for part in self._parts:
            part.write(rest[: len(part.loads)])
            rest = rest[len(part.loads) :]

    def close(self) -> None:
        """Close all rows."""
        for part in self._parts:
            part.close()


def _enable_pwm(led: Any) -> bool:
    """Turn PWM on for a LED's pin and return whether the pin supports it."""
    try:
        led.pin.frequency = IDLE_PWM_HZ
    except PinPWMUnsupported:
        return False
    return True


def _set_duty(pin: Any, duty: float) -> None:
    """Set the PWM duty of *pin*, 0 to 1.

    PWM stays on at 0 and 1, too: if it ended, lgpio's thread could get stuck (see LgpioCoil). It then runs at a low
    frequency, because at the full one the LEDs of a board take 5 % of a core.
    """
    if pin.frequency is None:
        pin.state = bool(duty)
        return
    frequency = PWM_HZ if 0.0 < duty < 1.0 else IDLE_PWM_HZ
    if frequency != pin.frequency:
        pin.frequency = frequency
    pin.state = duty
