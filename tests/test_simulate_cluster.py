"""`seance simulate --cluster`: the same numbers on real workers of Dask, whatever becomes of them."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace

import pytest

from seance.cli import main
from seance.simulation import cluster
from seance.simulation.play import Series, SimulationFailed, simulate

SERIES = Series(edition="portal", players=3, level="easy", games=120, seed=3)
COLOUR = re.compile(rb"\x1b\[[\d;?]*[A-Za-z]")
WITHOUT_DASK = """
import sys
from seance.cli import main
code = main(["simulate", "--games", "1"])
assert not {"dask", "distributed"} & sys.modules.keys()
sys.modules["distributed"] = None  # as where it is not installed
sys.exit(code or main(["simulate", "--games", "1", "--cluster", "tcp://127.0.0.1:9"]))
"""


@contextmanager
def dask(*arguments, told):
    """Start a program of Dask and yield its process, and what is found in its log by the pattern *told*."""
    command = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:], "--no-dashboard"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            found = next(match[1] for line in process.stderr if (match := re.search(told, line)))
            # Nobody reads on: what it still has to say fits a pipe.
            yield process, found
        finally:
            process.kill()


@contextmanager
def scheduler():
    options = ("--host", "127.0.0.1", "--port", "0")
    with dask("scheduler", *options, told=r"Scheduler at:\s+(tcp\S+)") as started:
        yield started


def worker(address):
    options = ("--no-nanny", "--nthreads", "1", "--host", "127.0.0.1")
    return dask("worker", address, *options, told=r"(Registered to)")


@pytest.fixture(scope="module")
def address():
    """The address of a scheduler with one worker."""
    with scheduler() as (_, address), worker(address):
        yield address


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(cluster, "BATCH", 10)


def timeless(tally):
    return replace(tally, seconds=0.0)


@pytest.fixture(scope="module")
def on_one_core():
    [tally] = simulate([SERIES])
    return timeless(tally)


def test_a_worker_plays_the_same_nights_as_this_process(address, on_one_core):
    assert [timeless(tally) for tally in simulate([SERIES], cluster=address)] == [on_one_core]


def test_a_worker_that_is_killed_in_the_middle_changes_nothing(address, on_one_core):
    with worker(address) as (second, _):
        counted = []

        def played(nights):
            second.kill()
            counted.append(nights)

        [tally] = simulate([SERIES], cluster=address, played=played)
    assert (timeless(tally), sum(counted)) == (on_one_core, SERIES.games)


def test_a_worker_that_comes_later_plays_too(on_one_core):
    with scheduler() as (_, address), ExitStack() as workers:
        first, _ = workers.enter_context(worker(address))

        def played(_):
            if first.poll() is None:
                first.kill()  # nobody is left who plays
                workers.enter_context(worker(address))

        [tally] = simulate([SERIES], cluster=address, played=played)
    assert timeless(tally) == on_one_core


def test_the_program_prints_what_it_prints_without_a_cluster(address, capsys):
    arguments = ["simulate", "--json", "--games", "20", "--seed", "5"]
    assert main(arguments) == main([*arguments, "--cluster", address]) == 0
    here, there = map(json.loads, capsys.readouterr().out.splitlines())
    assert {**here, "nights_per_second": 0} == {**there, "nights_per_second": 0}


def test_at_a_terminal_progress_is_shown_and_an_interrupt_ends_it_quietly(address):
    ours, theirs = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "seance", "simulate", "--games", "100000", "--cluster", address],
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # also where the tests run deaf to it
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    screen = b""
    with suppress(OSError):  # the other end is closed
        while not re.search(rb"[1-9]\d*/100000 nights \d+:\d\d:\d\d", COLOUR.sub(b"", screen)):  # with the time left
            screen += os.read(ours, 4096)
        os.killpg(program.pid, signal.SIGINT)
        while chunk := os.read(ours, 4096):
            screen += chunk
    os.close(ours)
    assert program.wait(timeout=30) == 130
    assert (program.stdout.read(), b"Traceback" in screen) == (b"", False)
    program.stdout.close()


def test_a_worker_with_other_rules_is_named(address, monkeypatch):
    monkeypatch.setattr(cluster, "RULES_DIGEST", "of rules to come")
    with pytest.raises(SimulationFailed, match=r"the worker at tcp://127\.0\.0\.1:\d+ has other rules: install"):
        simulate([SERIES], cluster=address)


def test_a_scheduler_that_goes_away_is_told_in_one_line():
    with scheduler() as (process, address), worker(address), pytest.raises(SimulationFailed) as told:
        simulate([replace(SERIES, games=5000)], cluster=address, played=lambda _: process.kill())
    assert str(told.value) == f"the Dask scheduler at {address} went away before the last night"


def test_a_scheduler_without_workers_is_told_how_to_get_one(monkeypatch):
    monkeypatch.setattr(cluster, "FIRST_WORKER_TIMEOUT_S", 0.2)
    with scheduler() as (_, address), pytest.raises(SimulationFailed) as told:
        simulate([SERIES], cluster=address)
    assert f"{address} has no worker: start one with `dask worker {address} " in str(told.value)


@pytest.mark.parametrize("address", ["127.0.0.1:9", "nonsense://x", ""])
def test_an_address_without_a_scheduler_is_one_clear_line(address, capsys, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT_S", 1)
    assert main(["simulate", "--games", "1", "--cluster", address]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == (
        "",
        f"seance: no Dask scheduler answers at '{address}': start one with `dask scheduler`\n",
    )


def test_dask_is_imported_only_for_a_cluster_and_named_where_it_is_missing():
    told = subprocess.run([sys.executable, "-c", WITHOUT_DASK], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert told.stderr == "seance: there is no distributed: run `pip install 'seance[cluster]'`\n"
