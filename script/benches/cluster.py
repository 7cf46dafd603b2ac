"""How much faster nights are played on a Dask cluster of this machine's cores, and what it costs to ship them."""

import argparse
import json
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
from distributed import Client
from rich.console import Console
from rich.table import Table

from seance.rules import EDITIONS
from seance.simulation.cluster import BATCH, RULES_DIGEST, play_batch
from seance.simulation.play import Series, simulate

ROUNDS = 3
"""How often each way is measured, in turn with the others; the best round counts, as the least disturbed."""
EMPTY_BATCHES = 2000
STUDY_NIGHTS, STUDY_CORES = 1_000_000, 100


@contextmanager
def dask(program: str, *arguments: str, told: str) -> Iterator[tuple[str, psutil.Process]]:
    """Run a program of Dask, and yield what the pattern *told* finds in its log, and its process."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{program}", *arguments, "--no-dashboard"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield (
                next(match[1] for line in process.stderr if (match := re.search(told, line))),
                psutil.Process(process.pid),
            )
        finally:
            process.kill()


@dataclass(frozen=True)
class Cluster:
    """Where nights are played: the address of a scheduler, or none, and the processes that run for it."""

    address: str | None = None
    processes: tuple[psutil.Process, ...] = ()


@contextmanager
def cluster(workers: int) -> Iterator[Cluster]:
    """Yield a scheduler with *workers* workers."""
    with ExitStack() as stack:
        local = ("--host", "127.0.0.1")
        address, scheduler = stack.enter_context(
            dask("scheduler", *local, "--port", "0", told=r"Scheduler at:\s+(tcp\S+)")
        )
        options = ("--no-nanny", "--nthreads", "1", *local)
        started = [
            stack.enter_context(dask("worker", address, *options, told=r"(Registered to)")) for _ in range(workers)
        ]
        yield Cluster(address, (scheduler, *(process for _, process in started)))


def processor_seconds(where: Cluster) -> float:
    """Return the processor time of this process, and of the scheduler and the workers of *where*."""
    times = [process.cpu_times() for process in (psutil.Process(), *where.processes)]
    return sum(each.user + each.system for each in times)


def rates(series: Series, where: Cluster) -> tuple[float, float]:
    """Return nights a second, and nights a second of processor time."""
    start, began = time.perf_counter(), processor_seconds(where)
    simulate([series], cluster=where.address)
    return series.games / (time.perf_counter() - start), series.games / (processor_seconds(where) - began)


def shipping_ms(address: str, series: Series) -> float:
    """Return what a batch costs beside its nights: time of a batch of none (milliseconds)."""
    with Client(address, set_as_default=False) as client:
        start = time.perf_counter()
        futures = [client.submit(play_batch, series, range(0), RULES_DIGEST, pure=False) for _ in range(EMPTY_BATCHES)]
        client.gather(futures)
        return (time.perf_counter() - start) / EMPTY_BATCHES * 1000


def core_seconds_per_night(games: int) -> float:
    """Return the mean time of a night on one core over every edition, level and number of players."""
    kinds = [
        Series(edition=edition.name, players=players, level=level, games=games, seed=1)
        for edition in EDITIONS.values()
        for level in edition.levels
        for players in edition.players
    ]
    tallies = simulate(kinds)
    return sum(tally.seconds for tally in tallies) / sum(tally.games for tally in tallies)


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench cluster")
    parser.add_argument("--games", type=int, default=4000, help="nights of a round (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="a quarter of them, once")
    args = parser.parse_args()
    games, rounds = (args.games // 4, 1) if args.quick else (args.games, ROUNDS)
    series = Series(edition="libellud", players=5, level="medium", games=games, seed=1)
    with ExitStack() as stack:
        ways = {"this process": Cluster()} | {
            f"{workers} worker{'s' * (workers > 1)}": stack.enter_context(cluster(workers)) for workers in (1, 2)
        }
        speeds, per_core = dict.fromkeys(ways, 0.0), dict.fromkeys(ways, 0.0)
        for _ in range(rounds):
            for name, where in ways.items():
                speed, on_core = rates(series, where)
                speeds[name], per_core[name] = max(speeds[name], speed), max(per_core[name], on_core)
        shipping = shipping_ms(str(ways["1 worker"].address), series)
    task = len(pickle.dumps((series, range(BATCH), RULES_DIGEST)))
    night_s = core_seconds_per_night(2 if args.quick else 10)
    study_s = STUDY_NIGHTS * night_s / STUDY_CORES
    table = Table(title=f"{games} nights, libellud, 5 players")
    for column in ("where", "nights a second", "speed-up", "nights a second of processor time"):
        table.add_column(column, justify="right")
    for name, speed in speeds.items():
        table.add_row(name, f"{speed:.0f}", f"{speed / speeds['this process']:.2f}", f"{per_core[name]:.0f}")
    console = Console(highlight=False)
    console.print(table)
    console.print(f"shipping a batch of {BATCH} nights: {task} bytes, {shipping:.2f} ms")
    kinds = f"{STUDY_NIGHTS:,} nights of all kinds on {STUDY_CORES} cores"
    console.print(f"a night of any kind takes a core {night_s * 1000:.1f} ms: {kinds} take {study_s:.0f} s")
    results = {
        "nights_per_second": speeds,
        "per_core_second": per_core,
        "task_bytes": task,
        "shipping_ms": shipping,
        "night_s": night_s,
    }
    path = Path("bench-results/cluster.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
