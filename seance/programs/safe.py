"""`seance safe`: the coil of the board in the settings is driven low, and stays so."""

from __future__ import annotations

import argparse
import sys

from seance import settings
from seance.programs.command_line import Commands, add_config


def add_parser(commands: Commands) -> None:
    """Add `safe` to the command line."""
    tells = "Drive the coil of the board low and leave it so; the service does it after every stop."
    parser = commands.add_parser("safe", description=tells)
    add_config(parser)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    from hardware.board import BadBoard, load
    from hardware.pins import BodyTrouble
    from hardware.safe import make_safe

    try:
        sys.stdout.write(f"{make_safe(load(settings.load(args.config).body.board))}\n")
    except (BadBoard, BodyTrouble) as trouble:
        sys.stderr.write(f"seance safe: {trouble}\n")
        return 1
    return 0
