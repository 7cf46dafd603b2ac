"""`seance nights`: lists, exports, imports, backs up and recovers recorded nights."""

import argparse
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seance.journal import (
    BadDocument,
    BadJournal,
    Journal,
    JournalReader,
    NightSummary,
    NoJournal,
    back_up,
    export_document,
    find_nights,
    folder_of,
    import_document,
)
from seance.languages import language_codes
from seance.plain_text import error_line, strip_controls
from seance.programs.command_line import Commands, add_config, add_out, as_sentence
from seance.programs.journal_arguments import (
    add_night_argument,
    format_duration,
    format_time,
    journal_path_of,
    load_night,
    report_journal_errors,
)
from seance.text_files import shorten

MAX_DOCUMENT_BYTES = 20_000_000
"""Size of the largest document that is imported; a night has less than 100 kB."""
MAX_COLUMNS = {"edition": 13, "level": 9}
"""Widths at a terminal, where longer words go on in the next line, so that the end of a night fits into its own."""


def add_parser(commands: Commands) -> None:
    """Add `nights` and its verbs to the command line."""
    parser = commands.add_parser(
        "nights", description="List, export, import, back up or recover the nights that were played."
    )
    add_config(parser)
    parser.set_defaults(run=report_journal_errors(_list), json=False)
    verbs = parser.add_subparsers(metavar="list | export | import | backup | recover | path")
    listing = _verb(verbs, "list", _list, "list all nights, the last one last")
    listing.add_argument("--json", action="store_true", help="print one JSON array")
    export = _verb(verbs, "export", _export, "write a night as a JSON document, secrets included")
    add_night_argument(export)
    export.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="where to write it (default: standard output)"
    )
    add_out(export, "FILE", "the same as FILE")
    bring = _verb(verbs, "import", _import, "import a night from a JSON document")
    bring.add_argument("file", type=Path, metavar="FILE", help="a document that `seance nights export` wrote")
    backup = _verb(verbs, "backup", _back_up, "copy every night to another folder")
    place = backup.add_mutually_exclusive_group(required=True)
    place.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="where the copies go")
    place.add_argument("--out", type=Path, metavar="FOLDER", help="the same as FOLDER")
    recover = _verb(verbs, "recover", _recover, "recover nights from files that were set aside or backed up")
    recover.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a .night, .sqlite, or a folder of them")
    _verb(verbs, "path", _path, "print where the journal is")


def _verb(verbs: Commands, name: str, run: Callable[[argparse.Namespace], int], tells: str) -> argparse.ArgumentParser:
    parser = verbs.add_parser(name, help=tells, description=as_sentence(tells))
    add_config(parser, is_verb=True)
    parser.set_defaults(run=report_journal_errors(run))
    return parser


def _list(args: argparse.Namespace) -> int:
    summaries = _summaries(journal_path_of(args))
    if args.json:
        sys.stdout.write(json.dumps([_as_json(summary) for summary in summaries], indent=1) + "\n")
    elif summaries:
        _print_table(summaries)
    else:
        sys.stdout.write("No night has been written down yet.\n")
    return 0


def _summaries(path: Path) -> list[NightSummary]:
    """Return the summaries of all readable nights, and print a line for each that is damaged or cannot be read."""
    summaries, complaints = list[NightSummary](), list[str]()
    with suppress(NoJournal), JournalReader.open(path) as reader:
        summaries, complaints = reader.examine()
    for complaint in complaints:
        sys.stderr.write(f"seance: {error_line(complaint)}\n")
    return summaries


def _print_table(summaries: list[NightSummary]) -> None:
    """Print a table: in 80 columns at a terminal, each night on one line for a pipe."""
    at_terminal = sys.stdout.isatty()
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0) if at_terminal else (0, 1))
    rows = [_cells(summary) for summary in summaries]
    for head in rows[0]:
        if head != "steps" or not at_terminal:
            widest = MAX_COLUMNS.get(head) if at_terminal else None
            can_wrap = head in ("edition", "level", "ended")
            table.add_column(head, no_wrap=not can_wrap, max_width=widest, overflow="fold" if can_wrap else "ellipsis")
    for row in rows:
        cells = [_spell(cell) for head, cell in row.items() if head != "steps"] if at_terminal else row.values()
        table.add_row(*(Text(strip_controls(cell)) for cell in cells))
    Console(width=None if at_terminal else 200, highlight=False).print(table)


def _spell(cell: str) -> str:
    """Return *cell* in words that can be wrapped.

    >>> _spell("manual (full_investigation)")
    'manual, full investigation'
    """
    return cell.replace("_", " ").replace(" (", ", ").removesuffix(")")


