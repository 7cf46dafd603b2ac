"""How fast the rules are, compared with other Python engines in the same run on the same core."""

import argparse
import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from random import Random

import chess
import rlcard
from rich.console import Console
from rich.table import Table
from rlcard.agents import RandomAgent

from seance.engine import Engine
from seance.rules import LIBELLUD, Begin, Bet, Command, GiveVision, PlaceIntuition, Psychic, TurnSand, apply
from seance.rules.bots import Company, play

ROUNDS = 5
"""How often each engine is measured, in turn with the others; the best round counts, as the least disturbed."""
SLICE_S = 0.4
"""Length of one measurement."""

Steps = Iterator[int]
"""A workload: each item does some work, and is the number of steps of it."""


def record_nights() -> list[list[Command]]:
    """Return the commands of whole nights, so that the bots' own time is not counted."""
    return [[command for command, _, _ in play_night(seed)] for seed in range(60)]


def play_night(seed: int):
    begin = Begin(edition=LIBELLUD, players=5, level="medium", seed=seed)
    return play(begin, Company(Random(seed)))


def apply_commands() -> Steps:
    for night in cycle(record_nights()):
        state = None
        for command in night:
            state, _ = apply(state, command)
        yield len(night)


def play_nights() -> Steps:
    seed = 0
    while True:
        for _ in play_night(seed := seed + 1):
            pass
        yield 1


def self_play(game: str) -> Steps:
    env = rlcard.make(game, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    done = 0
    while True:
        env.run(is_training=False)
        yield env.timestep - done
        done = env.timestep


def push_chess_moves() -> Steps:
    chance, board = Random(1), chess.Board()
    game: list[chess.Move] = []
    while not board.is_game_over() and len(game) < 80:
        game.append(chance.choice(list(board.legal_moves)))
        board.push(game[-1])
    board.reset()
    while True:
        for move in game:
            board.push(move)
        for _ in game:
            board.pop()
        yield 2 * len(game)


def rate(steps: Steps) -> float:
    """Return steps per second of this core's time."""
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SLICE_S:
        done += next(steps)
    return done / spent


def best_rates(things: dict[str, Steps], times: int) -> dict[str, float]:
    for steps in things.values():
        next(steps)
    gc.collect()
    gc.freeze()  # what the other engines keep in memory must not slow down the one that is measured
    rounds = [{name: rate(steps) for name, steps in things.items()} for _ in range(times)]
    return {name: max(each[name] for each in rounds) for name in things}


def long_hour() -> dict[str, float]:
    """Return microseconds for a move and a bet in the first and the last of 5,000 rounds of one hour."""
    state, _ = apply(None, Begin(edition=LIBELLUD, players=7, level="hard", seed=1))
    for psychic in Psychic:
        state, _ = apply(state, GiveVision(psychic=psychic, count=1))
    state, _ = apply(state, TurnSand())
    first, second = state.table.character[:2]
    spent = []
    for turn in range(5000):
        moves = (
            PlaceIntuition(psychic=Psychic.RED, card=(first, second)[turn % 2]),
            Bet(by=Psychic.BLUE, on=Psychic.RED, agrees=bool(turn % 2)),
        )
        began = time.perf_counter()
        for move in moves:
            state, _ = apply(state, move)
        spent.append((time.perf_counter() - began) / len(moves) * 1e6)
    return {"first_500_us": statistics.median(spent[:500]), "last_500_us": statistics.median(spent[-500:])}


def measure_engine() -> dict[str, dict[str, float]]:
    """Return milliseconds that the engine takes for an answer, within this process and as a program over pipes."""
    begin = b'{"command": "begin", "edition": "libellud", "players": 5, "level": "medium", "seed": 1}'
    asks = {
        "two commands": (
            b'{"command": "give_vision", "psychic": "red", "count": 1}',
            b'{"command": "take_back", "psychic": "red"}',
        ),
        "room's view": (b'{"view": "room"}',),
        "ghost's view": (b'{"view": "ghost"}',),
        "legal": (b'{"legal": "room"}',),
    }
    engine = Engine()
    engine.answer(begin)
    within = {
        name: measure_ms(lambda lines=lines: [engine.answer(line) for line in lines]) for name, lines in asks.items()
    }
    with subprocess.Popen(
        [sys.executable, "-m", "seance", "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:

        def ask(*lines: bytes) -> None:
            for line in lines:
                program.stdin.write(line + b"\n")
                program.stdin.flush()
                program.stdout.readline()

        ask(begin)
        over_pipes = {name: measure_ms(lambda lines=lines: ask(*lines)) for name, lines in asks.items()}
        program.stdin.close()
    columns = ("median", "95th", "pipe_median", "pipe_95th")
    return {name: dict(zip(columns, within[name] + over_pipes[name], strict=True)) for name in asks}


def measure_ms(work: Callable[[], object], times: int = 1000) -> tuple[float, float]:
    """Return median and 95th percentile in milliseconds."""
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        spent.append((time.perf_counter() - began) * 1000)
    return statistics.median(spent), statistics.quantiles(spent, n=20)[18]


def measure_import_ms(modules: str) -> float:
    """Return the milliseconds that importing takes in a fresh process: the best of twenty."""
    code = f"import time; began = time.process_time(); import {modules}; print((time.process_time() - began) * 1000)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(20)]
    return min(float(run.stdout) for run in runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round instead of several")
    rounds = 1 if parser.parse_args().quick else ROUNDS
    games = (
        "blackjack",
        "leduc-holdem",
        "limit-holdem",
        "no-limit-holdem",
        "doudizhu",
        "mahjong",
        "uno",
        "gin-rummy",
        "bridge",
    )
    things = {
        "apply, commands": apply_commands(),
        "whole nights": play_nights(),
        **{f"rlcard {game}, steps": self_play(game) for game in games},
        "python-chess, push and pop": push_chess_moves(),
    }
    rates = best_rates(things, rounds)
    ours = rates["apply, commands"]
    ratios = {name: ours / other for name, other in rates.items() if "rlcard" in name or "chess" in name}
    result = {
        "per_second": rates,
        "times_as_fast_as": ratios,
        "times_as_fast_as_rlcard": statistics.median(ratio for name, ratio in ratios.items() if "rlcard" in name),
        "long_hour": long_hour(),
        "engine_ms": measure_engine(),
        "import_ms": {name: measure_import_ms(name) for name in ("seance.rules", "dataclasses, enum, typing")},
    }
    show(result)
    folder = Path("bench-results")
    folder.mkdir(exist_ok=True)
    (folder / "rules.json").write_text(json.dumps(result, indent=1) + "\n")


def show(result: dict[str, dict[str, object]]) -> None:
    console = Console()
    speed = Table("5 players, medium, one core", "per second", "apply is faster by", title="rules")
    for name, each in result["per_second"].items():
        ratio = result["times_as_fast_as"].get(name)
        speed.add_row(name, f"{each:,.0f}", f"{ratio:.1f} times" if ratio else "")
    console.print(speed)
    console.print(f"faster than the median of RLCard's games by {result['times_as_fast_as_rlcard']:.1f} times")
    answers = Table("ask `seance engine`", "median ms", "95th ms", "over pipes", "95th", title="answers")
    for name, each in result["engine_ms"].items():
        answers.add_row(name, *(f"{value:.3f}" for value in each.values()))
    console.print(answers)
    console.print("one command in a long hour (µs):", result["long_hour"])
    console.print("import (ms):", result["import_ms"])


if __name__ == "__main__":
    main()
