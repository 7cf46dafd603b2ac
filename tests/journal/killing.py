"""Kills a program that writes a night down, at a random moment, and compares what is left with what was said."""

import subprocess
import sys
from pathlib import Path
from random import Random

from seance.journal import Journal
from seance.rules import State, apply
from seance.rules.bots import Company
from tests.journal.night_writer import the_night

ROOT = Path(__file__).parents[2]


def killed_night(path: Path, seed: int, kills: int) -> list[str]:
    """Write the night of *seed* down with so many *kills* in between, and return what was wrong after them."""
    chance = Random(f"kills/{seed}")
    wrong = []
    for kill in range(kills):
        said = _killed(path, seed, chance)
        with Journal.open(path) as journal:
            night = journal.unfinished()
            if journal.news():
                wrong.append(f"seed {seed}, kill {kill}: a sound journal gives news")
        if night is None:
            if said and _states(seed, said)[-1].outcome is None:
                wrong.append(f"seed {seed}, kill {kill}: step {said} was said to be written, and there is no night")
            if said:
                break
            continue
        steps = len(night.entries)
        # The step after the last that was said may be written, and not yet be said to be.
        if not said <= steps <= said + 1 and said:
            wrong.append(f"seed {seed}, kill {kill}: {said} steps were said to be written, and there are {steps}")
        if night.state != _states(seed, steps)[-1] or night.notes != {"step": steps}:
            wrong.append(f"seed {seed}, kill {kill}: what is left after step {steps} is not what was written")
    return wrong


def _killed(path: Path, seed: int, chance: Random) -> int:
    """Return the last step that was said to be written by a writer that was killed after some more."""
    patience = chance.randint(0, 12)
    program = [sys.executable, "-m", "tests.journal.night_writer", str(path), str(seed)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, cwd=ROOT) as writer:
        assert writer.stdout is not None
        said = 0
        for line in writer.stdout:
            said = int(line)
            if (patience := patience - 1) < 0:
                break
        # Somewhere in the step that follows: the writer does not wait for who reads.
        for _ in range(chance.randint(0, 20_000)):
            pass
        writer.kill()
        return max([said, *map(int, writer.stdout.read().split())])


def _states(seed: int, steps: int) -> list[State]:
    """Return the states of the night of *seed*, up to so many *steps*."""
    state, _ = apply(None, the_night(seed))
    states = [state]
    while len(states) < steps:
        state, _ = apply(state, Company(Random(f"{seed}/{len(states)}")).choose(state))
        states.append(state)
    return states
