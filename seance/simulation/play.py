"""Nights that bots play, as many as are asked for, on one core or more; nothing is shown here."""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import islice
from math import sqrt
from multiprocessing import get_context, parent_process
from random import Random
from threading import Thread

from seance.rules import EDITIONS, Begin
from seance.rules.bots import Bot, Company, Wanderer, play


class Broken(RuntimeError):
    """Nights could not be played to their end."""


BATCH = 25
"""Nights that a core plays before it reports: a tenth of a second or so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Nights of one kind; each has a seed of its own, made of the seed of the series and its number."""

    edition: str
    players: int
    level: str
    games: int
    seed: int
    variant: str | None = None
    bot: str = "company"
    skill: float = Company.skill
    accuracy: float | None = None
    """How likely a vision is to rule out a wrong card, for a company."""

    def begin(self, number: int) -> Begin:
        """Return how a night of the series begins."""
        return Begin(
            edition=EDITIONS[self.edition],
            players=self.players,
            level=self.level,
            variant=self.variant,
            seed=Random(f"{self.seed}/{number}").getrandbits(63),
        )

    def player(self, number: int) -> Bot:
        """Return who plays a night of the series."""
        chance = Random(f"{self.seed}/{number}/{self.bot}")
        if self.bot == "random":
            return Wanderer(chance)
        return Company(chance, skill=self.skill, accuracy=self.accuracy)


@dataclass(slots=True)
class Tally:
    """What came of some nights."""

    games: int = 0
    won: int = 0
    commands: int = 0
    seconds: float = 0.0
    """Time it took to play them, on one core."""
    reasons: Counter[str] = field(default_factory=Counter)
    hours: Counter[int] = field(default_factory=Counter)
    """In which hour the last card was found, where it was."""

    def add(self, other: "Tally") -> None:
        """Count what came of other nights too."""
        self.games += other.games
        self.won += other.won
        self.commands += other.commands
        self.seconds += other.seconds
        self.reasons.update(other.reasons)
        self.hours.update(other.hours)

    @property
    def win_rate(self) -> float:
        """Return which part of the nights was won."""
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Return between which rates the true one lies, with a confidence of 95 % (Wilson's score)."""
        z, n, rate = 1.959964, self.games, self.win_rate
        middle = rate + z * z / (2 * n)
        reach = z * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
        # Rounding must not put a rate of 0 or 1 outside its own interval.
        low, high = ((middle + sign * reach) / (1 + z * z / n) for sign in (-1, 1))
        return max(0.0, min(low, rate)), min(1.0, max(high, rate))


def play_nights(series: Series, numbers: range) -> Tally:
    """Return what came of the nights with these numbers."""
    tally, start = Tally(), time.perf_counter()
    for number in numbers:
        _play(tally, series.begin(number), series.player(number))
    tally.seconds = time.perf_counter() - start
    return tally


def _play(tally: Tally, begin: Begin, bot: Bot) -> None:
    hour, last_found = 0, None
    for _, state, _ in play(begin, bot):
        tally.commands += 1
        if last_found is None and state.ending.groups:
            last_found = hour
        hour = state.hour
        outcome = state.outcome
    assert outcome is not None  # noqa: S101 - bots play until the end
    tally.games += 1
    tally.won += outcome.won
    tally.reasons[outcome.reason.value] += 1
    if last_found is not None:
        tally.hours[last_found] += 1


def simulate(each: Sequence[Series], *, jobs: int = 1, played: Callable[[int], object] = lambda _: None) -> list[Tally]:
    """Return what came of each series, the same whatever *jobs* is; *played* is told how many nights are over."""
    tallies = [Tally() for _ in each]
    for at, tally in _on_one_core(each) if jobs == 1 else _on_cores(each, jobs):
        tallies[at].add(tally)
        played(tally.games)
    return tallies


def _batches(each: Sequence[Series]) -> Iterator[tuple[int, Series, range]]:
    for at, series in enumerate(each):
        for first in range(0, series.games, BATCH):
            yield at, series, range(first, min(first + BATCH, series.games))


def _on_one_core(each: Sequence[Series]) -> Iterator[tuple[int, Tally]]:
    for at, series, numbers in _batches(each):
        yield at, play_nights(series, numbers)


def _on_cores(each: Sequence[Series], jobs: int) -> Iterator[tuple[int, Tally]]:
    batches, under_way = _batches(each), dict[Future[Tally], int]()

    def submit(count: int) -> None:
        for at, series, numbers in islice(batches, count):
            under_way[pool.submit(play_nights, series, numbers)] = at

    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_attend) as pool:
        # An interrupt reaches every process at the terminal: the others inherit deafness to it.
        hearing = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            submit(2 * jobs)
        finally:
            signal.signal(signal.SIGINT, hearing)
        while under_way:
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                at, tally = under_way.pop(future), _result(future)
                submit(1)
                yield at, tally


def _attend() -> None:
    """Leave interrupts to the process that started this one, and end when it ends, however that is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _result(future: Future[Tally]) -> Tally:
    try:
        return future.result()
    except BrokenProcessPool:
        raise Broken("a process that played nights was ended from outside; with fewer --jobs it needs less") from None
