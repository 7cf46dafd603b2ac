"""The signs on the screen, and the plainer ones for terminals that lack them."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

PLAIN_TERMINALS = ("linux", "vt")
"""Terminals, by the beginning of TERM, whose fonts lack the better signs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """One character for each thing."""

    yes: str = "✓"
    no: str = "✗"
    psychic: str = "●"
    gone: str = "·"
    next: str = "▶"
    knock: str = "◉"
    rule: str = "─"
    sand: str = "█"
    no_sand: str = "░"
    face_up: str = "■"
    face_down: str = "□"


ASCII_MARKS = Marks(
    yes="+",
    no="x",
    psychic="*",
    gone=".",
    next=">",
    knock="*",
    rule="-",
    sand="#",
    no_sand=".",
    face_up="#",
    face_down="-",
)


def choose_marks(environ: Mapping[str, str] = os.environ, encoding: str | None = None) -> Marks:
    """Return the marks that a terminal of this TERM and *encoding* can show."""
    encoding = encoding or sys.stdout.encoding or "ascii"
    is_plain = environ.get("TERM", "").startswith(PLAIN_TERMINALS) or "utf" not in encoding.lower()
    return ASCII_MARKS if is_plain else Marks()
