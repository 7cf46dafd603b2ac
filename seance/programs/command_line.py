"""What the programs of the command line share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # argparse has no public name for it


def add_config(parser: argparse.ArgumentParser, *, of_a_verb: bool = False) -> None:
    """Let *parser* take the settings file of this one run; a verb leaves what was said before it as it is."""
    default = argparse.SUPPRESS if of_a_verb else None
    parser.add_argument(
        "--config", type=Path, metavar="FILE", default=default, help="settings file instead of your own"
    )
