"""A solenoid that knocks rhythms on wood."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Any, Self

from hardware.coil import Coil, open_coil
from hardware.duty import DutyLimit, DutyLimiter
from hardware.exit_hooks import on_exit, on_stop
from hardware.rhythm import Beat, Rhythm
from hardware.timers import ThreadTimers, Timer, Timers

RHYTHM_PAUSE_S = 1.0
"""Seconds between two rhythms, so that two yeses in a row do not sound like a no."""

log = logging.getLogger(__name__)


class KnockerBusy(RuntimeError):
    """So many knocks are pending that the rhythm would come too late to be understood."""


class Knocker:
    """Plays rhythms one after another, and slows them down where the coil would get too hot.

    >>> knocker = Knocker(17)
    >>> knocker.play(NO)
    """

    def __init__(
        self,
        pin: int | None = None,
        *,
        duty: DutyLimit = DutyLimit(),  # noqa: B008 (frozen)
        max_delay_s: float = 15.0,
        timers: Timers | None = None,
        pin_factory: Any = None,
    ) -> None:
        """Refuse rhythms that cannot begin within *max_delay_s*; without a *pin* only `when_knocked` is called."""
        self.when_knocked: Callable[[Beat], None] | None = None
        """Called at each knock, on the knocker's own thread."""
        self.max_delay_s = max_delay_s
        self._pin = pin
        self._timers: Timers = ThreadTimers("knocker") if timers is None else timers
        self._own_timers = timers is None
        self._limiter = DutyLimiter(duty)
        self._lock = threading.RLock()
        self._pending: deque[Beat] = deque()
        self._next_knock: Timer | None = None
        self._generation = 0
        """Counts scheduled knocks, so that one that was cancelled too late is recognised."""
        self._pause_until = 0.0
        self._count = 0
        self._halted = False
        self._coil: Coil = open_coil(pin, timers=self._timers, pin_factory=pin_factory)
        self._unregister_exit_hook = on_exit(self.halt)
        self._unregister_stop_context = on_stop(self.coil_released)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        where = "without a coil" if self._pin is None else f"on GPIO {self._pin}"
        return f"<Knocker {where}, {'on' if self.value else 'off'}, {len(self._pending)} to come>"

    @property
    def value(self) -> bool:
        """Whether the coil is on."""
        return self._coil.value

    @property
    def count(self) -> int:
        """How many knocks have been played."""
        return self._count

    @property
    def pending(self) -> int:
        """How many knocks are still to be played."""
        return len(self._pending)

    def play(self, rhythm: Rhythm) -> float:
        """Queue *rhythm* and return in about how many seconds it ends; raise KnockerBusy if it would begin too late.

        It returns at once; a warm coil may take longer than announced.
        """
        with self._lock:
            if self._halted or not rhythm:
                return 0.0
            now = self._timers.now()
            begin_s = max(0.0, self._pause_until - now) + self._pending_s()
            if begin_s > self.max_delay_s:
                raise KnockerBusy(f"{len(self._pending)} knocks wait: these would begin in {begin_s:.0f} s")
            gap = rhythm[0].gap + (RHYTHM_PAUSE_S if self._pending else max(0.0, self._pause_until - now))
            self._pending.append(Beat(min(gap, 60.0), rhythm[0].force))
            self._pending.extend(rhythm[1:])
            if self._next_knock is None:
                self._schedule_knock(self._pending[0].gap)
            return self._pending_s() + rhythm[-1].pulse_s

    def cancel(self) -> None:
        """Drop the knocks that are still to be played."""
        with self._lock:
            self._pending.clear()
            self._generation += 1
            if self._next_knock is not None:
                self._next_knock.cancel()
                self._next_knock = None

    @contextmanager
    def coil_released(self) -> Iterator[None]:
        """Let the coil go, and hold back all knocks that are still to be played, as long as the context lasts."""
        with self._lock:
            self._coil.settle()
            yield

    def halt(self) -> None:
        """Switch the coil off and ignore all further rhythms, for the end of a program."""
        with self._lock:
            self._halted = True
            self.cancel()
            self._coil.halt()

    def close(self) -> None:
        """Switch the coil off and release the pin; safe to call twice."""
        with self._lock:
            self.halt()
            self._coil.close()
        self._unregister_exit_hook()
        self._unregister_stop_context()
        if self._own_timers:
            self._timers.close()

    def _pending_s(self) -> float:
        """Return about how many seconds the pending knocks take, by their gaps or by the duty limit."""
        limit = self._limiter.limit
        excess_s = sum(beat.pulse_s for beat in self._pending) - limit.max_on_s
        return max(sum(beat.gap for beat in self._pending), excess_s / limit.share)

    def _schedule_knock(self, seconds: float) -> None:
        self._generation += 1
        self._next_knock = self._timers.after(seconds, partial(self._knock, self._generation))

    def _knock(self, generation: int) -> None:
        """Knock once, or try again later if the duty limit demands it; a cancelled *generation* is ignored."""
        with self._lock:
            if generation != self._generation or not self._pending:
                return
            self._next_knock = None
            now = self._timers.now()
            beat = self._pending[0]
            delay_s = self._limiter.delay(now, beat.pulse_s)
            if delay_s > 0:
                log.info("the coil is warm: the next knock waits %.1f s", delay_s)
                self._schedule_knock(delay_s)
                return
            self._pending.popleft()
            self._limiter.add(now, beat.pulse_s)
            self._pause_until = now + RHYTHM_PAUSE_S
            self._count += 1
            if self._pending:
                self._schedule_knock(self._pending[0].gap)
            self._coil.pulse(beat.pulse_s)
        if self.when_knocked is not None:
            self.when_knocked(beat)
