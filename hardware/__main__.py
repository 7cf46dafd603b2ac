"""`python -m hardware`: try every device of a board, print its header, or drive the coil low."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from hardware.bench import USUAL_HOURS, run_bench
from hardware.board import BadBoard, board_names, load_board
from hardware.body import open_body
from hardware.failsafe import drive_coil_low
from hardware.header import header_table
from hardware.pins import HardwareError


def main(arguments: Sequence[str] | None = None, *, pin_factory: Any = None) -> int:
    """Run the command line and return the exit status; *pin_factory* replaces this machine's pins."""
    parser = argparse.ArgumentParser(
        prog="python -m hardware", description="Try, print or switch off the devices of a board."
    )
    parser.add_argument(
        "command",
        nargs="?",
        choices=("bench", "pins", "safe"),
        default="bench",
        help="bench: every device in turn; pins: what goes where; safe: the coil off (default: bench)",
    )
    parser.add_argument(
        "--board",
        metavar="NAME",
        default="breadboard",
        help=f"{', '.join(board_names())}, or a .toml file (default: breadboard)",
    )
    parser.add_argument(
        "--hours", type=int, default=USUAL_HOURS, metavar="N", help=f"hours of a night (default: {USUAL_HOURS})"
    )
    parser.add_argument(
        "--listen", type=float, metavar="N", default=30.0, help="seconds in which the bench shows presses (default: 30)"
    )
    options = parser.parse_args(arguments)
    if options.hours < 1:
        parser.error(f"argument --hours: {options.hours} is no number of hours, at least 1")
    logging.basicConfig(format="%(message)s")
    console = Console()
    try:
        board = load_board(options.board)
        if options.command == "pins":
            console.print(header_table(board))
        elif options.command == "safe":
            print(drive_coil_low(board, pin_factory=pin_factory))
        else:
            with open_body(board, pin_factory=pin_factory) as body:
                run_bench(body, console, listen=options.listen, hours=options.hours)
    except (BadBoard, HardwareError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, BadBoard) else 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
