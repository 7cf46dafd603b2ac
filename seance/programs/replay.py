"""`seance replay`: a night told again, step by step."""

import argparse
import sys

from rich.console import Console

from seance import settings
from seance.programs.command_line import Commands, add_config
from seance.programs.journals import add_night, day, night_of, plainly
from seance.programs.owner import names_of
from seance.replay.terminal import Retelling
from seance.rules import Seat


def add_parser(commands: Commands) -> None:
    """Add `replay` to the command line."""
    parser = commands.add_parser("replay", description="Tell a night again.")
    add_config(parser)
    add_night(parser)
    parser.add_argument("--seat", choices=tuple(Seat), default=Seat.ROOM, type=Seat,
                        help="as the room saw it, or as the ghost did: with all secrets (%(default)s)")  # fmt: skip
    parser.add_argument("--step", action="store_true", help="show the table after each step, and wait for return")
    parser.set_defaults(run=plainly(_run))


def _run(args: argparse.Namespace) -> int:
    night = night_of(args)
    names = names_of(settings.load(args.config)) | dict(night.names)
    console = Console(width=None if sys.stdout.isatty() else 100)
    console.print(f"[bold]Night {night.number}[/], {day(night.begun)}", highlight=False)
    pause = (lambda: console.input("[dim]return: the next step[/] ")) if args.step else None
    try:
        Retelling(console, seat=args.seat, names=names).tell(night, pause=pause)
    except EOFError:
        console.print()
    return 0
