"""A switch that asks for silence of the microphone, and a LED that shows whether it was obeyed; it mutes nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from gpiozero import LED

from hardware.contacts import Contacts
from hardware.timers import ThreadTimers, Timer, Timers

BLINK = 0.25
"""Seconds on, and off, while switch and microphone disagree."""


class Mute:
    """The switch is a wish; `show` is what whoever holds the microphone calls with the truth.

    The LED is on while nothing is heard, off while something is, and blinks while that is not what the switch says.

    >>> mute = Mute(5, led=6)
    >>> mute.when_switched = lambda wanted: mute.show(wanted)
    """

    def __init__(
        self,
        switch: int | None = None,
        *,
        led: int | None = None,
        settle: float = 0.02,
        timers: Timers | None = None,
        pin_factory: Any = None,
    ) -> None:
        self.when_switched: Callable[[bool], None] | None = None
        """Called with the wish at each turn of the switch, on a thread of it."""
        self._settle = settle
        self._timers: Timers = ThreadTimers("mute") if timers is None else timers
        self._own_timers = timers is None
        self._lock = threading.RLock()
        self._muted = False
        self._settling: Timer | None = None
        self._blinking: Timer | None = None
        self._has_switch = switch is not None
        self._led: Any = None if led is None else LED(led, pin_factory=pin_factory)
        try:
            pins = {} if switch is None else {"switch": switch}
            self._contacts = Contacts(pins, self._touch, timers=self._timers, pin_factory=pin_factory)
        except BaseException:
            if self._led is not None:
                self._led.close()
            raise
        self._wanted = self._contacts.is_closed("switch")
        self._light()

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
        """Whether the microphone is muted, as far as was shown."""
        return self._muted

    @property
    def wanted(self) -> bool:
        """What the switch says."""
        return self._wanted

    @property
    def led(self) -> bool:
        """Whether the LED is lit just now."""
        return self._led is not None and bool(self._led.value)

    def show(self, muted: bool) -> None:
        """Show what is true of the microphone now."""
        with self._lock:
            self._muted = muted
            self._light()

    def close(self) -> None:
        """Let go of the pins; a second time does nothing."""
        with self._lock:
            for timer in (self._settling, self._blinking):
                if timer is not None:
                    timer.cancel()
            led, self._led = self._led, None
        self._contacts.close()
        if led is not None:
            led.close()
        if self._own_timers:
            self._timers.close()

    def _touch(self, _: str) -> None:
        with self._lock:
            if self._settling is not None:
                self._settling.cancel()
            self._settling = self._timers.after(self._settle, self._look)

    def _look(self) -> None:
        with self._lock:
            wanted = self._contacts.is_closed("switch")
            if wanted == self._wanted:
                return
            self._wanted = wanted
            self._light()
        if self.when_switched is not None:
            self.when_switched(wanted)

    def _light(self) -> None:
        """Let the LED say how it stands: steadily where all agree."""
        if self._blinking is not None:
            self._blinking.cancel()
            self._blinking = None
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
                self._blinking = self._timers.after(BLINK, self._blink)
