"""`seance doctor`: every part checked for real, told in plain words with the fix."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from seance import settings as s
from seance.programs.command_line import Commands, add_config

if TYPE_CHECKING:
    from seance.doctor import Finding, Subject

COLOURS = {"good": "green", "warn": "yellow", "bad": "bold red"}


def add_parser(commands: Commands) -> None:
    """Add `doctor` to the command line."""
    tells = "Check every part for real; the exit code is 0 only when a night can be held."
    parser = commands.add_parser("doctor", description=tells)
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="as one JSON array")
    parser.add_argument("--quiet", action="store_true", help="play no bell")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check and tell; 1 when no night can be held."""
    # Here, not above: the other commands must not wait for numpy.
    from seance.doctor import as_rows, can_hold_a_night, examine

    chosen, findings = _settings(args)
    found = examine(subject(chosen), aloud=not args.quiet)
    if args.json:
        findings = [*findings, *found]
        sys.stdout.write(f"{json.dumps(as_rows(findings), indent=1, ensure_ascii=False)}\n")
    else:
        findings = list(_told(findings, found))
    holds = can_hold_a_night(findings)
    if not args.json:
        warned = sum(finding.state == "warn" for finding in findings)
        ended = (
            f"a night can be held{f', with {warned} remarks' if warned else ''}" if holds else "no night can be held"
        )
        Console(highlight=False, soft_wrap=True).print(f"\n{ended}", style="bold")
    return 0 if holds else 1


def subject(chosen: s.Settings) -> Subject:
    """Return what the doctor looks at, of all that the owner has chosen."""
    from seance.doctor import Subject
    from seance.programs.say import voice

    hears, speaks = chosen.microphone, chosen.speaker
    return Subject(
        language=chosen.language,
        journal=s.journal_path(chosen),
        board=chosen.body.board,
        microphone=hears.device,
        channel=hears.channel,
        microphone_rate=hears.rate,
        speaker=speaks.device,
        speaker_rate=speaks.rate,
        volume=speaks.volume,
        voice=lambda folder, replaced: voice(chosen, replaced, keep=folder),
        port=0 if chosen.web.listen == "off" else chosen.web.port,
        name=chosen.web.name,
    )


def _settings(args: argparse.Namespace) -> tuple[s.Settings, list[Finding]]:
    """Return the settings, and what is found of them; the defaults where they cannot be used."""
    from seance.doctor.finding import bad, good

    path = args.config or s.default_path()
    try:
        chosen = s.load(args.config)
    except s.BadSettings as error:
        return s.Settings(), [
            bad("settings", str(error), "correct that line; the rest is checked without these settings")
        ]
    told = str(path) if path.exists() else f"there is no {path}: the defaults hold"
    return chosen, [good("settings", told)]


def _told(*groups: Iterable[Finding]) -> Iterable[Finding]:
    """Yield every finding, shown as soon as it is there."""
    console = Console(highlight=False, soft_wrap=True)
    for group in groups:
        for finding in group:
            name = Text(f"{finding.name:<14}")
            console.print(Text.assemble((f"{finding.state:<6}", COLOURS[finding.state]), name, finding.told))
            if finding.fix:
                console.print(Text(f"{'':<20}→ {finding.fix}", style="dim"))
            yield finding
