"""A solenoid that knocks rhythms on wood; what a knock means is not known here."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Any, Self

from hardware.coil import Coil, coil_on
from hardware.exit_hooks import on_exit
from hardware.rhythm import Beat, Duty, Rhythm, Warmth
from hardware.timers import ThreadTimers, Timer, Timers

PAUSE = 1.0
"""Seconds between two rhythms, so that one yes after another is not a no."""

log = logging.getLogger(__name__)


class KnockerBusy(RuntimeError):
    """So many knocks wait already that this rhythm would come too late to mean anything."""


class Knocker:
    """Plays rhythms one after another; a coil that would get too hot is given time, and so the rhythm is spaced.

    >>> knocker = Knocker(17)
    >>> knocker.play(NO)
    """

    def __init__(
        self,
        pin: int | None = None,
        *,
        duty: Duty = Duty(),  # noqa: B008 (frozen)
        patience: float = 15.0,
        timers: Timers | None = None,
        pin_factory: Any = None,
    ) -> None:
        """Refuse a rhythm that cannot begin within *patience* seconds; without a *pin*, knocks are only told."""
        self.when_knocked: Callable[[Beat], None] | None = None
        """Called at each knock on the knocker's own thread, so that it can be heard where there is no coil."""
        self.patience = patience
        self._pin = pin
        self._timers: Timers = ThreadTimers("knocker") if timers is None else timers
        self._own_timers = timers is None
        self._warmth = Warmth(duty)
        self._lock = threading.RLock()
        self._waiting: deque[Beat] = deque()
        self._next: Timer | None = None
        self._turn = 0
        self._free_at = 0.0
        self._count = 0
        self._halted = False
        self._coil: Coil = coil_on(pin, timers=self._timers, pin_factory=pin_factory)
        self._stay = on_exit(self.halt)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        where = "without a coil" if self._pin is None else f"on GPIO {self._pin}"
        return f"<Knocker {where}, {'on' if self.value else 'off'}, {len(self._waiting)} to come>"

    @property
    def value(self) -> bool:
        """Whether the coil is on."""
        return self._coil.value

    @property
    def count(self) -> int:
        """How many knocks there were so far."""
        return self._count

    @property
    def waiting(self) -> int:
        """How many knocks are still to come."""
        return len(self._waiting)

    def play(self, rhythm: Rhythm) -> float:
        """Knock *rhythm* after those that are under way and return in how many seconds it ends, or raise KnockerBusy.

        It does not wait for the knocks; a warm coil may take longer.
        """
        with self._lock:
            if self._halted or not rhythm:
                return 0.0
            now = self._timers.now()
            begin = max(0.0, self._free_at - now) + self._delay()
            if begin > self.patience:
                raise KnockerBusy(f"{len(self._waiting)} knocks wait: these would begin in {begin:.0f} s")
            gap = rhythm[0].gap + (PAUSE if self._waiting else max(0.0, self._free_at - now))
            self._waiting.append(Beat(min(gap, 60.0), rhythm[0].force))
            self._waiting.extend(rhythm[1:])
            if self._next is None:
                self._come_back(self._waiting[0].gap)
            return self._delay() + rhythm[-1].pulse

    def silence(self) -> None:
        """Forget the knocks that are still to come."""
        with self._lock:
            self._waiting.clear()
            self._turn += 1
            if self._next is not None:
                self._next.cancel()
                self._next = None

    def halt(self) -> None:
        """Be off, and knock never again: for the end of a program."""
        with self._lock:
            self._halted = True
            self.silence()
            self._coil.halt()

    def close(self) -> None:
        """Be off and let go of the pin; a second time does nothing."""
        with self._lock:
            self.halt()
            self._coil.close()
        self._stay()
        if self._own_timers:
            self._timers.close()

    def _delay(self) -> float:
        """Return about how many seconds the knocks that wait will take, by their gaps or by their heat."""
        duty = self._warmth.duty
        heat = sum(beat.pulse for beat in self._waiting) - duty.allowed
        return max(sum(beat.gap for beat in self._waiting), heat / duty.share)

    def _come_back(self, seconds: float) -> None:
        self._turn += 1
        self._next = self._timers.after(seconds, partial(self._strike, self._turn))

    def _strike(self, turn: int) -> None:
        """Knock once if the coil is cool enough, else come back when it is; a *turn* that was silenced is void."""
        with self._lock:
            if turn != self._turn or not self._waiting:
                return
            self._next = None
            now = self._timers.now()
            beat = self._waiting[0]
            wait = self._warmth.wait(now, beat.pulse)
            if wait > 0:
                log.info("the coil is warm: the next knock waits %.1f s", wait)
                self._come_back(wait)
                return
            self._waiting.popleft()
            self._warmth.add(now, beat.pulse)
            self._free_at = now + PAUSE
            self._count += 1
            if self._waiting:
                self._come_back(self._waiting[0].gap)
            self._coil.pulse(beat.pulse)
        if self.when_knocked is not None:
            self.when_knocked(beat)
