"""Plays series of nights on the workers of a Dask cluster; needs the extra `cluster`."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from distributed import Client, Future, KilledWorker, as_completed, get_worker

import seance.rules
from seance.simulation import play
from seance.simulation.play import NightTally, Series, SimulationFailed, play_nights, split_series

BATCH = 250
"""Nights that a worker plays before it reports, about a second."""
MAX_IN_FLIGHT = 1000
"""Batches that are with the cluster at a time: several for each of some hundred cores."""
CONNECT_TIMEOUT_S = 10
FIRST_WORKER_TIMEOUT_S = 30

_SOURCES = (Path(play.__file__), *sorted(Path(seance.rules.__file__).parent.glob("*.py")))
RULES_DIGEST = hashlib.sha256(b"".join(source.read_bytes() for source in _SOURCES)).hexdigest()
"""Of all that the outcome of a night depends on: rules, bots and seeds."""


_REMEDY = "install this version of seance there"


class OtherRules(RuntimeError):
    """A worker has another version of the rules; it would play other nights."""


def run_on_cluster(each: Sequence[Series], address: str) -> Iterator[tuple[int, NightTally]]:
    """Yield the tally of each batch of nights with the index of its series, in the order in which they end.

    *address* is that of a Dask scheduler, such as `tcp://192.168.1.20:8786`. The batch of a worker that dies is played
    by another.
    """
    with _connected(address) as client:
        batches, places, completed = (
            split_series(each, BATCH),
            dict[Future[NightTally], int](),
            as_completed([], loop=client.loop),
        )

        def submit(count: int) -> None:
            for at, series, numbers in islice(batches, count):
                future = client.submit(play_batch, series, numbers, RULES_DIGEST, pure=False)
                places[future] = at
                completed.add(future)

        submit(MAX_IN_FLIGHT)
        for future in completed:
            at = places.pop(future)
            submit(1)
            yield at, _result(future, address)


def play_batch(series: Series, numbers: range, rules_digest: str) -> NightTally:
    """Play nights on a worker, or raise OtherRules where its rules differ from those with *rules_digest*."""
    if rules_digest != RULES_DIGEST:
        raise OtherRules(get_worker().address)
    return play_nights(series, numbers)


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """Yield a client of the scheduler at *address* once it has a worker, or raise SimulationFailed."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is told on one line
    try:
        client = Client(address, timeout=CONNECT_TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError):
        raise SimulationFailed(f"no Dask scheduler answers at '{address}': start one with `dask scheduler`") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=FIRST_WORKER_TIMEOUT_S)
        except TimeoutError:
            remedy = f"start one with `dask worker {address} --nworkers auto --nthreads 1`"
            raise SimulationFailed(f"the Dask scheduler at {address} has no worker: {remedy}") from None
        yield client


def _result(future: Future[NightTally], address: str) -> NightTally:
    """Return the tally of a batch, or raise SimulationFailed with what to do."""
    try:
        tally: NightTally = future.result()
    except OtherRules as worker:
        raise SimulationFailed(
            f"the worker at {worker} has other rules: install this version of seance there"
        ) from None
    except ModuleNotFoundError as missing:
        raise SimulationFailed(f"a worker at {address} cannot play ({missing}): {_REMEDY}") from None
    except KilledWorker as killed:
        problem = f"several workers died one after another, the last at {killed.last_worker.address}"
        raise SimulationFailed(f"{problem}: see their logs; they may be short of memory") from None
    except (CancelledError, OSError):
        raise SimulationFailed(f"the Dask scheduler at {address} went away before the last night") from None
    return tally
