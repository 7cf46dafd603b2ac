"""The main loop, with a fake clock and a fake performer."""

from dataclasses import dataclass, field

import pytest

from seance.daemon.evening import Evening
from seance.daemon.loop import TICK_S, Inbox, run_evening
from seance.daemon.signals import FaultReport, GhostCommand, Signal, StepTold, Stop, Tick, Typed
from seance.dialogue.faults import Fault
from seance.journal import Journal
from seance.narration.cues import Cue, Mark
from seance.rules import LIBELLUD, Abandon, Begin
from tests.daemon.evenings import evening_context, keys, of

MANY = 1000
"""Rounds after which a loop does not end."""


@dataclass
class FakePerformer:
    """Notes what is to be performed."""

    cues: list[Cue] = field(default_factory=list)
    is_busy: bool = False

    def perform(self, cues) -> None:
        self.cues += cues

    def wait(self) -> None:
        """Nothing takes any time."""


@dataclass
class Clock:
    """A clock that advances by a step each time it is read."""

    step: float = TICK_S
    now: float = 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@dataclass
class Log:
    """Keeps every signal, and stops the evening after so many."""

    inbox: Inbox
    at_most: int = MANY
    seen: list[Signal] = field(default_factory=list)

    def __call__(self, signal: Signal) -> None:
        self.seen.append(signal)
        if len(self.seen) == self.at_most:
            self.inbox.put(Stop())


@pytest.fixture
def evening(tmp_path) -> Evening:
    return Evening(evening_context(tmp_path / "nights.sqlite"))


def run(evening, *signals: Signal, busy: bool = False, rounds: int = MANY) -> tuple[list[Signal], FakePerformer]:
    """Run *evening* with *signals* in the inbox, and return the signals it handled and its performer."""
    inbox, performer = Inbox(), FakePerformer(is_busy=busy)
    log = Log(inbox, rounds)
    for signal in signals:
        inbox.put(signal)
    run_evening(evening, inbox, performer, clock=Clock(), on_signal=log)
    return log.seen, performer


def test_the_evening_is_opened_first(evening):
    _, performer = run(evening, Stop())
    assert keys(performer.cues) == ["reply.welcome"]


def test_signals_are_taken_in_their_order_and_stop_ends_it(evening):
    signals = Typed("begin the séance"), FaultReport(Fault.CLOCK_JUMPED), Stop(), Typed("we are five")
    seen, performer = run(evening, *signals)
    assert seen == list(signals[:3])
    assert keys(performer.cues)[-1] == "trouble.clock_jumped"


def test_what_was_told_before_the_end_is_not_told_again(tmp_path):
    class Telling(FakePerformer):
        def wait(self) -> None:
            for mark in of(self.cues, Mark):
                inbox.put(StepTold(mark.night, mark.step))

    inbox, path = Inbox(), tmp_path / "nights.sqlite"
    night = Begin(edition=LIBELLUD, players=4, level="easy", seed=1)
    for signal in (GhostCommand(night), GhostCommand(Abandon()), Stop(when_told=True)):
        inbox.put(signal)
    with Journal.open(path) as journal:
        run_evening(Evening(evening_context(journal)), inbox, Telling(), clock=Clock())
    assert keys([*Evening(evening_context(path)).open(0.0)]) == ["reply.welcome"]


def test_time_passes_when_nothing_comes(evening):
    seen, _ = run(evening, rounds=5)
    assert seen[:5] == [Tick(silent=True)] * 5


def test_time_in_which_the_house_speaks_is_not_silent(evening):
    seen, _ = run(evening, rounds=3, busy=True)
    assert seen[:3] == [Tick(silent=False)] * 3


def test_an_error_ends_the_evening(tmp_path):
    class Broken(FakePerformer):
        def perform(self, _) -> None:
            raise OSError("the thread that performs has died")

    with pytest.raises(OSError, match="has died"):
        run_evening(Evening(evening_context(tmp_path / "n.sqlite")), Inbox(), Broken(), clock=Clock())
