"""`seance simulate`: bots play many nights; win rates are printed and drawn."""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from seance.programs.command_line import Commands, add_out
from seance.rules import EDITIONS, Edition, apply
from seance.rules.bots import Company
from seance.simulation.play import NightTally, Series, SimulationFailed, simulate
from seance.simulation.report import SeriesTallies, as_json, draw_win_rates, print_all, print_one

DEFAULT_PICTURE = Path("simulation.svg")


class Unplayable(ValueError):
    """The arguments cannot be simulated."""


def add_parser(commands: Commands) -> None:
    """Add `simulate` to the command line."""
    parser = commands.add_parser("simulate", description="Bots play many nights; see how they end.")
    add = parser.add_argument
    add("--edition", metavar="E", help=f"{', '.join(EDITIONS)} (libellud)")
    add("--players", metavar="N", type=int, help="as many as the edition is for, the ghost included (5)")
    add("--level", metavar="L", help="as the edition calls it (its second, where it has one)")
    add("--variant", metavar="V", help="as the edition calls it (none)")
    add("--games", metavar="G", type=int, help="nights to play (1000; with --all 200 of each kind)")
    add("--seed", metavar="S", type=int, default=1, help="the same seed plays the same nights (%(default)s)")
    add("--bot", choices=("company", "random"), default="company", help="a plausible table, or one that does anything")
    add("--skill", metavar="P", type=float, default=Company.skill,
        help="how likely a vision is to rule out a wrong card for the company (%(default)s)")  # fmt: skip
    add("--accuracy", metavar="P", type=float,
        help="how likely a psychic of the company is to choose right, whatever the visions say")  # fmt: skip
    add("--jobs", metavar="J", type=int, default=1, help="cores to use, 0 for all (%(default)s)")
    add("--all", action="store_true", help="each edition, level and number of players that is not given")
    add_out(parser, "FILE.svg", f"where --all draws the win rates ({DEFAULT_PICTURE})", alias="--picture")
    add("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the series that *args* ask for, and show the results."""
    try:
        _check_arguments(args)
        all_series = list(_requested_series(args))
        start = time.perf_counter()
        tallies = _simulate_with_progress(all_series, args.jobs or len(os.sched_getaffinity(0)))
        speed = sum(tally.games for tally in tallies) / (time.perf_counter() - start)
        (_show_all if args.all else _show_one)(args, list(zip(all_series, tallies, strict=True)), speed)
    except (Unplayable, SimulationFailed) as trouble:
        sys.stderr.write(f"seance: {trouble}\n")
        return 2
    return 0


def _check_arguments(args: argparse.Namespace) -> None:
    if args.edition is not None and args.edition not in EDITIONS:
        raise Unplayable(f"no edition is called '{args.edition}': one of {', '.join(EDITIONS)}")
    if args.games is not None and args.games < 1:
        raise Unplayable(f"{args.games} nights cannot be played: at least 1")
    if args.jobs < 0:
        raise Unplayable(f"{args.jobs} cores cannot be used: at least 1, or 0 for all")
    for name, share in (("skill", args.skill), ("accuracy", args.accuracy)):
        if share is not None and not 0 <= share <= 1:
            raise Unplayable(f"--{name} {share:g} is no probability: 0 to 1")
    if args.out is not None and not args.all:
        raise Unplayable("--out goes with --all")
    if args.out is not None and not args.out.parent.is_dir():
        raise Unplayable(f"{args.out} cannot be drawn: there is no such folder")


def _requested_series(args: argparse.Namespace) -> Iterator[Series]:
    """Yield all_series series that *args* ask for, or raise Refusal where the rules do not allow it."""
    every: Iterable[str] = EDITIONS if args.all else ["libellud"]
    for edition in [args.edition] if args.edition is not None else every:
        levels = tuple(EDITIONS[edition].levels)
        for level in [args.level] if args.level is not None else levels if args.all else levels[:2][-1:]:
            for players in _players(args, EDITIONS[edition]):
                series = Series(
                    edition=edition,
                    players=players,
                    level=level,
                    variant=args.variant,
                    games=args.games or (200 if args.all else 1000),
                    seed=args.seed,
                    bot=args.bot,
                    skill=args.skill,
                    accuracy=args.accuracy,
                )
                apply(None, series.begin(0))
                yield series


def _players(args: argparse.Namespace, edition: Edition) -> Iterable[int]:
    if args.players is not None:
        return [args.players]
    return edition.players if args.all else [min(max(5, edition.least_players), edition.most_players)]


def _simulate_with_progress(all_series: Sequence[Series], jobs: int) -> list[NightTally]:
    """Play all series, with a progress bar at a terminal, and return their tallies."""
    columns = (
        TextColumn("playing"),
        BarColumn(None),
        MofNCompleteColumn(),
        TextColumn("nights"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=sum(series.games for series in all_series))
        return simulate(all_series, jobs=jobs, played=lambda nights: progress.advance(task, nights))


def _show_one(args: argparse.Namespace, played: SeriesTallies, speed: float) -> None:
    [(series, tally)] = played
    if args.json:
        sys.stdout.write(json.dumps(as_json(series, tally) | {"nights_per_second": speed}) + "\n")
    else:
        print_one(series, tally, speed)


def _show_all(args: argparse.Namespace, played: SeriesTallies, speed: float) -> None:
    path = args.out or DEFAULT_PICTURE
    try:
        path.write_text(draw_win_rates(played), encoding="utf-8")
    except OSError as error:
        raise Unplayable(f"{path} cannot be drawn: {error.strerror}") from None
    if args.json:
        rows = [as_json(series, tally) for series, tally in played]
        sys.stdout.write(json.dumps({"rows": rows, "picture": str(path), "nights_per_second": speed}) + "\n")
    else:
        print_all(played, path, speed)
