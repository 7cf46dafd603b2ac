"""`seance doctor`: checks every part of the installation, and says what to do."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from seance import settings as s
from seance.plain_text import strip_controls
from seance.programs.command_line import Commands, add_config
from seance.text_files import BadTextFile, expand_path

if TYPE_CHECKING:
    from seance.doctor import DoctorSettings, Finding

COLOURS = {"good": "green", "warn": "yellow", "bad": "bold red"}


def add_parser(commands: Commands) -> None:
    """Add `doctor` to the command line."""
    description = "Check every part for real; the exit code is 0 only when a night can be held."
    parser = commands.add_parser("doctor", description=description)
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="as one JSON array")
    parser.add_argument("--quiet", action="store_true", help="play no bell")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print all findings, and return 1 when no night can be held."""
    # Imported here, so that the other commands do not wait for numpy.
    from seance.doctor import as_rows, can_hold_a_night, run_checks

    chosen, findings = _settings(args)
    found = run_checks(doctor_settings(chosen, args.config), aloud=not args.quiet)
    if args.json:
        findings = [*findings, *found]
        sys.stdout.write(f"{json.dumps(as_rows(findings), indent=1, ensure_ascii=False)}\n")
    else:
        findings = list(_print_findings(findings, found))
    holds = can_hold_a_night(findings)
    if not args.json:
        warned = sum(finding.status == "warn" for finding in findings)
        ended = (
            f"a night can be held{f', with {warned} remarks' if warned else ''}" if holds else "no night can be held"
        )
        Console(highlight=False, soft_wrap=True).print(f"\n{ended}", style="bold")
    return 0 if holds else 1


def doctor_settings(chosen: s.Settings, config: Path | None = None) -> DoctorSettings:
    """Return the part of the settings, read from *config*, that the checks need."""
    from seance.doctor import DoctorSettings
    from seance.programs.say import open_synthesizer

    hears, speaks = chosen.microphone, chosen.speaker
    return DoctorSettings(
        language=chosen.language,
        journal=s.journal_path(chosen),
        board=chosen.body.board,
        microphone=hears.device,
        channel=hears.channel,
        microphone_rate=hears.rate,
        speaker=speaks.device,
        speaker_rate=speaks.rate,
        volume=speaks.volume,
        voice=lambda folder, replaced: open_synthesizer(chosen, replaced, keep=folder),
        words=lambda: _load_words(chosen, config),
        port=0 if chosen.web.listen == "off" else chosen.web.port,
        name=chosen.web.name,
    )


def _load_words(chosen: s.Settings, config: Path | None) -> None:
    """Load all that the house says and understands, or raise BadTextFile with the line of the settings."""
    from seance.dialogue.grammar.sentences import Sentences
    from seance.narration.script import Script
    from seance.programs.configuration_errors import configuration_error

    lines, names = chosen.telling.lines, chosen.hearing.names
    try:
        Script.load(chosen.language, expand_path(lines) if lines else None)
        Sentences.load(
            chosen.language,
            names_file=expand_path(names) if names else None,
            wake_word=chosen.hearing.wake_word,
        )
    except BadTextFile as error:
        raise BadTextFile(configuration_error(error, config) or str(error)) from None


def _settings(args: argparse.Namespace) -> tuple[s.Settings, list[Finding]]:
    """Return the settings and the finding about their file; the defaults where it is invalid."""
    from seance.doctor.finding import bad, good
    from seance.programs.owner_settings import editions_with_settings

    path = args.config or s.default_path()
    try:
        chosen = s.load(args.config)
        editions_with_settings(chosen, args.config)
    except s.BadSettings as error:
        return s.Settings(), [
            bad("settings", str(error), "correct that line; the rest is checked without these settings")
        ]
    text = str(path) if path.exists() else f"there is no {path}: the defaults hold"
    return chosen, [good("settings", text)]


def _print_findings(*groups: Iterable[Finding]) -> Iterable[Finding]:
    """Print each finding as soon as it is there, and yield it."""
    console = Console(highlight=False, soft_wrap=True)
    for group in groups:
        for finding in group:
            name = Text(f"{finding.name:<14}")
            console.print(
                Text.assemble((f"{finding.status:<6}", COLOURS[finding.status]), name, strip_controls(finding.text))
            )
            if finding.fix:
                console.print(Text(f"{'':<20}→ {strip_controls(finding.fix)}", style="dim"))
            yield finding
