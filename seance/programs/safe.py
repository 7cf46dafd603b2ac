"""`seance safe`: the coil that the service has driven, or that of the board in the settings, is driven low for good."""

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
    from hardware.safe import drive_low, make_safe, remembered_coil

    try:
        # Not the settings first: they may have been changed, or spoilt, since the house began to knock.
        coil = remembered_coil()
        done = make_safe(load(settings.load(args.config).body.board)) if coil is None else drive_low(coil)
        sys.stdout.write(f"{done}\n")
    except (BadBoard, BodyTrouble) as trouble:
        sys.stderr.write(f"seance safe: {trouble}\n")
        return 1
    return 0
