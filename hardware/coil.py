"""The solenoid's coil: pulses that end by themselves.

On a Pi this calls lgpio directly, beneath gpiozero: lgpio's own thread plays the pulse, so that it ends even while
Python is stuck. On any other pins a timer ends it, started before the pin is driven.
"""

from __future__ import annotations

import threading
import time
from typing import Any, Protocol

from gpiozero import OutputDevice

from hardware.pins import is_lgpio
from hardware.timers import Timers

MAX_PULSE_S = 0.2
"""The longest pulse that a coil accepts, in seconds."""
_MARGIN_S = 0.05
_POLL_S = 0.005
_STEP_US = 20_000
"""The period of lgpio's thread in microseconds; a pulse is padded to whole periods, which keeps gaps exact."""


class Coil(Protocol):
    """A coil that is switched on in short pulses."""

    @property
    def value(self) -> bool:
        """Whether it is on."""

    def pulse(self, seconds: float) -> None:
        """Switch on for *seconds*, without waiting for the end."""

    def settle(self) -> None:
        """Wait for the end of a pulse, and make sure that it is off; there must be no new pulse meanwhile."""

    def halt(self) -> None:
        """Switch off and ignore all further pulses."""

    def close(self) -> None:
        """Switch off and release the pin."""


class NoCoil:
    """Stands in where a board has no coil."""

    value = False

    def pulse(self, seconds: float) -> None:
        """Do nothing."""

    def settle(self) -> None:
        """Do nothing."""

    def halt(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class TimedCoil:
    """A coil on any pin of gpiozero, with a timer that ends each pulse."""

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
        """Switch on for *seconds*; ignored while it is on."""
        _check_pulse(seconds)
        with self._lock:  # `_off` takes it too, so that the end cannot overtake the beginning
            if self._halted or self.value:
                return
            self._timers.after(seconds, self._off)
            self._device.on()

    def settle(self) -> None:
        """Wait for the end of a pulse, for a moment longer than any lasts, and switch off in any case."""
        deadline = time.monotonic() + MAX_PULSE_S + _MARGIN_S
        while self.value and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        self._off()

    def halt(self) -> None:
        """Switch off and ignore all further pulses."""
        with self._lock:
            self._halted = True
            self._off()

    def close(self) -> None:
        """Switch off and release the pin; safe to call twice."""
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

    The pin stays in that thread's list for good, mostly playing low. Leaving the list after each pulse would sooner or
    later hang the thread (lgpio 0.2.2, lgPthTx.c): when it drops a pin it skips the others for one step, computes a
    wake-up time in the past, and if that lies before the current whole second it asks, over and over, for an invalid
    time.
    """

    def __init__(self, pin: int, *, pin_factory: Any) -> None:
        import lgpio  # installed on a Pi only

        self._lgpio: Any = lgpio
        self._pin = pin
        self._lock = threading.RLock()
        self._halted = False
        self._pulses_end = 0.0
        """The monotonic time in seconds at which the last pulse is over."""
        self._device: Any = OutputDevice(pin, initial_value=False, pin_factory=pin_factory)
        self._play_low()

    @property
    def value(self) -> bool:
        """Whether it is on."""
        return self._device is not None and bool(self._device.value)

    def pulse(self, seconds: float) -> None:
        """Switch on for *seconds*, within the next 20 ms or after the pulse that is under way."""
        _check_pulse(seconds)
        on_us = round(seconds * 1e6)
        off_us = -on_us % _STEP_US + _STEP_US
        with self._lock:
            if not self._halted:
                self._lgpio.tx_pulse(self._chip, self._pin, on_us, off_us, 0, 1)
                self._play_low()
                began = max(time.monotonic(), self._pulses_end)
                self._pulses_end = began + (on_us + off_us + _STEP_US) / 1e6

    def settle(self) -> None:
        """Wait until lgpio has played all pulses, and switch off in any case.

        A pulse that has not begun cannot be called back without dropping the pin from the list of lgpio's thread.
        """
        time.sleep(max(0.0, self._pulses_end - time.monotonic()))
        with self._lock:
            if self._device is not None:
                self._device.off()

    def halt(self) -> None:
        """Switch off and ignore all further pulses."""
        with self._lock:
            self._halted = True
            if self._device is not None:
                self._device.off()
                # lgpio drops a pulse that has not begun only when the line is freed.
                self._lgpio.gpio_free(self._chip, self._pin)
                self._lgpio.gpio_claim_output(self._chip, self._pin, 0)

    def close(self) -> None:
        """Switch off and release the pin; safe to call twice."""
        with self._lock:
            self.halt()
            if self._device is not None:
                self._device.close()
                self._device = None

    def _play_low(self) -> None:
        """Play low, step after step, once all queued pulses are over."""
        self._lgpio.tx_pulse(self._chip, self._pin, 0, _STEP_US)

    @property
    def _chip(self) -> int:
        chip: int = self._device.pin_factory._handle  # gpiozero has no public access to it
        return chip


def open_coil(pin: int | None, *, timers: Timers, pin_factory: Any = None) -> Coil:
    """Return the coil on *pin*, switched off; NoCoil if *pin* is None."""
    if pin is None:
        return NoCoil()
    if is_lgpio(pin_factory):
        return LgpioCoil(pin, pin_factory=pin_factory)
    return TimedCoil(pin, timers=timers, pin_factory=pin_factory)


def _check_pulse(seconds: float) -> None:
    if not 0 < seconds <= MAX_PULSE_S:
        raise ValueError(f"a pulse of {seconds} s: a coil is on for at most {MAX_PULSE_S} s")
