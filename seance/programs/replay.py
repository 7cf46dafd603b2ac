"""`seance replay`: shows a recorded night again, step by step."""

import argparse
import sys

from rich.console import Console
from rich.text import Text

from seance import settings
from seance.programs.command_line import Commands, add_config
from seance.programs.journal_arguments import add_night_argument, format_time, load_night, report_journal_errors
from seance.programs.owner_settings import psychic_names
from seance.replay.terminal_replay import Replay
from seance.rules import Seat


def add_parser(commands: Commands) -> None:
    """Add `replay` to the command line."""
    parser = commands.add_parser("replay", description="Tell a night again.")
    add_config(parser)
    add_night_argument(parser)
    parser.add_argument("--seat", choices=tuple(Seat), default=Seat.ROOM, type=Seat,
                        help="as the room saw it, or as the ghost did: with all secrets (%(default)s)")  # fmt: skip
    parser.add_argument("--step", action="store_true", help="show the table after each step, and wait for return")
    parser.set_defaults(run=report_journal_errors(_run))


def _run(args: argparse.Namespace) -> int:
    night = load_night(args)
    names = psychic_names(settings.load(args.config)) | dict(night.names)
    console = Console(width=None if sys.stdout.isatty() else 100)
    console.print(Text.assemble((f"Night {night.number}", "bold"), f", {format_time(night.begun)}"), highlight=False)
    pause = (lambda: console.input("[dim]return: the next step[/] ")) if args.step else None
    try:
        Replay(console, seat=args.seat, names=names).play(night, pause=pause)
    except EOFError:
        console.print()
    return 0
