"""Arguments, error reports and formats that the programs of the journal share."""

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from seance import settings
from seance.journal import BadDocument, BadJournal, JournalReader, Night, NoJournal
from seance.plain_text import error_line, strip_controls

LAST, NOW = 0, -1
"""Stand for the numbers of the last night, and of the one under way."""


def journal_path_of(args: argparse.Namespace) -> Path:
    """Return the path of the journal in the settings that *args* name."""
    return settings.journal_path(settings.load(args.config))


def add_night_argument(parser: argparse.ArgumentParser) -> None:
    """Add the number of a night to *parser*."""
    parser.add_argument("number", type=_number, metavar="N", help="its number in `seance nights`, or `last`, or `now`")


def load_night(args: argparse.Namespace, *, last_is_over: bool = True) -> Night:
    """Return the night that *args* name from the journal, and print what is lost of it; or raise BadJournal.

    With *last_is_over*, `last` is the last night that is over, if any is.
    """
    with JournalReader.open(journal_path_of(args)) as reader:
        if args.number in (LAST, NOW) and not reader.numbers():
            raise NoJournal(
                f"{reader.folder.path}: there is no night yet: nights are written down when they are played"
            )
        if args.number == LAST and last_is_over:
            number = _last_over(reader)
        else:
            number = max(reader.numbers(), default=0) if args.number in (LAST, NOW) else args.number
        night = reader.night(number)
    if night.damage is not None:
        sys.stderr.write(f"seance: {error_line(night.damage)}\n")
    return night


def report_journal_errors(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Return *run* with errors of a journal or document turned into one line and exit code 2."""

    def run_and_report(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except (BadJournal, BadDocument) as error:
            sys.stderr.write(f"seance: {error_line(error)}\n")
            return 2

    return run_and_report


def format_duration(seconds: float) -> str:
    """Return *seconds* as H:MM."""
    minutes = round(seconds / 60)
    return f"{minutes // 60}:{minutes % 60:02}"


def format_time(stamp: str) -> str:
    """Return the ISO 8601 *stamp* as date and time of its own time zone."""
    try:
        return f"{datetime.fromisoformat(stamp):%Y-%m-%d %H:%M}"
    except ValueError:  # an imported document may have any text
        return strip_controls(stamp)


def _last_over(reader: JournalReader) -> int:
    """Return the number of the last night that is over; where none is, that of the last one."""
    for number in reversed(reader.numbers()):
        with suppress(BadJournal, OSError):
            if reader.summary(number).outcome is not None:
                return number
    return max(reader.numbers(), default=0)


def _number(text: str) -> int:
    if text in ("last", "now"):
        return LAST if text == "last" else NOW
    if text.isdecimal() and int(text) > 0:
        return min(int(text), 2**62)
    raise argparse.ArgumentTypeError(f"a night is a number from 1, `last` or `now`, not {text!r}")
