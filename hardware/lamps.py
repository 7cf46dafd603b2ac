"""Lamps on copper: pins of their own, a shift register, an expander; what they show is decided elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gpiozero import OutputDevice, PinPWMUnsupported

from hardware.power import Draw, Kind
from hardware.scenes import Levels

LED_MILLIAMPERES = 3.0
"""Of a LED with 470 Ω on 3.3 V."""


PULSES = 100
"""A second, of a LED that is dimmed: too fast to be seen."""
RESTING = 20
"""A second, of one that is dark or full: nothing is to be seen of them, and they cost little."""


class Lamps(Protocol):
    """Some lamps in a row that are written together."""

    draws: tuple[Draw, ...]
    """What each lamp draws; there are as many lamps."""

    def write(self, levels: Sequence[float]) -> None:
        """Show one brightness per lamp."""

    def close(self) -> None:
        """Let all be dark and let go of the pins."""


class PinLamps:
    """One LED per GPIO, dimmed where the pins can do it."""

    def __init__(self, pins: Sequence[int], *, milliamperes: float = LED_MILLIAMPERES, pin_factory: Any = None) -> None:
        self._leds: list[Any] = []
        try:
            for pin in pins:
                self._leds.append(OutputDevice(pin, pin_factory=pin_factory))
            kind = Kind.PULSED if all(map(_dims, self._leds)) else Kind.SWITCHED
        except BaseException:
            self._let_go()
            raise
        self.draws = (Draw(milliamperes, kind),) * len(pins)
        self._shown: list[float] = [0.0] * len(pins)

    def write(self, levels: Sequence[float]) -> None:
        """Set the LEDs that change."""
        for place, level in enumerate(levels):
            duty = round(level, 2)
            if duty != self._shown[place]:
                _shine(self._leds[place].pin, duty)
                self._shown[place] = duty

    def close(self) -> None:
        """Let all be dark and let go of the pins."""
        if self._leds:
            self.write((0.0,) * len(self._leds))
        self._let_go()

    def _let_go(self) -> None:
        for led in self._leds:
            led.close()
        self._leds = []


class RegisterLamps:
    """LEDs on 74HC595 shift registers in a chain, on three GPIO; on or off. Output 0 is QA of the first chip."""

    def __init__(
        self,
        outputs: int,
        *,
        data: int,
        clock: int,
        latch: int,
        milliamperes: float = LED_MILLIAMPERES,
        pin_factory: Any = None,
    ) -> None:
        self._chips = -(-outputs // 8)
        self.draws = (Draw(milliamperes, Kind.SWITCHED),) * outputs
        self._pins: list[Any] = []
        try:
            for pin in (data, clock, latch):
                self._pins.append(OutputDevice(pin, pin_factory=pin_factory))
        except BaseException:
            self._let_go()
            raise
        self._shown: tuple[bool, ...] | None = None
        self.write((0.0,) * outputs)

    def write(self, levels: Sequence[float]) -> None:
        """Shift all outputs out, if one of them changes, and show them at once."""
        lit = tuple(level > 0 for level in levels)
        if lit == self._shown:
            return
        data, clock, latch = self._pins
        bits = lit + (False,) * (self._chips * 8 - len(lit))
        for bit in reversed(bits):  # what is shifted first travels farthest
            data.value = bit
            clock.on()
            clock.off()
        latch.on()
        latch.off()
        self._shown = lit

    def close(self) -> None:
        """Let all be dark and let go of the pins."""
        if self._pins:
            self.write((0.0,) * len(self.draws))
        self._let_go()

    def _let_go(self) -> None:
        for pin in self._pins:
            pin.close()
        self._pins = []


class I2CChip(Protocol):
    """A chip on an I2C bus."""

    def write(self, register: int, value: int) -> None:
        """Set one register (a byte)."""

    def close(self) -> None:
        """Let go of the bus."""


class ExpanderLamps:
    """LEDs on the sixteen outputs of a MCP23017; on or off. Output 0 is GPA0, 8 is GPB0."""

    _DIRECTION, _LATCH = 0x00, 0x14

    def __init__(self, chip: I2CChip, *, milliamperes: float = LED_MILLIAMPERES) -> None:
        self.draws: tuple[Draw, ...] = (Draw(milliamperes, Kind.SWITCHED),) * 16
        self._chip: I2CChip | None = chip
        self._shown = [-1, -1]
        self.write((0.0,) * 16)
        for port in (0, 1):
            chip.write(self._DIRECTION + port, 0x00)

    def write(self, levels: Sequence[float]) -> None:
        """Set the ports that change."""
        if self._chip is None:
            return
        for port in (0, 1):
            eight = levels[port * 8 : port * 8 + 8]
            byte = sum(1 << place for place, level in enumerate(eight) if level > 0)
            if byte != self._shown[port]:
                self._chip.write(self._LATCH + port, byte)
                self._shown[port] = byte

    def close(self) -> None:
        """Let all be dark and let go of the bus."""
        if self._chip is not None:
            self.write((0.0,) * 16)
            self._chip.close()
            self._chip = None


class LampRow:
    """Several kinds of lamps behind each other as one row."""

    def __init__(self, *parts: Lamps) -> None:
        self._parts = parts
        self.draws = tuple(draw for part in parts for draw in part.draws)

    def write(self, levels: Sequence[float]) -> None:
        """Show one brightness per lamp."""
        rest: Levels = tuple(levels)
        for part in self._parts:
            part.write(rest[: len(part.draws)])
            rest = rest[len(part.draws) :]

    def close(self) -> None:
        """Close all parts."""
        for part in self._parts:
            part.close()


def _dims(led: Any) -> bool:
    """Return whether a LED's pin can be pulsed, and let it be so from now on."""
    try:
        led.pin.frequency = RESTING
    except PinPWMUnsupported:
        return False
    return True


def _shine(pin: Any, duty: float) -> None:
    """Let *pin* be high for a share of the time.

    One that is dark or full is pulsed, too, or lgpio's thread would be stuck one day (see LgpioCoil), but seldom: at
    full pace all LEDs of a board take 5 % of a core.
    """
    if pin.frequency is None:
        pin.state = bool(duty)
        return
    pulses = PULSES if 0.0 < duty < 1.0 else RESTING
    if pulses != pin.frequency:
        pin.frequency = pulses
    pin.state = duty
