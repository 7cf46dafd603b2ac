"""How many lines a slow voice has ready when they are wanted: nights by a virtual clock, with the measured cost of lines."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[2]))
from seance.audio.waves import Wave
from seance.daemon.context import EveningContext
from seance.daemon.evening import Evening
from seance.daemon.foresight import foresee
from seance.daemon.signals import GhostCommand, Signal, Tick
from seance.demo.cast import load_cast
from seance.demo.guests import Guests
from seance.demo.table import DemoTable, cue_seconds
from seance.journal import Journal
from seance.narration.cues import Cue, Say
from seance.narration.lore import NARRATOR
from seance.narration.script import Script
from seance.narration.spoken_pieces import cast_sentences, spoken_pieces
from seance.rules import EDITIONS, Begin, GiveVision, Psychic
from seance.rules.bots import Company
from seance.speech.sentence_split import split_clauses, split_sentences
from seance.speech.synthesis import is_pronounceable
from tests.daemon.evenings import evening_context
from tests.guests import sentences
from tests.languages import SPOKEN

S_PER_LETTER, S_PER_PIECE = 0.06, 0.3
"""How long Kokoro speaks: seconds for each letter, and for each piece beside (70 pieces in each language)."""
LETTERS_PER_PIECE = 12.3
"""What the beginning of each piece costs beside its letters, in letters (the same pieces)."""
MACHINES = {"Pi 5": 1.3, "Pi 4": 2.8}
"""Seconds that a second of speech takes to render, as others have published."""
FIRST_NIGHT_S = 8 * 3600.0
"""How long the service renders before the first of the nights."""
GHOST_THINKS_S = 25.0
"""For each vision."""
GUESTS_TALK_S = 10.0
"""Before each sentence to the house, unless it answers a question; the sand leaves less time."""
QUIET_SHARE = 0.4
"""Of the time in which guests think and talk: the pauses between what they say."""
STEP_S = 5.0

Piece = tuple[str, str]
"""Who says it, and what; the first letter is small, since a clause sounds the same wherever it stands."""


def piece(who: str, text: str) -> Piece:
    return who, text[:1].lower() + text[1:]


@dataclass
class Machine:
    """What a machine has rendered, and what became of the sentences that were wanted."""

    ratio: float
    ready: set[Piece]
    tally: Counter[str] = field(default_factory=Counter)
    waits_s: list[float] = field(default_factory=list)
    """For sentences that were not there."""
    missed: Counter[str] = field(default_factory=Counter)
    under_way: tuple[Piece, float] | None = None
    """What is being rendered, and the seconds that it still takes."""

    def cost_s(self, text: str) -> float:
        """Return how long the piece *text* takes to render."""
        return self.ratio * S_PER_LETTER * (len(text) + LETTERS_PER_PIECE)

    def is_joined(self, who: str, sentence: str) -> bool:
        """Return whether *sentence* can be joined from clauses that are ready."""
        clauses = split_clauses(sentence)
        return len(clauses) > 1 and all(piece(who, clause) in self.ready for clause in clauses)

    def want(self, who: str, sentence: str, key: str) -> None:
        """Count how *sentence* is said."""
        if piece(who, sentence) in self.ready:
            self.tally["ready"] += 1
        elif self.is_joined(who, sentence):
            self.tally["joined"] += 1
        else:
            self.tally["waited"] += 1
            self.waits_s.append(self.cost_s(sentence))
            self.missed[key] += 1
            self.ready.add(piece(who, sentence))

    def render(self, soon: Iterable[Piece], likely: Iterable[Piece], seconds: float) -> None:
        """Render what is said *soon*, then what is *likely*, what cannot be said at all first, for *seconds*."""
        ordered = [*soon, *sorted(likely, key=lambda each: self.is_joined(*each))]
        missing = [each for each in dict.fromkeys(piece(*each) for each in ordered) if each not in self.ready]
        before, left_s = self.under_way or (None, 0.0)
        if before in missing:
            missing.insert(0, missing.pop(missing.index(before)))
        for each in missing:
            left_s = left_s if each == before else self.cost_s(each[1])
            if left_s > seconds:
                self.under_way = each, left_s - seconds
                return
            seconds -= left_s
            self.ready.add(each)
        self.under_way = None


class ListeningAudience:
    """Hears with the ears of every machine, and lets them render while it is quiet."""

    def __init__(self, machines: Iterable[Machine], context: EveningContext) -> None:
        self.machines, self._context = tuple(machines), context
        self.evening: Evening | None = None
        self.is_house_speaking = False
        self._likely: tuple[Piece, ...] = ()
        self.soon: tuple[Piece, ...] = ()
        """What the house is about to say."""
        self._foreseen: object = None

    def prepare(self, cues: tuple[Cue, ...]) -> None: ...

    def perceive(self, cue: Cue) -> None:
        if isinstance(cue, Say):
            for sentence in (each for text in cue.pieces for each in split_sentences(text)):
                for machine in self.machines if is_pronounceable(sentence) else ():
                    machine.want(cue.voice, sentence, cue.key)

    def hear_guest(self, guest: Psychic, words: str, wave: Wave | None, *, aside: bool) -> None: ...

    def show_recognition(self, text: str, *, meant: bool) -> None: ...

    def wait(self, seconds: float) -> None:
        """Render while the house itself speaks and knocks; while a guest speaks, nothing."""
        for machine in self.machines if self.is_house_speaking else ():
            machine.render(self.soon, self._likely, seconds)

    def think(self, seconds: float) -> None:
        """Let guests think and talk for *seconds*, with pauses."""
        self.foresee()
        for machine in self.machines:
            machine.render((), self._likely, QUIET_SHARE * seconds)

    def foresee(self) -> None:
        """Find what may be said next, unless that is known."""
        assert self.evening is not None
        moment = self.evening.moment
        if self._foreseen is None or moment.differs_beyond_time(self._foreseen):
            self._foreseen = moment
            lines = foresee(self._context, moment)
            self._likely = tuple((who, each) for who, text in lines for each in split_sentences(text))


class ThoughtfulTable(DemoTable):
    """A table at which the ghost thinks before each vision, and guests talk while the sand runs."""

    _audience: ListeningAudience

    def _perform(self, cues: tuple[Cue, ...]) -> None:
        audience = self._audience
        if any(map(cue_seconds, cues)):
            said = [(cue.voice, piece) for cue in cues if isinstance(cue, Say) for piece in cue.pieces]
            audience.soon = tuple((who, each) for who, text in said for each in split_sentences(text))
            audience.foresee()
        audience.is_house_speaking = True
        super()._perform(cues)
        audience.is_house_speaking, audience.soon = False, ()

    def give(self, signal: Signal) -> tuple[Cue, ...]:
        if isinstance(signal, GhostCommand) and isinstance(signal.command, GiveVision):
            left_s = GHOST_THINKS_S
            while left_s > 0:
                self._audience.think(STEP_S)
                self.now, left_s = self.now + STEP_S, left_s - STEP_S
                super().give(Tick())
        return super().give(signal)

    def speak(self, guest: Psychic, words: str, *, aside: bool = False) -> tuple[Cue, ...]:
        evening, sand = self.evening, self.evening.sand
        has_time = sand is None or sand.left_at(self.now) > GUESTS_TALK_S + STEP_S
        if evening.state is not None and evening.conversation.pending is None and has_time:
            self._audience.think(GUESTS_TALK_S)
            self.now += GUESTS_TALK_S
            super().give(Tick(silent=False))
        return super().speak(guest, words, aside=aside)

    def wait(self, seconds: float) -> None:
        if seconds > 2 * STEP_S:  # the sand
            self._audience.think(seconds)
        super().wait(seconds)


@cache
def night_pieces(language: str, first: str) -> tuple[Piece, ...]:
    """Return what the service renders, in its order, for an owner who plays the edition *first*."""
    script, splits = Script.load(language), {"split_sentences": split_sentences, "split_clauses": split_clauses}
    editions = dict.fromkeys((first, *EDITIONS))
    cast = (each for edition in editions for each in cast_sentences(script, edition, split_sentences))
    fixed = ((NARRATOR, each) for edition in editions for each in spoken_pieces(script, edition, **splits))
    return tuple(dict.fromkeys(piece(*each) for each in (*cast, *fixed)))


def first_night(ratio: float, language: str, edition: str) -> set[Piece]:
    """Return what is ready after FIRST_NIGHT_S for an owner who plays *edition*."""
    machine, left_s, ready = Machine(ratio, set()), FIRST_NIGHT_S, set[Piece]()
    for each in night_pieces(language, edition):
        left_s -= machine.cost_s(each[1])
        if left_s < 0:
            break
        ready.add(each)
    return ready


def nights(count: int, seed: int) -> Iterator[tuple[str, Begin]]:
    """Yield *count* nights, of each edition in each language in turn."""
    chance = Random(seed)
    for number in range(count):
        edition = tuple(EDITIONS.values())[number % len(EDITIONS)]
        language = SPOKEN[number // len(EDITIONS) % len(SPOKEN)]
        players = chance.choice([each for each in edition.players if edition.psychics(each) > 1])
        playing = chance.sample(tuple(Psychic), edition.psychics(players))
        psychics = tuple(psychic for psychic in Psychic if psychic in playing)
        level = chance.choice(list(edition.levels))
        yield (
            language,
            Begin(edition=edition, players=players, level=level, seed=chance.getrandbits(31), psychics=psychics),
        )


def play(language: str, begin: Begin, seed: int) -> tuple[dict[str, Machine], float]:
    """Return how the lines of a night were said on each machine, and how many seconds it lasted."""
    machines = {
        name: Machine(ratio, first_night(ratio, language, begin.edition.name)) for name, ratio in MACHINES.items()
    }
    chance = Random(seed)
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder, "nights")) as journal:
        context = evening_context(journal, language=language, seed=seed)
        evening, audience = Evening(context), ListeningAudience(machines.values(), context)
        audience.evening = evening
        table = ThoughtfulTable(evening, audience)
        guests = Guests(
            table,
            load_cast(language),
            Company(chance, 0.7),
            language=language,
            sentences=sentences(language),
            chance=chance,
        )
        guests.play(begin)
        return machines, table.now


def measure(count: int, seed: int = 1894) -> dict[str, Any]:
    """Return the shares of sentences that were ready, joined or waited for in *count* nights, by machine."""
    total = {name: Machine(ratio, set()) for name, ratio in MACHINES.items()}
    hours = 0.0
    for number, (language, begin) in enumerate(track([*nights(count, seed)], "nights", transient=True)):
        machines, seconds = play(language, begin, seed + number)
        hours += seconds / 3600
        for name, machine in machines.items():
            total[name].tally += machine.tally
            total[name].waits_s += machine.waits_s
            total[name].missed += machine.missed
    return {
        "nights": count,
        "hours": hours,
        **{
            name: {
                **machine.tally,
                "longest_wait_s": max(machine.waits_s, default=0.0),
                "missed": dict(machine.missed.most_common(20)),
            }
            for name, machine in total.items()
        },
    }


def show(result: dict[str, Any], console: Console) -> None:
    """Print *result* of `measure`."""
    table = Table("machine", "sentences", "ready", "joined from clauses", "waited for", "longest wait")
    for name in MACHINES:
        each = result[name]
        counts = [each.get(kind, 0) for kind in ("ready", "joined", "waited")]
        shares = [f"{100 * count / max(1, sum(counts)):.2f} %" for count in counts]
        table.add_row(name, str(sum(counts)), *shares, f"{each['longest_wait_s']:.1f} s")
    console.print(table)
    console.print(f"{result['nights']} nights, {result['hours']:.0f} hours; not ready:", result["Pi 5"]["missed"])
