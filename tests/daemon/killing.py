"""Kills a program that plays a night at random moments, and compares its journal with what the room has heard."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from seance.daemon.evening import Evening
from seance.daemon.snapshot import from_journal
from seance.dialogue.answers import automatic_manifest
from seance.journal import Journal, Night
from seance.narration.cues import KnockMeaning
from seance.narration.staging import Memory, NarrationStyle, Opening, stage_events
from seance.rules import State, apply, room_view
from tests.daemon.evenings import evening_context, keys, knocked, knocks, script
from tests.daemon.night_player import digest

ROOT = Path(__file__).parents[2]
SLOWEST_START = 1.5
"""Seconds in which the program has loaded what it needs."""


class Killed(NamedTuple):
    """The result of some kills."""

    kills: int
    """Fewer than asked for if the night was over before."""
    wrong: tuple[str, ...]


class Telling(NamedTuple):
    """What the room heard from one step of the night to another."""

    since: int
    to: int
    knocks: list[list[Any]]


@dataclass
class Room:
    """What the room has heard of the night so far."""

    steps: int = 0
    state: int = 0
    keys: Counter[str] = field(default_factory=Counter)
    tellings: list[Telling] = field(default_factory=list)

    def hear(self, line: str) -> None:
        """Hear what the program said."""
        said = json.loads(line)
        if said["steps"]:
            self.steps, self.state = said["steps"], said["state"]
            self.keys.update(said["keys"])
            self.tellings.append(Telling(said["since"], said["steps"], said["knocks"]))


def killed_night(path: Path, seed: int, kills: int) -> Killed:
    """Play the night of *seed*, interrupted by *kills*, and compare after each."""
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
        night, news = journal.last(), journal.news()
        if news:
            return False, f"a sound journal gives news: {news}"
        if night is None or not night.entries:
            return False, f"{room.steps} steps were told, and there is no night" if room.steps else None
        evening = Evening(evening_context(journal, language=night.language))
        complaint = _complaint(night, room) or _complaint_of_going_on(evening, night, room)
        return night.outcome is not None or evening.room is None or evening.room.outcome is not None, complaint


def _complaint_of_going_on(evening: Evening, night: Night, room: Room) -> str | None:
    """Return what is wrong with how *night* goes on; between answers of the manor it does so by itself."""
    told_to = from_journal(night.notes).last_told_step or 0
    if told_to > room.steps:
        return f"{told_to} steps count as told, and the room has heard {room.steps}"
    untold, cues = list(_knocks(night, told_to, len(night.entries))), [*evening.open(0.0)]
    if _after_first_hour(knocks(cues))[: len(untold)] != untold or not _lines(night, told_to) <= Counter(keys(cues)):
        return f"what was written after step {told_to} is not told"
    state = night.state
    while state is not None and (answer := automatic_manifest(room_view(state))) is not None:
        state, _ = apply(state, answer)
    is_told = night.outcome is not None and told_to == len(night.entries)
    return None if evening.state == (None if is_told else state) else "what is restored is not the last committed"


def _complaint(night: Night, room: Room) -> str | None:
    """Return what the room has heard that *night* does not know."""
    steps = len(night.entries)
    if steps < room.steps:
        return f"{room.steps} steps were told, and {steps} are written"
    state: State | None = None
    for at, (entry, written) in enumerate(night.states(), start=1):
        state, _ = apply(state, entry.command)
        if state != written:
            return f"step {at} is written as something else than the rules say"
        if at == room.steps and digest(state) != room.state:
            return f"step {at} is written as something else than the room was told"
    heard = 0
    for telling in room.tellings:
        if telling.since > heard:
            return f"the steps from {heard + 1} to {telling.since} were never told"
        if _after_first_hour(telling.knocks) != [[*knock] for knock in _knocks(night, telling.since, telling.to)]:
            return f"the steps from {telling.since + 1} to {telling.to} were knocked otherwise"
        heard = telling.to
    known = from_journal(night.notes).memory
    lost = {key for key, times in room.keys.items() if known.times(key) < times and not key.startswith("tales.")}
    return f"lines were said that are not remembered: {sorted(lost)}" if lost and night.outcome is None else None


def _lines(night: Night, since: int) -> Counter[str]:
    """Return the lines that are always said of the steps of *night* after *since*, without lessons and movements."""
    states = [None, *(room_view(state) for _, state in night.states())]
    stage, said = (
        NarrationStyle(script=script(night.language), first_night=False, opening=Opening.SKIPPED),
        Counter[str](),
    )
    for entry, (before, after) in list(zip(night.entries, pairwise(states), strict=True))[since:]:
        assert after is not None
        told = keys([*stage_events(stage, Memory(), entry.events, before, after).cues])
        said.update(key for key in told if not {"lesson", "hands"} & set(key.split(".")))
    return said


def _after_first_hour(heard: list[Any]) -> list[Any]:
    """Return the knocks that were *heard* without the first hour, which strikes between two steps."""
    return [knock for knock in heard if [*knock] != [KnockMeaning.HOUR, 1]]


def _knocks(night: Night, since: int, to: int) -> Iterator[tuple[KnockMeaning, int]]:
    """Yield what was to be knocked from one step of *night* to another."""
    return (knock for entry in night.entries[since:to] for knock in knocked([*entry.events]))
