"""A program that plays a night in typed words and prints what the room heard, until it is killed.

`python -m tests.daemon.night_player FILE SEED` goes on where the journal says that it was.
"""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

from seance.daemon.evening import Evening
from seance.daemon.signals import StepTold
from seance.daemon.snapshot import from_journal
from seance.journal import Night
from seance.narration.cues import Cue, Mark
from seance.rules import EDITIONS, Begin, Deal, State
from tests.daemon.evenings import Sayer, Table, Witness, act, be_ready, evening_context, keys, knocks, night, of, set_up
from tests.languages import LANGUAGES


class GoingOn(Witness):
    """A journal that counts all entries of the night that goes on, and those that were told."""

    steps = told_to = 0

    def last(self) -> Night | None:
        found = super().last()
        self.steps = len(found.entries) if found else 0
        self.told_to = (from_journal(found.notes).last_told_step or 0) if found else 0
        self.state = found.state if found else None
        return found

    def append(self, *given: Any, **more: Any) -> None:
        super().append(*given, **more)
        self.steps += 1


def the_night(seed: int) -> Begin:
    """Return a night, each edition as likely as the others."""
    chance = Random(seed)
    edition = chance.choice(list(EDITIONS))
    return night(edition, chance.choice(EDITIONS[edition].players), seed, deal=chance.choice(list(Deal)))


def digest(state: State | None) -> int:
    """Return a checksum of *state*."""
    return crc32(repr(state).encode())


def main(path: Path, seed: int) -> None:
    """Play until the night is over."""
    journal = GoingOn.open(path)
    assert isinstance(journal, GoingOn)
    language = LANGUAGES[seed % len(LANGUAGES)]
    table = Speaking(
        Evening(evening_context(journal, language=language, seed=seed)), journal, language, attentive=False
    )
    table.open()
    if table.evening.state is None:
        set_up(table, the_night(seed))
    be_ready(table)
    while table.state.outcome is None:
        chance = Random(f"{seed}/{journal.steps}")
        if chance.random() < 0.2:
            table.wait(chance.choice((1, 22, 40)))
            if table.state.outcome is not None:
                break
        act(table, Sayer(chance, table).choose(table.state), chance)
    table.catch_up()


@dataclass
class Speaking(Table):
    """A table that prints what it perceives, often later than the evening has told it."""

    unsaid: list[tuple[tuple[Cue, ...], int]] = field(default_factory=list)
    said_to: int = 0

    def open(self) -> list[Cue]:
        cues = self.evening.open(self.now)
        self.said_to = self._journal.told_to
        return self._kept(cues)

    def catch_up(self) -> None:
        """Say all that was not said yet; what was said counts as told."""
        unsaid, self.unsaid = self.unsaid, []
        for cues, state in unsaid:
            marks = of([*cues], Mark)
            since, self.said_to = self.said_to, marks[-1].step if marks else self.said_to
            told = {"keys": keys([*cues]), "knocks": knocks([*cues])}
            sys.stdout.write(json.dumps({"since": since, "steps": self.said_to, "state": state, **told}) + "\n")
            sys.stdout.flush()
            for mark in marks[-1:]:
                self.evening.receive(StepTold(mark.night, mark.step), self.now)

    def _kept(self, cues: tuple[Cue, ...]) -> list[Cue]:
        kept = super()._kept(cues)
        self.unsaid.append((cues, digest(self.evening.state)))
        if crc32(f"{self._journal.steps}".encode()) % 3:
            self.catch_up()
        return kept

    @property
    def _journal(self) -> "GoingOn":
        assert isinstance(self.journal, GoingOn)
        return self.journal


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
