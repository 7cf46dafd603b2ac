"""The one loop that owns an evening: takes signals from the inbox in their order and gives cues to the performers."""

import queue
from collections.abc import Callable, Iterable
from typing import Protocol

from seance.daemon.evening import Evening
from seance.daemon.signals import Passed, Signal, Stop, Told
from seance.narration.cues import Cue

TICK = 0.5
"""Seconds after which the house looks at the clock when nothing else happens."""

Inbox = queue.SimpleQueue[Signal]


class Performers(Protocol):
    """Who makes cues perceptible."""

    @property
    def is_busy(self) -> bool:
        """Whether anything is being performed."""

    def perform(self, cues: Iterable[Cue]) -> None:
        """Perform *cues*, without waiting for them."""

    def wait(self) -> object:
        """Wait until all is performed."""


def hold(
    evening: Evening,
    inbox: Inbox,
    performers: Performers,
    *,
    clock: Callable[[], float],
    saw: Callable[[Signal], None] = lambda _: None,
    alive: Callable[[], None] = lambda: None,
    show: Callable[[], None] = lambda: None,
) -> Stop:
    """Hold *evening* until somebody stops it, and return how; *saw* is given each signal first.

    *alive* is called once a round, at least once in a tick: a watchdog that misses it knows that the loop is stuck.
    *show* is called when anything may have changed; it must not wait.
    """
    performers.perform(evening.open(clock()))
    show()
    last = clock()
    while True:
        alive()
        try:
            signal: Signal = inbox.get(timeout=max(0.0, last + TICK - clock()))
        except queue.Empty:
            last = clock()
            signal = Passed(silent=not performers.is_busy)
        saw(signal)
        performers.perform(evening.receive(signal, clock()))
        show()
        if isinstance(signal, Stop):
            if signal.when_told:
                performers.wait()
            _remember_what_was_told(evening, inbox, clock())
            return signal


def _remember_what_was_told(evening: Evening, inbox: Inbox, now: float) -> None:
    while not inbox.empty():
        if isinstance(signal := inbox.get(), Told):
            evening.receive(signal, now)
