"""`seance engine`: the rules as a program for other programs."""

import argparse
import sys

from seance import settings
from seance.engine import Engine, serve
from seance.programs.command_line import Commands, add_config
from seance.programs.owner_settings import editions_with_settings


def add_parser(commands: Commands) -> None:
    """Add `engine` to the command line."""
    parser = commands.add_parser(
        "engine", description="Apply the rules to commands: one JSON object a line in, one a line out."
    )
    add_config(parser)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    serve(sys.stdin.buffer, sys.stdout.buffer, Engine(editions_with_settings(settings.load(args.config), args.config)))
    return 0
