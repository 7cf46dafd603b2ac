"""Kills a program that writes a night down, at a random moment, and compares what is left with what was said."""

import subprocess
import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from seance.journal import Journal
from seance.rules import State, apply
from seance.rules.bots import Wanderer
from tests.journal.night_writer import the_night

ROOT = Path(__file__).parents[2]


class Killed(NamedTuple):
    """What came of some kills."""

    kills: int
    """How many; fewer than asked for where the night was over before."""
    wrong: tuple[str, ...]


def killed_night(path: Path, seed: int, kills: int) -> Killed:
    """Write the night of *seed* down with so many *kills* in between, and compare after each."""
    chance = Random(f"kills/{seed}")
    wrong, known = list[str](), 0
    for kill in range(kills):
        said = _killed(path, seed, chance)
        with Journal.open(path) as journal:
            night, news = journal.unfinished(), journal.news()
        steps = len(night.entries) if night else 0
        complaint = None
        if news:
            complaint = f"a sound journal gives news: {news}"
        elif night is None:
            if said and _states(seed, said)[-1].outcome is not None:
                return Killed(kill + 1, tuple(wrong))  # the night is over
            if max(said, known):
                complaint = f"{max(said, known)} steps were said to be written, and there is no night"
        elif steps < max(said, known) or (said and steps > said + 1):
            # The step after the last that was said may be written, and not yet be said to be.
            complaint = f"{max(said, known)} steps were said to be written, and there are {steps}"
        elif night.state != _states(seed, steps)[-1] or night.notes != {"step": steps}:
            complaint = f"what is left after step {steps} is not what was written"
        if complaint:
            wrong.append(f"seed {seed}, kill {kill}: {complaint}")
        known = steps
    return Killed(kills, tuple(wrong))


def _killed(path: Path, seed: int, chance: Random) -> int:
    """Return the last step that was said to be written by a program that was killed, or 0."""
    program = [sys.executable, "-m", "tests.journal.night_writer", str(path), str(seed)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, cwd=ROOT) as writer:
        assert writer.stdout is not None
        said = 0
        if chance.random() < 0.2:
            # At any moment of its start, which says nothing by which it could be timed.
            with suppress(subprocess.TimeoutExpired):
                writer.wait(chance.uniform(0, 0.4))
        else:
            for line in islice(writer.stdout, chance.randint(1, 12)):
                said = int(line)
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
        state, _ = apply(state, Wanderer(Random(f"{seed}/{len(states)}")).choose(state))
        states.append(state)
    return states
