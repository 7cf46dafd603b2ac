"""What the programs that read the journal share."""

import argparse
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from seance import settings
from seance.journal import BadDocument, BadJournal, Night, NightDatabase


def journal_of(args: argparse.Namespace) -> Path:
    """Return the journal that *args* and the settings name."""
    return settings.journal_path(settings.load(args.config))


def add_night(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take the number of a night."""
    parser.add_argument("number", type=_number, metavar="N", help="as `seance nights` lists it, or `last`")


def night_of(args: argparse.Namespace) -> Night:
    """Return the night that *args* name, or raise BadJournal."""
    with NightDatabase.open_for_reading(journal_of(args)) as file:
        number = args.number or max(file.numbers(), default=0)
        return file.night(number)


def plainly(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Return *run* so that what is wrong with a journal or a document is one line and exit code 2."""

    def told(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except (BadJournal, BadDocument) as error:
            sys.stderr.write(f"seance: {error}\n")
            return 2

    return told


def lasted(seconds: float) -> str:
    """Return *seconds* as hours and minutes."""
    minutes = round(seconds / 60)
    return f"{minutes // 60}:{minutes % 60:02}"


def day(stamp: str) -> str:
    """Return the day and the time of *stamp*, as the clock on the wall showed it."""
    try:
        return f"{datetime.fromisoformat(stamp):%Y-%m-%d %H:%M}"
    except ValueError:  # it came with a document
        return stamp


def _number(text: str) -> int:
    if text == "last":
        return 0
    if text.isdecimal() and int(text) > 0:
        return min(int(text), 2**62)
    raise argparse.ArgumentTypeError(f"a night is a number from 1, or `last`, not {text!r}")
