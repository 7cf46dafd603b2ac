"""Nights for the tests of the journal, from recorded evenings and from bots, and helpers that write them."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from random import Random

from seance.codec import decode_command
from seance.journal import Journal
from seance.rules import LIBELLUD, Begin, Command, Event, Refusal, State, apply
from seance.rules.bots import Company, play
from tests.test_evenings import EVENINGS, lines, understood

Steps = list[tuple[Command, State, tuple[Event, ...]]]
"""Commands that were carried out, each with the state and the events that followed."""


def recorded_nights() -> dict[str, Steps]:
    """Return the nights of all recorded evenings, by name; an evening may have several."""
    nights: dict[str, Steps] = {}
    for path in EVENINGS:
        for command, state, events in _evening(path):
            if isinstance(command, Begin):
                steps = nights.setdefault(f"{path.stem}, seed {command.seed}", [])
            steps.append((command, state, events))
    return nights


def _evening(path: Path) -> Iterator[tuple[Command, State, tuple[Event, ...]]]:
    """Yield the commands that were carried out, without the refused ones."""
    state: State | None = None
    sentences = (line.split("; ") for _, line in lines(path) if line[0] not in ">!" and ":" not in line)
    for sentence in chain.from_iterable(sentences):
        command = decode_command(understood(sentence))
        with suppress(Refusal):
            state, events = apply(state, command)
            yield command, state, events


def bot_night(seed: int = 1894, begin: Begin | None = None) -> Steps:
    """Return a night of bots."""
    begin = begin or Begin(edition=LIBELLUD, players=5, level="medium", seed=seed)
    return list(play(begin, Company(Random(seed))))


def begin_night(journal: Journal, steps: Steps) -> str:
    """Begin the night of *steps*, and return its uid."""
    command = steps[0][0]
    assert isinstance(command, Begin)
    return journal.begin_night(command.edition)


def append_steps(journal: Journal, night: str, steps: Iterable[tuple[Command, State, tuple[Event, ...]]]) -> None:
    """Append *steps* to the journal, one after another."""
    for command, _, events in steps:
        journal.append(night, command, events, seat=command.seats[0])


def write_journal(path: Path, steps: Steps) -> str:
    """Write a night of *steps* to the journal at *path*, and return its uid."""
    with Journal.open(path) as journal:
        night = begin_night(journal, steps)
        append_steps(journal, night, steps)
    return night


class Clock:
    """A wall clock that a test sets."""

    def __init__(self) -> None:
        self.now = datetime(1922, 10, 31, 22, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def jump(self, **by: float) -> None:
        """Set the clock forward, or back."""
        self.now += timedelta(**by)