def _cells(summary: NightSummary) -> dict[str, str]:
    """Return what is told of a night, by the heads of the table."""
    values = _as_json(summary)
    return {
        "night": str(values["night"]),
        "begun": format_time(values["begun"]),
        "edition": f"{values['edition']} ({values['variant']})" if values["variant"] else values["edition"],
        "level": values["level"],
        "players": str(values["players"]),
        "steps": str(values["steps"]),
        "lasted": format_duration(summary.played),
        "ended": _describe_outcome(summary),
    }


def _describe_outcome(summary: NightSummary) -> str:
    if summary.outcome is None:
        return "not yet"
    return f"{'won' if summary.outcome.won else 'lost'}: {summary.outcome.reason.replace('_', ' ')}"


def _as_json(summary: NightSummary) -> dict[str, Any]:
    night, begin, outcome = summary.night, summary.begin, summary.outcome
    return {
        "night": night.number,
        "uid": night.uid,
        "begun": night.begun,
        "language": night.language,
        "edition": begin.edition.name,
        "variant": begin.variant,
        "level": begin.level,
        "players": begin.players,
        "steps": summary.steps,
        "played_seconds": round(summary.played, 1),
        "imported": night.imported,
        "outcome": outcome and {"won": outcome.won, "reason": outcome.reason},
    }


def _export(args: argparse.Namespace) -> int:
    text = export_document(load_night(args, last_is_over=False))
    args.file = args.out or args.file
    if args.file is None:
        sys.stdout.buffer.write(text)
        return 0
    try:
        # Whoever may read it knows the secrets of a night that may go on.
        descriptor = os.open(args.file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
    except FileExistsError:
        raise BadDocument(f"{args.file}: there is such a file already") from None
    except OSError as error:
        raise BadDocument(f"{args.file}: cannot be written: {error.strerror}") from None
    sys.stderr.write(f"{strip_controls(str(args.file))}: the whole night, secrets included, for your eyes only\n")
    return 0


def _import(args: argparse.Namespace) -> int:
    try:
        night = import_document(_read_document(args.file))
        if night.language not in (codes := language_codes()):
            raise BadDocument(f"language: {shorten(repr(night.language))} is not one of {', '.join(codes)}")
    except OSError as error:
        raise BadDocument(f"{args.file}: cannot be read: {error.strerror}") from None
    except BadDocument as error:
        raise BadDocument(f"{args.file}: {error}") from None
    with _open_journal(args) as journal:
        try:
            number = journal.import_night(night)
        except BadDocument as error:
            raise BadDocument(f"{args.file}: {error}") from None
    sys.stdout.write(f"{strip_controls(str(args.file))} is night {number}\n")
    return 0


def _read_document(path: Path) -> bytes:
    """Return the content of *path*, or raise BadDocument where no night can be so large."""
    if path.exists() and not path.is_file():
        raise BadDocument("not a night: this is no file")
    with path.open("rb") as file:
        content = file.read(MAX_DOCUMENT_BYTES + 1)
    if len(content) > MAX_DOCUMENT_BYTES:
        raise BadDocument(f"not a night: it has more than {MAX_DOCUMENT_BYTES // 1_000_000} megabytes")
    return content


def _back_up(args: argparse.Namespace) -> int:
    folder = args.out or args.folder
    with JournalReader.open(journal_path_of(args)) as reader:
        try:
            backup = back_up(reader, folder)
        except OSError as error:
            raise BadJournal(f"{folder}: cannot be written: {error.strerror}") from None
    shown = strip_controls(str(folder))
    for name in backup.refused:
        sys.stderr.write(f"seance: {shown}/{name}: this is another night, or more of it: not overwritten\n")
    sys.stdout.write(f"{shown}: {len(backup.written)} written, {len(backup.unchanged)} there already\n")
    return 2 if backup.refused else 0


def _recover(args: argparse.Namespace) -> int:
    found = [(file, find_nights(file)) for file in args.files]
    with _open_journal(args) as journal:
        for file, nights in found:
            numbers = journal.recover(nights.nights)
            for loss in nights.losses:
                sys.stderr.write(f"seance: {error_line(f'{file}: {loss}')}\n")
            for night in nights.nights:
                steps = f"{night.name}: {len(night.entries)} steps"
                where = f"now night {numbers[night.uid]}" if night.uid in numbers else "here already"
                sys.stdout.write(f"{strip_controls(str(file))}: {steps}, {where}\n")
    return 0 if any(nights.nights for _, nights in found) else 2


def _open_journal(args: argparse.Namespace) -> Journal:
    """Open the journal for writing, and print its news."""
    journal = Journal.open(journal_path_of(args))
    for news in journal.news():
        sys.stderr.write(f"{error_line(news.text)}\n")
    return journal


def _path(args: argparse.Namespace) -> int:
    sys.stdout.write(f"{folder_of(journal_path_of(args))}\n")
    return 0
