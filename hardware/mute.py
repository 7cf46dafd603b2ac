"""The mute switch, and the LED that shows whether the microphone really is muted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from gpiozero import LED

from hardware.contacts import Contacts
from hardware.timers import ThreadTimers, Timer, Timers

BLINK_S = 0.25
"""Seconds on, and seconds off, while the switch and the microphone disagree."""


class Mute:
    """A switch that asks for the microphone to be muted, and a LED that shows what `show` was told of the microphone.

    The LED is on while the microphone is muted, off while it is open, and blinks while that differs from the switch.

    >>> mute = Mute(5, led=6)
    >>> mute.when_switched = lambda wanted: mute.show(wanted)
    """

    def __init__(
        self,
        switch: int | None = None,
        *,
        led: int | None = None,
        debounce_s: float = 0.02,
        timers: Timers | None = None,
        pin_factory: Any = None,
    ) -> None:
        self.when_switched: Callable[[bool], None] | None = None
        """Called with the new position of the switch (True for muted), on a timer thread."""
        self._debounce_s = debounce_s
        self._timers: Timers = ThreadTimers("mute") if timers is None else timers
        self._own_timers = timers is None
        self._lock = threading.RLock()
        self._muted = False
        self._debouncing: Timer | None = None
        self._next_blink: Timer | None = None
        self._has_switch = switch is not None
        self._led: Any = None if led is None else LED(led, pin_factory=pin_factory)
        try:
            pins = {} if switch is None else {"switch": switch}
            self._contacts = Contacts(pins, self._debounce, timers=self._timers, pin_factory=pin_factory)
        except BaseException:
            if self._led is not None:
                self._led.close()
            raise
        self._wanted = self._contacts.is_closed("switch")
        self._update_led()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Mute: wanted {'muted' if self._wanted else 'open'}, is {'muted' if self._muted else 'open'}>"

    @property
    def value(self) -> bool:
        """Whether the microphone is muted, as `show` was last told."""
        return self._muted

    @property
    def wanted(self) -> bool:
        """Whether the switch asks for mute."""
        return self._wanted

    @property
    def led(self) -> bool:
        """Whether the LED is lit now."""
        return self._led is not None and bool(self._led.value)

    def show(self, muted: bool) -> None:
        """Show that the microphone is *muted* or open."""
        with self._lock:
            self._muted = muted
            self._update_led()

    def close(self) -> None:
        """Release the pins; safe to call twice."""
        with self._lock:
            for timer in (self._debouncing, self._next_blink):
                if timer is not None:
                    timer.cancel()
            led, self._led = self._led, None
        self._contacts.close()
        if led is not None:
            led.close()
        if self._own_timers:
            self._timers.close()

    def _debounce(self, _: str) -> None:
        """Read the switch once it has been still for the debounce time."""
        with self._lock:
            if self._debouncing is not None:
                self._debouncing.cancel()
            self._debouncing = self._timers.after(self._debounce_s, self._update)

    def _update(self) -> None:
        with self._lock:
            wanted = self._contacts.is_closed("switch")
            if wanted == self._wanted:
                return
            self._wanted = wanted
            self._update_led()
        if self.when_switched is not None:
            self.when_switched(wanted)

    def _update_led(self) -> None:
        """Light the LED steadily where switch and microphone agree, else let it blink."""
        if self._next_blink is not None:
            self._next_blink.cancel()
            self._next_blink = None
        if self._led is None:
            return
        if not self._has_switch or self._wanted == self._muted:
            self._led.value = self._muted
        else:
            self._blink()

    def _blink(self) -> None:
        with self._lock:
            if self._led is not None:
                self._led.toggle()
                self._next_blink = self._timers.after(BLINK_S, self._blink)
