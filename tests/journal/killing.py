"""Kills a program that writes a night, at a random moment, and compares the journal with what was acknowledged."""

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
from tests.journal.night_writer import night_of_seed

ROOT = Path(__file__).parents[2]


class KillResult(NamedTuple):
    """How many kills there were, and what was complaints afterwards."""

    kills: int
    """Fewer than asked for where the night was over before."""
    complaints: tuple[str, ...]


def kill_and_compare(path: Path, seed: int, kills: int) -> KillResult:
    """Write the night of *seed* with so many *kills* in between, and compare after each."""
    chance = Random(f"kills/{seed}")
    complaints, known = list[str](), 0
    for kill in range(kills):
        acknowledged = _run_and_kill(path, seed, chance)
        with Journal.open(path) as journal:
            night, news = journal.unfinished(), journal.news()
        steps = len(night.entries) if night else 0
        complaint = None
        if news:
            complaint = f"a sound journal gives news: {news}"
        elif night is None:
            if acknowledged and _states(seed, acknowledged)[-1].outcome is not None:
                return KillResult(kill + 1, tuple(complaints))  # the night is over
            if max(acknowledged, known):
                complaint = f"{max(acknowledged, known)} steps were acknowledged, and there is no night"
        elif steps < max(acknowledged, known) or (acknowledged and steps > acknowledged + 1):
            # One step more than the last acknowledged one may be written.
            complaint = f"{max(acknowledged, known)} steps were acknowledged, and there are {steps}"
        elif night.state != _states(seed, steps)[-1] or night.notes != {"step": steps}:
            complaint = f"what is left after step {steps} is not what was written"
        if complaint:
            complaints.append(f"seed {seed}, kill {kill}: {complaint}")
        known = steps
    return KillResult(kills, tuple(complaints))


def _run_and_kill(path: Path, seed: int, chance: Random) -> int:
    """Start a writer, kill it at a random moment, and return the last step that it acknowledged, or 0."""
    program = [sys.executable, "-m", "tests.journal.night_writer", str(path), str(seed)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, cwd=ROOT) as writer:
        assert writer.stdout is not None
        acknowledged = 0
        if chance.random() < 0.2:
            # At any moment of its start, before it acknowledges anything.
            with suppress(subprocess.TimeoutExpired):
                writer.wait(chance.uniform(0, 0.4))
        else:
            for line in islice(writer.stdout, chance.randint(1, 12)):
                acknowledged = int(line)
            # Somewhere in the following step: the writer does not wait for its reader.
            for _ in range(chance.randint(0, 20_000)):
                pass
        writer.kill()
        return max([acknowledged, *map(int, writer.stdout.read().split())])


def _states(seed: int, steps: int) -> list[State]:
    """Return the states of the night of *seed*, up to so many *steps*."""
    state, _ = apply(None, night_of_seed(seed))
    states = [state]
    while len(states) < steps:
        state, _ = apply(state, Wanderer(Random(f"{seed}/{len(states)}")).choose(state))
        states.append(state)
    return states
