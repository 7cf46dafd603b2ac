"""The main loop: takes signals from the inbox in order, and gives the cues that follow to the performer."""

import queue
from collections.abc import Callable, Iterable
from typing import Protocol

from seance.daemon.evening import Evening
from seance.daemon.signals import Signal, StepTold, Stop, Tick
from seance.narration.cues import Cue

TICK_S = 0.5
"""Seconds between two ticks while nothing else happens."""

Inbox = queue.SimpleQueue[Signal]


class Performer(Protocol):
    """Makes cues perceptible."""

    @property
    def is_busy(self) -> bool:
        """Whether anything is being performed."""

    def perform(self, cues: Iterable[Cue]) -> None:
        """Perform *cues*, without waiting for them."""

    def wait(self) -> object:
        """Wait until everything is performed."""


def run_evening(
    evening: Evening,
    inbox: Inbox,
    performer: Performer,
    *,
    clock: Callable[[], float],
    on_signal: Callable[[Signal], None] = lambda _: None,
    on_round: Callable[[], None] = lambda: None,
    on_change: Callable[[], None] = lambda: None,
) -> Stop:
    """Run *evening* until a Stop arrives, and return it.

    *on_signal* is given each signal before it is handled. *on_round* is called every round, at least once in
    TICK_S: a watchdog that misses it knows that the loop is stuck. *on_change* is called when anything may have
    changed; it must not block.
    """
    performer.perform(evening.open(clock()))
    on_change()
    last = clock()
    while True:
        on_round()
        try:
            signal: Signal = inbox.get(timeout=max(0.0, last + TICK_S - clock()))
        except queue.Empty:
            last = clock()
            signal = Tick(silent=not performer.is_busy)
        on_signal(signal)
        performer.perform(evening.receive(signal, clock()))
        on_change()
        if isinstance(signal, Stop):
            if signal.when_told:
                performer.wait()
            _handle_remaining_told_steps(evening, inbox, clock())
            return signal


def _handle_remaining_told_steps(evening: Evening, inbox: Inbox, now: float) -> None:
    while not inbox.empty():
        if isinstance(signal := inbox.get(), StepTold):
            evening.receive(signal, now)
