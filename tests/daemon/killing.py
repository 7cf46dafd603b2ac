"""Kills a program that plays a night, at random moments, and compares what is left with what the room has heard."""

import json
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from seance.daemon.evening import Evening
from seance.daemon.notes import read
from seance.dialogue.answers import next_automatic
from seance.journal import Journal, Night, NightsFile
from seance.rules import State, apply, room_view
from tests.daemon.evenings import house, knocked
from tests.daemon.night_player import digest

ROOT = Path(__file__).parents[2]
SLOWEST_START = 1.5
"""Seconds in which the program has loaded what it needs."""


class Killed(NamedTuple):
    """What came of some kills."""

    kills: int
    """How many; fewer than asked for where the night was over before."""
    wrong: tuple[str, ...]


@dataclass
class Room:
    """What the room has heard of the night so far."""

    steps: int = 0
    state: int = 0
    keys: Counter[str] = field(default_factory=Counter)
    knocks: list[list[Any]] = field(default_factory=list)

    def hear(self, line: str) -> None:
        """Hear what the program said."""
        said = json.loads(line)
        if said["steps"]:
            self.steps, self.state = said["steps"], said["state"]
            self.keys.update(said["keys"])
            self.knocks += said["knocks"]


def killed_night(path: Path, seed: int, kills: int) -> Killed:
    """Play the night of *seed* with so many *kills* in between, and compare after each."""
    chance, room, wrong = Random(f"kills/{seed}"), Room(), list[str]()
    for kill in range(kills):
        _play_and_kill(path, seed, chance, room)
        over, complaint = _compared(path, room)
        if complaint:
            wrong.append(f"seed {seed}, kill {kill}: {complaint}")
        if over:
            return Killed(kill + 1, tuple(wrong))
    return Killed(kills, tuple(wrong))


def _play_and_kill(path: Path, seed: int, chance: Random, room: Room) -> None:
    program = [sys.executable, "-m", "tests.daemon.night_player", str(path), str(seed)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True) as player:
        assert player.stdout is not None
        assert player.stderr is not None
        if chance.random() < 0.2:
            # At any moment of its start, which says nothing by which it could be timed.
            with suppress(subprocess.TimeoutExpired):
                player.wait(chance.uniform(0, SLOWEST_START))
        else:
            for line in islice(player.stdout, chance.randint(1, 40)):
                room.hear(line)
            # Somewhere in what follows: the player does not wait for who reads.
            for _ in range(chance.randint(0, 200_000)):
                pass
        player.kill()
        # The last line may be cut: then it was not said.
        for line in player.stdout.read().splitlines(keepends=True):
            if line.endswith("\n"):
                room.hear(line)
        complaint = player.stderr.read()
        if complaint:
            raise AssertionError(complaint)


def _compared(path: Path, room: Room) -> tuple[bool, str | None]:
    """Return whether the night is over, and what is wrong with what is left of it."""
    with Journal.open(path) as journal:
        night, news = journal.unfinished(), journal.news()
        if news:
            return False, f"a sound journal gives news: {news}"
        if night is None or not night.entries:
            return _ended(path, room)
        complaint = _complaint(night, room)
        evening = Evening(house(journal, language=night.language))
        if complaint is None and not _goes_on(evening, night):
            complaint = "what is restored is not the last that was committed"
        return evening.state is None or evening.state.outcome is not None, complaint


def _goes_on(evening: Evening, night: Night) -> bool:
    """Return whether *evening* opens where *night* was; between answers of the manor it goes on by itself."""
    state = night.state
    while state is not None and (answer := next_automatic(room_view(state))) is not None:
        state, _ = apply(state, answer)
    evening.open(0.0)
    return evening.state == state


def _ended(path: Path, room: Room) -> tuple[bool, str | None]:
    with NightsFile.to_read(path) as file:
        number = file.last_number()
        night = None if number is None else file.night(number)
    if night is None or not night.entries:
        return False, f"{room.steps} steps were told, and there is no night" if room.steps else None
    return True, _complaint(night, room)


def _complaint(night: Night, room: Room) -> str | None:
    """Return what the room has heard that *night* does not know."""
    steps = len(night.entries)
    if steps < room.steps:
        return f"{room.steps} steps were told, and {steps} are written"
    state: State | None = None
    events = []
    for at, (entry, written) in enumerate(night.states(), start=1):
        state, happened = apply(state, entry.command)
        events.append([*happened])
        if state != written:
            return f"step {at} is written as something else than the rules say"
        if at == room.steps and digest(state) != room.state:
            return f"step {at} is written as something else than the room was told"
    told = [[str(says), count] for step in events for says, count in knocked(step)]
    written_knocks = iter(told)
    if not all(knock in written_knocks for knock in room.knocks):
        return f"{len(room.knocks)} knocks were heard, and not all of them are written"
    if night.outcome is None:
        known = read(night.notes).told
        lost = {key for key, times in room.keys.items() if known.times(key) < times and not key.startswith("tales.")}
        if lost:
            return f"lines were said that are not remembered: {sorted(lost)}"
    return None
