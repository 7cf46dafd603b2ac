"""A program that plays a night through an evening in typed words and says what the room heard, until it is killed.

`python -m tests.daemon.night_player FILE SEED` goes on where the journal says that it was.
"""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

from seance.daemon.evening import Evening
from seance.journal import Night
from seance.narration.cues import Cue
from seance.rules import EDITIONS, Begin, Deal, State
from tests.daemon.evenings import Sayer, Table, Witness, act, house, keys, knocks, night, set_up


class GoingOn(Witness):
    """A journal that counts all entries of the night that goes on."""

    steps = 0

    def unfinished(self) -> Night | None:
        found = super().unfinished()
        self.steps = len(found.entries) if found else 0
        self.state = found.state if found else None
        return found

    def append(self, *given: Any, **more: Any) -> None:
        super().append(*given, **more)
        self.steps += 1


def the_night(seed: int) -> Begin:
    """Return a night, each edition as likely as the others."""
    chance = Random(seed)
    return night(chance.choice(list(EDITIONS)), chance.randint(2, 7), seed, deal=chance.choice(list(Deal)))


def digest(state: State | None) -> int:
    """Return what tells one state from another."""
    return crc32(repr(state).encode())


def main(path: Path, seed: int) -> None:
    """Play until the night is over."""
    journal = GoingOn.open(path)
    assert isinstance(journal, GoingOn)
    language = "fr" if seed % 2 else "en"
    table = Speaking(Evening(house(journal, language=language, seed=seed)), journal, language)
    table.open()
    if table.evening.state is None:
        set_up(table, the_night(seed))
    while table.state.outcome is None:
        chance = Random(f"{seed}/{journal.steps}")
        if chance.random() < 0.2:
            table.wait(chance.choice((1, 22, 40)))
            if table.state.outcome is not None:
                break
        act(table, Sayer(chance, table).choose(table.state), chance)


class Speaking(Table):
    """A table that says aloud what it perceives, when the evening has told it."""

    def _kept(self, cues: tuple[Cue, ...]) -> list[Cue]:
        kept = super()._kept(cues)
        steps = self.journal.steps  # type: ignore[attr-defined]
        said = {"steps": steps, "state": digest(self.evening.state), "keys": keys(kept), "knocks": knocks(kept)}
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()
        return kept


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
