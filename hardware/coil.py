"""The coil's pin: pulses that end by themselves; when and how often is decided elsewhere.

This is the one place beneath gpiozero: on a Pi lgpio's own thread plays the pulse, so it ends even while Python is
stuck. Anything else has a timer of its own, armed before the pin is driven.
"""

from __future__ import annotations

import threading
from typing import Any, Protocol

from gpiozero import OutputDevice

from hardware.pins import is_lgpio
from hardware.rhythm import NEVER_LONGER
from hardware.timers import Timers

_STEP = 20_000
"""Microseconds at which lgpio's thread wakes; pulses of whole steps keep its pace, and so two knocks their distance."""


class Coil(Protocol):
    """Something that is on for a moment."""

    @property
    def value(self) -> bool:
        """Whether it is on."""

    def pulse(self, seconds: float) -> None:
        """Be on for *seconds*, without waiting for the end."""

    def halt(self) -> None:
        """Be off, and on never again."""

    def close(self) -> None:
        """Be off and let go of the pin."""


class NoCoil:
    """No coil at all: knocks are only told."""

    value = False

    def pulse(self, seconds: float) -> None:
        """Do nothing."""

    def halt(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class TimedCoil:
    """A coil on any pin of gpiozero; a timer ends each pulse."""

    def __init__(self, pin: int, *, timers: Timers, pin_factory: Any = None) -> None:
        self._timers = timers
        self._lock = threading.RLock()
        self._halted = False
        self._device: Any = OutputDevice(pin, initial_value=False, pin_factory=pin_factory)

    @property
    def value(self) -> bool:
        """Whether it is on."""
        return self._device is not None and bool(self._device.value)

    def pulse(self, seconds: float) -> None:
        """Be on for *seconds*; while it is on, nothing is added."""
        _check(seconds)
        with self._lock:  # the end takes it too, and so cannot come before the beginning
            if self._halted or self.value:
                return
            self._timers.after(seconds, self._off)
            self._device.on()

    def halt(self) -> None:
        """Be off, and on never again."""
        with self._lock:
            self._halted = True
            self._off()

    def close(self) -> None:
        """Be off and let go of the pin; a second time does nothing."""
        with self._lock:
            self.halt()
            if self._device is not None:
                self._device.close()
                self._device = None

    def _off(self) -> None:
        with self._lock:
            if self._device is not None:
                self._device.off()


class LgpioCoil:
    """A coil on a pin of lgpio, whose own thread ends each pulse.

    The thread plays to this pin all the time, and mostly nothing. Were it to end with each pulse, it would soon be
    stuck for good: where it forgets one pin it overlooks the others for a step, sets out to wake before now, and if
    that is before the whole second, too, asks for a time that there is not, over and over (lgpio 0.2.2, lgPthTx.c).
    """

    def __init__(self, pin: int, *, pin_factory: Any) -> None:
        import lgpio  # only a Pi has it

        self._lgpio: Any = lgpio
        self._pin = pin
        self._lock = threading.RLock()
        self._halted = False
        self._device: Any = OutputDevice(pin, initial_value=False, pin_factory=pin_factory)
        self._rest()

    @property
    def value(self) -> bool:
        """Whether it is on."""
        return self._device is not None and bool(self._device.value)

    def pulse(self, seconds: float) -> None:
        """Be on for *seconds* within the next 20 ms, or after the pulse that is under way."""
        _check(seconds)
        on = round(seconds * 1e6)
        off = -on % _STEP + _STEP
        with self._lock:
            if not self._halted:
                self._lgpio.tx_pulse(self._chip, self._pin, on, off, 0, 1)
                self._rest()

    def halt(self) -> None:
        """Be off, and on never again."""
        with self._lock:
            self._halted = True
            if self._device is not None:
                self._device.off()
                # A pulse that has not begun is forgotten only with the line.
                self._lgpio.gpio_free(self._chip, self._pin)
                self._lgpio.gpio_claim_output(self._chip, self._pin, 0)

    def close(self) -> None:
        """Be off and let go of the pin; a second time does nothing."""
        with self._lock:
            self.halt()
            if self._device is not None:
                self._device.close()
                self._device = None

    def _rest(self) -> None:
        """Be off, step by step, from when all that was asked for is over."""
        self._lgpio.tx_pulse(self._chip, self._pin, 0, _STEP)

    @property
    def _chip(self) -> int:
        chip: int = self._device.pin_factory._handle  # gpiozero has no other way to it
        return chip


def coil_on(pin: int | None, *, timers: Timers, pin_factory: Any = None) -> Coil:
    """Return the coil on *pin*, off; no coil without a pin."""
    if pin is None:
        return NoCoil()
    if is_lgpio(pin_factory):
        return LgpioCoil(pin, pin_factory=pin_factory)
    return TimedCoil(pin, timers=timers, pin_factory=pin_factory)


def _check(seconds: float) -> None:
    if not 0 < seconds <= NEVER_LONGER:
        raise ValueError(f"a pulse of {seconds} s: a coil is on for at most {NEVER_LONGER} s")
