"""Arguments that the programs of the command line share."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from seance.languages import language_codes
from seance.plain_text import error_line

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # argparse has no public name for it

_REWORDINGS = {
    r"^argument (\w+ \|[^:]*: )?": "",
    r"the following arguments are required: (.*)": r"missing: \1",
    r"unrecognized arguments: (.*)": r"unknown here: \1",
    r"invalid choice: (.*) \(choose from (.*)\)": r"\1 is none of \2",
    r"invalid int value: (.*)": r"\1 is no whole number",
    r"invalid float value: (.*)": r"\1 is no number",
    r"expected (at least )?one argument": "a value is missing",
}
"""What argparse says of a wrong argument, and what is said instead."""


class CommandParser(argparse.ArgumentParser):
    """A parser that reports a wrong argument as all programs report an error: on one line."""

    def parse_known_args(self, *args: Any, **options: Any) -> Any:
        """Parse as argparse does, but let the program that was given an unknown argument report it."""
        found, unknown = super().parse_known_args(*args, **options)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and where help is, and exit with code 2."""
        for pattern, words in _REWORDINGS.items():
            message = re.sub(pattern, words, message, flags=re.DOTALL)
        self.exit(2, f"seance: {error_line(message)}; see `{self.prog} --help`\n")


def as_sentence(tells: str) -> str:
    """Return what a list says of a verb as the sentence that the verb's own help begins with."""
    return f"{tells[0].upper()}{tells[1:]}."


def add_config(parser: argparse.ArgumentParser, *, is_verb: bool = False) -> None:
    """Add `--config` to *parser*; for a verb, an absent option keeps the one given before the verb."""
    default = argparse.SUPPRESS if is_verb else None
    parser.add_argument(
        "--config", type=Path, metavar="FILE", default=default, help="another settings file than your own"
    )


def add_out(parser: argparse.ArgumentParser, metavar: str, tells: str, *, alias: str | None = None) -> None:
    """Add `--out` to *parser*: where a result goes; *alias* is what earlier versions called it."""
    names = ("--out",) if alias is None else ("--out", alias)
    parser.add_argument(*names, dest="out", type=Path, metavar=metavar, help=tells)


def add_language(parser: argparse.ArgumentParser, tells: str) -> None:
    """Add `--lang` to *parser*, with any language that there is."""
    parser.add_argument("--lang", choices=language_codes(), help=tells)
