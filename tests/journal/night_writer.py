"""A program that writes a night of bots and acknowledges each step that is on the disk, until it is killed.

`python -m tests.journal.night_writer FILE SEED` resumes where the journal ends.
"""

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

from seance.journal import Journal
from seance.rules import Begin, Deal, State, Visions, apply
from seance.rules.bots import Wanderer
from tests.tables import any_night


def night_of_seed(seed: int) -> Begin:
    """Return the beginning of a night of *seed*, each edition equally likely."""
    chance = Random(seed)
    night = any_night(chance, seed)
    return replace(night, deal=chance.choice(list(Deal)), visions=chance.choice(list(Visions)))


def main(path: Path, seed: int) -> None:
    """Write until the night is over."""
    with Journal.open(path) as journal:
        restored = journal.unfinished()
        state: State | None = restored.state if restored else None
        steps = len(restored.entries) if restored else 0
        night = restored.uid if restored else journal.begin_night(night_of_seed(seed).edition)
        while state is None or state.outcome is None:
            # The choice depends on the seed and the step alone, so that the test can play the same night.
            command = night_of_seed(seed) if state is None else Wanderer(Random(f"{seed}/{steps}")).choose(state)
            state, events = apply(state, command)
            steps += 1
            journal.append(night, command, events, seat=command.seats[0], notes={"step": steps})
            sys.stdout.write(f"{steps}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
