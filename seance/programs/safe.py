"""`seance safe`: drive the coil that the service last used, or the one of the board in the settings, low."""

from __future__ import annotations

import argparse
import sys

from seance import settings
from seance.plain_text import error_line
from seance.programs.command_line import Commands, add_config


def add_parser(commands: Commands) -> None:
    """Add `safe` to the command line."""
    description = "Switch the coil of the board off, and leave it so; the service does it after every stop."
    parser = commands.add_parser("safe", description=description)
    add_config(parser)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    from hardware.board import BadBoard, load_board
    from hardware.failsafe import drive_coil_low, drive_pin_low, recall_coil
    from hardware.pins import HardwareError

    try:
        # The recalled pin comes first: the settings may have changed, or broken, since the service started.
        pin = recall_coil()
        done = drive_coil_low(load_board(settings.load(args.config).body.board)) if pin is None else drive_pin_low(pin)
        sys.stdout.write(f"{done}\n")
    except BadBoard as error:
        from seance.programs.configuration_errors import configuration_error

        sys.stderr.write(f"seance: {error_line(configuration_error(error, args.config) or error)}\n")
        return 2
    except HardwareError as error:
        sys.stderr.write(f"seance: {error_line(error)}\n")
        return 1
    return 0
