"""Push buttons by name: short and long presses, and some held together; what they are for is not known here."""

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
    """A button, or several by the name of their combination, was pressed."""

    name: str
    long: bool = False


class Buttons:
    """Buttons between a GPIO and ground.

    A short press is told when the button is let go, a long one as soon as it is long. Buttons of a combination that
    are held together tell nothing of their own; the combination is told when it has been held for its time.

    >>> buttons = Buttons({"yes": 5, "no": 6}, combinations={"shutdown": ("yes", "no")})
    >>> buttons.when_pressed = print
    """

    def __init__(
        self,
        pins: Mapping[str, int] | None = None,
        *,
        combinations: Mapping[str, tuple[str, ...]] | None = None,
        long_press: float = 0.8,
        combination_press: float = 3.0,
        settle: float = 0.02,
        timers: Timers | None = None,
        pin_factory: Any = None,
    ) -> None:
        """A contact counts when it has been still for *settle* seconds, a press as long after *long_press*."""
        self.when_pressed: Callable[[Press], None] | None = None
        """Called with each press, on a thread of the buttons."""
        self._long_press, self._combination_press, self._settle = long_press, combination_press, settle
        self._combinations = {name: frozenset(members) for name, members in (combinations or {}).items()}
        self._timers: Timers = ThreadTimers("buttons") if timers is None else timers
        self._own_timers = timers is None
        self._lock = threading.RLock()
        self._settling: dict[str, Timer] = {}
        self._held: dict[str, Timer] = {}
        self._spent: set[str] = set()
        self._together: dict[str, Timer] = {}
        self._closed = False
        self._names = tuple(pins or ())
        self._contacts = Contacts(pins or {}, self._touch, timers=self._timers, pin_factory=pin_factory)

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
        """What the buttons are called."""
        return self._names

    @property
    def value(self) -> frozenset[str]:
        """Which buttons are held just now."""
        return frozenset(self._held)

    def close(self) -> None:
        """Let go of the pins; a second time does nothing."""
        with self._lock:
            for timer in (*self._settling.values(), *self._held.values(), *self._together.values()):
                timer.cancel()
            self._closed = True
        self._contacts.close()
        if self._own_timers:
            self._timers.close()

    def _touch(self, name: str) -> None:
        """Look at a contact again when it has been still for a moment."""
        with self._lock:
            if name in self._settling:
                self._settling[name].cancel()
            self._settling[name] = self._timers.after(self._settle, partial(self._look, name))

    def _look(self, name: str) -> None:
        with self._lock:
            is_down = self._contacts.is_closed(name)
            if self._closed or is_down == (name in self._held):
                return
            if is_down:
                self._down(name)
                return
            press = self._up(name)
        self._tell(press)

    def _down(self, name: str) -> None:
        self._held[name] = self._timers.after(self._long_press, partial(self._grow_long, name))
        for combination, members in self._combinations.items():
            if name in members and members <= self._held.keys():
                self._spent |= members
                self._together[combination] = self._timers.after(
                    self._combination_press, partial(self._complete, combination)
                )

    def _up(self, name: str) -> Press | None:
        self._held.pop(name).cancel()
        for combination, members in self._combinations.items():
            if name in members and combination in self._together:
                self._together.pop(combination).cancel()
        if name in self._spent:
            self._spent.discard(name)
            return None
        return Press(name)

    def _grow_long(self, name: str) -> None:
        with self._lock:
            if name not in self._held or name in self._spent:
                return
            self._spent.add(name)
        self._tell(Press(name, long=True))

    def _complete(self, combination: str) -> None:
        with self._lock:
            if self._together.pop(combination, None) is None:
                return
        self._tell(Press(combination, long=True))

    def _tell(self, press: Press | None) -> None:
        if press is not None and self.when_pressed is not None:
            self.when_pressed(press)
