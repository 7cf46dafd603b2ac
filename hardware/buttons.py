"""Push buttons by name: short presses, long presses and combinations held together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Self

from hardware.contacts import Contacts
from hardware.timers import ThreadTimers, Timer, Timers


@dataclass(frozen=True, slots=True)
class Press:
    """A press of a button, or of a combination of buttons by its name."""

    name: str
    long: bool = False


class Buttons:
    """Buttons between a GPIO pin and ground.

    A short press is reported on release, a long one as soon as it is long enough. While all buttons of a combination
    are held they report nothing of their own; the combination is reported when it has been held long enough. Buttons
    that are to be held report when they are pressed and when they are let go of, and nothing else.

    >>> buttons = Buttons({"yes": 5, "no": 6}, combinations={"shutdown": ("yes", "no")})
    >>> buttons.when_pressed = print
    """

    def __init__(
        self,
        pins: Mapping[str, int] | None = None,
        *,
        combinations: Mapping[str, tuple[str, ...]] | None = None,
        to_hold: tuple[str, ...] = (),
        long_press_s: float = 0.8,
        combination_press_s: float = 3.0,
        debounce_s: float = 0.02,
        timers: Timers | None = None,
        pin_factory: Any = None,
    ) -> None:
        """Ignore changes shorter than *debounce_s*; a press is long after *long_press_s*. All times are in seconds."""
        self.when_pressed: Callable[[Press], None] | None = None
        """Called with each press, on a timer thread."""
        self.when_held: Callable[[str, bool], None] | None = None
        """Called with the name of a button that is to be held, and whether it is held now, on a timer thread."""
        self._to_hold = frozenset(to_hold)
        self._long_press_s, self._combination_press_s, self._debounce_s = long_press_s, combination_press_s, debounce_s
        self._combinations = {name: frozenset(members) for name, members in (combinations or {}).items()}
        self._timers: Timers = ThreadTimers("buttons") if timers is None else timers
        self._own_timers = timers is None
        self._lock = threading.RLock()
        self._debouncing: dict[str, Timer] = {}
        self._held: dict[str, Timer] = {}
        self._consumed: set[str] = set()
        self._combination_timers: dict[str, Timer] = {}
        self._closed = False
        self._names = tuple(pins or ())
        self._contacts = Contacts(pins or {}, self._debounce, timers=self._timers, pin_factory=pin_factory)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Buttons {' '.join(self._names) or 'none'}; held: {' '.join(sorted(self.value)) or 'none'}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the buttons."""
        return self._names

    @property
    def value(self) -> frozenset[str]:
        """The names of the buttons that are held now."""
        return frozenset(self._held)

    def close(self) -> None:
        """Release the pins; safe to call twice."""
        with self._lock:
            for timer in (*self._debouncing.values(), *self._held.values(), *self._combination_timers.values()):
                timer.cancel()
            self._closed = True
        self._contacts.close()
        if self._own_timers:
            self._timers.close()

    def _debounce(self, name: str) -> None:
        """Read a contact once it has been still for the debounce time."""
        with self._lock:
            if name in self._debouncing:
                self._debouncing[name].cancel()
            self._debouncing[name] = self._timers.after(self._debounce_s, partial(self._update, name))

    def _update(self, name: str) -> None:
        with self._lock:
            is_down = self._contacts.is_closed(name)
            if self._closed or is_down == (name in self._held):
                return
            press = None
            if is_down:
                self._start_press(name)
            else:
                press = self._end_press(name)
        if name not in self._to_hold:
            self._report(press)
        elif self.when_held is not None:
            self.when_held(name, is_down)

    def _start_press(self, name: str) -> None:
        """Time the press, and that of a combination which is complete with it."""
        self._held[name] = self._timers.after(self._long_press_s, partial(self._report_long_press, name))
        for combination, members in self._combinations.items():
            if name in members and members <= self._held.keys():
                self._consumed |= members
                self._combination_timers[combination] = self._timers.after(
                    self._combination_press_s, partial(self._report_combination, combination)
                )

    def _end_press(self, name: str) -> Press | None:
        self._held.pop(name).cancel()
        for combination, members in self._combinations.items():
            if name in members and combination in self._combination_timers:
                self._combination_timers.pop(combination).cancel()
        if name in self._consumed:
            self._consumed.discard(name)
            return None
        return Press(name)

    def _report_long_press(self, name: str) -> None:
        with self._lock:
            if name not in self._held or name in self._consumed or name in self._to_hold:
                return
            self._consumed.add(name)
        self._report(Press(name, long=True))

    def _report_combination(self, combination: str) -> None:
        with self._lock:
            if self._combination_timers.pop(combination, None) is None:
                return
        self._report(Press(combination, long=True))

    def _report(self, press: Press | None) -> None:
        if press is not None and self.when_pressed is not None:
            self.when_pressed(press)
