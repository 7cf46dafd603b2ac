"""`seance simulate`: bots play many nights; win rates are printed and drawn."""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from seance.programs.command_line import Commands, add_out
from seance.rules import EDITIONS, Edition, apply
from seance.rules.bots import Company
from seance.simulation.play import NightTally, Series, SimulationFailed, simulate
from seance.simulation.report import SeriesTallies, as_json, draw_win_rates, print_all, print_one, tabulate_win_rates

DEFAULT_PICTURE = Path("simulation.svg")


class Unplayable(ValueError):
    """The arguments cannot be simulated."""


def add_parser(commands: Commands) -> None:
    """Add `simulate` to the command line."""
    parser = commands.add_parser("simulate", description="Let bots play many nights, and count how they end.")
    add = parser.add_argument
    add("--edition", metavar="NAME", help=f"{', '.join(EDITIONS)} (default: libellud)")
    add("--players", metavar="N", type=int, help="as many as the edition is for, the ghost included (default: 5)")
    add("--level", metavar="LEVEL", help="as the edition calls it (default: its second, or its only one)")
    add("--variant", metavar="NAME", help="as the edition calls it (default: none)")
    add("--games", metavar="N", type=int, help="nights to play (default: 1000; with --all 200 of each kind)")
    add("--seed", metavar="N", type=int, default=1, help="the same seed plays the same nights (default: %(default)s)")
    add(
        "--bot",
        choices=("company", "random"),
        default="company",
        help="a plausible company, or one that plays at random (default: %(default)s)",
    )
    add(
        "--skill",
        metavar="P",
        type=float,
        nargs="+",
        default=[Company.skill],
        help=f"how likely a vision rules out a wrong card (default: {Company.skill}); several with --all",
    )
    add("--accuracy", metavar="P", type=float,
        help="how likely a psychic of the company is to choose right, whatever the visions say")  # fmt: skip
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs", metavar="N", type=int, default=1, help="cores to use, 0 for all (default: %(default)s)"
    )
    where.add_argument("--cluster", metavar="ADDRESS",
        help="play on the workers of this Dask scheduler, such as tcp://192.168.1.20:8786")  # fmt: skip
    add("--all", action="store_true", help="play each edition, level and number of players that is not given")
    add_out(parser, "FILE.svg", f"where --all draws the win rates (default: {DEFAULT_PICTURE})", alias="--picture")
    add("--table", metavar="FILE.md", type=Path, help="where --all writes the win rates with their intervals")
    add("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the series that *args* ask for, and show the results."""
    try:
        _check_arguments(args)
        all_series = list(_requested_series(args))
        start = time.perf_counter()
        tallies = _simulate_with_progress(all_series, args.jobs or len(os.sched_getaffinity(0)), args.cluster)
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
    for name, share in (*(("skill", skill) for skill in args.skill), ("accuracy", args.accuracy)):
        if share is not None and not 0 <= share <= 1:
            raise Unplayable(f"--{name} {share:g} is no probability: 0 to 1")
    if not args.all:
        for name, is_given in (("--out", args.out), ("--table", args.table), ("more than one --skill", args.skill[1:])):
            if is_given:
                raise Unplayable(f"{name} goes with --all")
    if args.out is not None and args.out.suffix.lower() not in ("", ".svg"):
        raise Unplayable(f"{args.out} cannot be drawn: the name of the file must end in .svg")
    for path, what in ((args.out, "drawn"), (args.table, "written")):
        if path is not None and not path.parent.is_dir():
            raise Unplayable(f"{path} cannot be {what}: there is no such folder")


def _requested_series(args: argparse.Namespace) -> Iterator[Series]:
    """Yield the series that *args* ask for, or raise Refusal where the rules do not allow it."""
    every: Iterable[str] = EDITIONS if args.all else ["libellud"]
    for edition in [args.edition] if args.edition is not None else every:
        levels = tuple(EDITIONS[edition].levels)
        for level in [args.level] if args.level is not None else levels if args.all else levels[:2][-1:]:
            for players, skill in product(_players(args, EDITIONS[edition]), args.skill):
                series = Series(
                    edition=edition,
                    players=players,
                    level=level,
                    variant=args.variant,
                    games=args.games or (200 if args.all else 1000),
                    seed=args.seed,
                    bot=args.bot,
                    skill=skill,
                    accuracy=args.accuracy,
                )
                apply(None, series.begin(0))
                yield series


def _players(args: argparse.Namespace, edition: Edition) -> Iterable[int]:
    if args.players is not None:
        return [args.players]
    return edition.players if args.all else [min(max(5, edition.least_players), edition.most_players)]


def _simulate_with_progress(all_series: Sequence[Series], jobs: int, cluster: str | None) -> list[NightTally]:
    """Play all series, with a progress bar and the time left at a terminal, and return their tallies."""
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
        return simulate(all_series, jobs=jobs, cluster=cluster, played=lambda nights: progress.advance(task, nights))


def _show_one(args: argparse.Namespace, played: SeriesTallies, speed: float) -> None:
    [(series, tally)] = played
    if args.json:
        sys.stdout.write(json.dumps(as_json(series, tally) | {"nights_per_second": speed}) + "\n")
    else:
        print_one(series, tally, speed)


def _show_all(args: argparse.Namespace, played: SeriesTallies, speed: float) -> None:
    path = args.out or DEFAULT_PICTURE
    _write(path, draw_win_rates(played), "drawn")
    if args.table is not None:
        _write(args.table, tabulate_win_rates(played), "written")
    if args.json:
        rows = [as_json(series, tally) for series, tally in played]
        sys.stdout.write(json.dumps({"rows": rows, "picture": str(path), "nights_per_second": speed}) + "\n")
    else:
        print_all(played, path, speed)


def _write(path: Path, text: str, what: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Unplayable(f"{path} cannot be {what}: {error.strerror}") from None
