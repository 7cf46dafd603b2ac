"""Plays series of nights with bots, on one core or several, and tallies the outcomes."""

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


class SimulationFailed(RuntimeError):
    """The simulation did not finish."""


BATCH = 25
"""Nights that a worker plays before it reports, about a tenth of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Nights of one kind; the seed of each is derived from the seed of the series and its number."""

    edition: str
    players: int
    level: str
    games: int
    seed: int
    variant: str | None = None
    bot: str = "company"
    skill: float = Company.skill
    """The probability that a vision rules out a wrong card, for a company."""
    accuracy: float | None = None
    """The probability that a psychic of a company chooses right, instead of *skill*."""

    def begin(self, number: int) -> Begin:
        """Return the command that begins night *number* of the series."""
        return Begin(
            edition=EDITIONS[self.edition],
            players=self.players,
            level=self.level,
            variant=self.variant,
            seed=Random(f"{self.seed}/{number}").getrandbits(63),
        )

    def player(self, number: int) -> Bot:
        """Return the bot that plays night *number* of the series."""
        chance = Random(f"{self.seed}/{number}/{self.bot}")
        if self.bot == "random":
            return Wanderer(chance)
        return Company(chance, skill=self.skill, accuracy=self.accuracy)


@dataclass(slots=True)
class NightTally:
    """Outcomes of some nights, counted."""

    games: int = 0
    won: int = 0
    commands: int = 0
    seconds: float = 0.0
    """Time it took to play them on one core."""
    reasons: Counter[str] = field(default_factory=Counter)
    hours: Counter[int] = field(default_factory=Counter)
    """Nights by the hour in which the last card was found."""

    def add(self, other: "NightTally") -> None:
        """Add the counts of *other*."""
        self.games += other.games
        self.won += other.won
        self.commands += other.commands
        self.seconds += other.seconds
        self.reasons.update(other.reasons)
        self.hours.update(other.hours)

    @property
    def win_rate(self) -> float:
        """Return the share of nights that were won, 0 to 1."""
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % confidence interval of the win rate (Wilson score)."""
        z, n, rate = 1.959964, self.games, self.win_rate
        middle = rate + z * z / (2 * n)
        reach = z * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
        # Rounding must not put a rate of 0 or 1 outside its own interval.
        low, high = ((middle + sign * reach) / (1 + z * z / n) for sign in (-1, 1))
        return max(0.0, min(low, rate)), min(1.0, max(high, rate))


def play_nights(series: Series, numbers: range) -> NightTally:
    """Play the nights *numbers* of *series* and return their tally."""
    tally, start = NightTally(), time.perf_counter()
    for number in numbers:
        _play(tally, series.begin(number), series.player(number))
    tally.seconds = time.perf_counter() - start
    return tally


def _play(tally: NightTally, begin: Begin, bot: Bot) -> None:
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


def simulate(
    each: Sequence[Series],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    played: Callable[[int], object] = lambda _: None,
) -> list[NightTally]:
    """Return the tally of each series, played on *jobs* cores or on the Dask cluster at the address *cluster*.

    It is the same wherever it is played, but for the time. *played* is called with the number of nights just played.
    """
    tallies = [NightTally() for _ in each]
    for at, tally in _run(each, jobs, cluster):
        tallies[at].add(tally)
        played(tally.games)
    return tallies


def split_series(each: Sequence[Series], batch: int) -> Iterator[tuple[int, Series, range]]:
    """Yield each series with its index and the numbers of *batch* of its nights after another."""
    for at, series in enumerate(each):
        for first in range(0, series.games, batch):
            yield at, series, range(first, min(first + batch, series.games))


def _run(each: Sequence[Series], jobs: int, cluster: str | None) -> Iterator[tuple[int, NightTally]]:
    if cluster is not None:
        try:
            from seance.simulation.cluster import run_on_cluster  # here, not above: Dask is optional
        except ModuleNotFoundError as missing:
            raise SimulationFailed(f"there is no {missing.name}: run `pip install 'seance[cluster]'`") from None
        return run_on_cluster(each, cluster)
    return _run_in_process(each) if jobs == 1 else _run_in_workers(each, jobs)


def _run_in_process(each: Sequence[Series]) -> Iterator[tuple[int, NightTally]]:
    for at, series, numbers in split_series(each, BATCH):
        yield at, play_nights(series, numbers)


def _run_in_workers(each: Sequence[Series], jobs: int) -> Iterator[tuple[int, NightTally]]:
    batches, pending = split_series(each, BATCH), dict[Future[NightTally], int]()

    def submit(count: int) -> None:
        for at, series, numbers in islice(batches, count):
            pending[pool.submit(play_nights, series, numbers)] = at

    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_start_worker) as pool:
        # Ctrl-C reaches every process at the terminal; the workers inherit that it is ignored.
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            submit(2 * jobs)
        finally:
            signal.signal(signal.SIGINT, handler)
        while pending:
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                at, tally = pending.pop(future), _result(future)
                submit(1)
                yield at, tally


def _start_worker() -> None:
    """Ignore interrupts, and exit when the parent process ends, however that is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _result(future: Future[NightTally]) -> NightTally:
    try:
        return future.result()
    except BrokenProcessPool:
        raise SimulationFailed(
            "a process that played nights was ended from outside; with fewer --jobs it needs less"
        ) from None
