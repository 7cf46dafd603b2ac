"""Arguments that the programs of the command line share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

from seance.languages import language_codes

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # argparse has no public name for it


def add_config(parser: argparse.ArgumentParser, *, is_verb: bool = False) -> None:
    """Add `--config` to *parser*; for a verb, an absent option keeps the one given before the verb."""
    default = argparse.SUPPRESS if is_verb else None
    parser.add_argument(
        "--config", type=Path, metavar="FILE", default=default, help="settings file instead of your own"
    )


def add_out(parser: argparse.ArgumentParser, metavar: str, tells: str, *, alias: str | None = None) -> None:
    """Add `--out` to *parser*: where a result goes; *alias* is what earlier versions called it."""
    names = ("--out",) if alias is None else ("--out", alias)
    parser.add_argument(*names, dest="out", type=Path, metavar=metavar, help=tells)


def add_language(parser: argparse.ArgumentParser, tells: str) -> None:
    """Add `--lang` to *parser*, with any language that there is."""
    parser.add_argument("--lang", choices=language_codes(), help=tells)
