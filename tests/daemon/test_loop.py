"""The loop that owns an evening: one inbox, a clock that is turned by hand, performers that note."""

from dataclasses import dataclass, field

import pytest

from seance.daemon.evening import Evening
from seance.daemon.loop import TICK, Inbox, hold
from seance.daemon.signals import Asked, Failed, Passed, Signal, Stop, Told, Typed
from seance.dialogue.replies import Fault
from seance.journal import Journal
from seance.narration.cues import Cue, Mark
from seance.rules import LIBELLUD, Abandon, Begin
from tests.daemon.evenings import house, keys, of

MANY = 1000
"""Rounds after which a loop does not end."""


@dataclass
class Performers:
    """Notes what is to be performed."""

    cues: list[Cue] = field(default_factory=list)
    is_busy: bool = False

    def perform(self, cues) -> None:
        self.cues += cues

    def wait(self) -> None:
        """Nothing takes any time."""


@dataclass
class Clock:
    """Shows a later time each time it is looked at."""

    step: float = TICK
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
    return Evening(house(tmp_path / "nights.sqlite"))


def held(evening, *signals: Signal, busy: bool = False, rounds: int = MANY) -> tuple[list[Signal], Performers]:
    """Hold *evening* with *signals* in the inbox, and return all it saw and performed."""
    inbox, performers = Inbox(), Performers(is_busy=busy)
    log = Log(inbox, rounds)
    for signal in signals:
        inbox.put(signal)
    hold(evening, inbox, performers, clock=Clock(), saw=log)
    return log.seen, performers


def test_the_evening_is_opened_first(evening):
    _, performers = held(evening, Stop())
    assert keys(performers.cues) == ["reply.welcome"]


def test_signals_are_taken_in_their_order_and_stop_ends_it(evening):
    signals = Typed("begin the séance"), Failed(Fault.CLOCK_JUMPED), Stop(), Typed("we are five")
    seen, performers = held(evening, *signals)
    assert seen == list(signals[:3])
    assert keys(performers.cues)[-1] == "trouble.clock_jumped"


def test_what_was_told_before_the_end_is_not_told_again(tmp_path):
    class Telling(Performers):
        def wait(self) -> None:
            for mark in of(self.cues, Mark):
                inbox.put(Told(mark.night, mark.step))

    inbox, path = Inbox(), tmp_path / "nights.sqlite"
    night = Begin(edition=LIBELLUD, players=4, level="easy", seed=1)
    for signal in (Asked(night), Asked(Abandon()), Stop(when_told=True)):
        inbox.put(signal)
    with Journal.open(path) as journal:
        hold(Evening(house(journal)), inbox, Telling(), clock=Clock())
    assert keys([*Evening(house(path)).open(0.0)]) == ["reply.welcome"]


def test_time_passes_when_nothing_comes(evening):
    seen, _ = held(evening, rounds=5)
    assert seen[:5] == [Passed(silent=True)] * 5


def test_time_in_which_the_house_speaks_is_not_silent(evening):
    seen, _ = held(evening, rounds=3, busy=True)
    assert seen[:3] == [Passed(silent=False)] * 3


def test_an_error_ends_the_evening(tmp_path):
    class Broken(Performers):
        def perform(self, _) -> None:
            raise OSError("the thread that performs has died")

    with pytest.raises(OSError, match="has died"):
        hold(Evening(house(tmp_path / "n.sqlite")), Inbox(), Broken(), clock=Clock())
