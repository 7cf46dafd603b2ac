"""`seance doctor`: checks every part of the installation, and says what to do."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from seance import settings as s
from seance.mqtt_settings import MqttSection
from seance.plain_text import strip_controls
from seance.programs.command_line import Commands, add_config
from seance.text_files import BadTextFile, expand_path
from seance.texts import Texts
from seance.wyoming.addresses import parse_address

if TYPE_CHECKING:
    from seance.doctor import DoctorSettings, Finding

COLOURS = {"good": "green", "warn": "yellow", "bad": "bold red"}
MIN_TEXT_COLUMNS = 20
"""However narrow the terminal is, a finding has so many columns."""


def add_parser(commands: Commands) -> None:
    """Add `doctor` to the command line."""
    description = "Check every part for real; the exit code is 0 only when a night can be held."
    parser = commands.add_parser("doctor", description=description)
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON array")
    parser.add_argument("--quiet", action="store_true", help="do not ring the bell")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print all findings, and return 1 when no night can be held."""
    # Imported here, so that the other commands do not wait for numpy.
    from seance.doctor import as_rows, can_hold_a_night, run_checks

    chosen, findings = _settings(args)
    texts = Texts.load("doctor", chosen.language)
    found = run_checks(doctor_settings(chosen, args.config), aloud=not args.quiet)
    if args.json:
        findings = [*findings, *found]
        sys.stdout.write(f"{json.dumps(as_rows(findings), indent=1, ensure_ascii=False)}\n")
    else:
        findings = list(_print_findings(texts, findings, found))
    holds = can_hold_a_night(findings)
    if not args.json:
        Console(highlight=False, soft_wrap=True).print(f"\n{_ending(texts, findings)}", style="bold")
    return 0 if holds else 1


def _ending(texts: Texts, findings: list[Finding]) -> str:
    """Return the last line: whether a night can be held."""
    from seance.doctor import can_hold_a_night

    if not can_hold_a_night(findings):
        return texts("ending.bad")
    warned = sum(finding.status == "warn" for finding in findings)
    return texts.count("ending.remarks", warned) if warned else texts("ending.good")


def doctor_settings(chosen: s.Settings, config: Path | None = None) -> DoctorSettings:
    """Return the part of the settings, read from *config*, that the checks need."""
    from seance.doctor import DoctorSettings
    from seance.programs.owner_settings import editions_with_settings
    from seance.programs.say import open_synthesizer

    hears, speaks = chosen.microphone, chosen.speaker
    return DoctorSettings(
        language=chosen.language,
        texts=Texts.load("doctor", chosen.language),
        journal=s.journal_path(chosen),
        board=chosen.body.board,
        turns=editions_with_settings(chosen)[chosen.game.edition].turns,
        microphone=hears.device,
        channel=hears.channel,
        microphone_rate=hears.rate,
        array=hears.array,
        speaker=speaks.device,
        speaker_rate=speaks.rate,
        volume=speaks.volume,
        can_interrupt=chosen.hearing.interrupt == "auto",
        drift_ppm=hears.drift_ppm,
        voice=lambda folder, replaced: open_synthesizer(chosen, replaced, keep=folder),
        second=None if chosen.hearing.second is None else parse_address(chosen.hearing.second),
        words=lambda: _load_words(chosen, config),
        port=0 if chosen.web.listen == "off" else chosen.web.port,
        name=chosen.web.name,
        broker=chosen.mqtt.broker,
        try_broker=lambda: _try_broker(chosen.mqtt),
    )


def _try_broker(chosen: MqttSection) -> str:
    # Here, not above: a house without a broker must not load paho.
    from seance.daemon.world.mqtt_thread import broker_of
    from seance.mqtt.probe import try_broker

    return try_broker(broker_of(chosen))


def _load_words(chosen: s.Settings, config: Path | None) -> None:
    """Load all that the house says, shows and understands, or raise BadTextFile with the line of the settings."""
    from seance.chronicle.words import ChronicleWords
    from seance.daemon.world.page_texts import load_page_words
    from seance.dialogue.grammar.sentences import Sentences
    from seance.ghost_words import GhostWords
    from seance.narration.script import Script, Tone
    from seance.programs.configuration_errors import configuration_error

    telling, lines, names = chosen.telling, chosen.telling.lines, chosen.hearing.names
    try:
        owners = expand_path(lines) if lines else None
        Script.load(chosen.language, owners, lore=telling.lore, tone=Tone(telling.tone))
        Sentences.load(
            chosen.language,
            names_file=expand_path(names) if names else None,
            wake_word=chosen.hearing.wake_word,
        )
        ChronicleWords.load(chosen.language)
        load_page_words(chosen.language)
        GhostWords.load(chosen.language)
        for name in ("help", "mqtt", "replay", "terminal"):
            Texts.load(name, chosen.language)
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
        chosen = s.Settings()
        texts = Texts.load("doctor", chosen.language)
        return chosen, [bad(texts, "settings.wrong", "settings.wrong_fix", reason=error)]
    texts = Texts.load("doctor", chosen.language)
    return chosen, [good(texts, "settings.read" if path.exists() else "settings.none", path=path)]


def _print_findings(texts: Texts, *groups: Iterable[Finding]) -> Iterable[Finding]:
    """Print each finding as soon as it is there, and yield it."""
    console = Console(highlight=False, soft_wrap=True)
    words = {status: texts(f"status.{status}") for status in COLOURS}
    titles = [texts(key) for key in texts.forms if key.endswith(".title")]
    status_width, title_width = (max(map(len, column)) + 2 for column in (words.values(), titles))
    for group in groups:
        for finding in group:
            status = (f"{words[finding.status]:<{status_width}}", COLOURS[finding.status])
            indent = status_width + title_width
            text = _hang(finding.text, indent, console)
            console.print(Text.assemble(status, f"{finding.title:<{title_width}}", text))
            if finding.fix:
                console.print(Text(f"{' ' * indent}→ {_hang(finding.fix, indent + 2, console)}", style="dim"))
            yield finding


def _hang(text: str, indent: int, console: Console) -> str:
    """Return *text* as it follows *indent* columns: in lines that fit a terminal, on one line for a pipe."""
    text = strip_controls(text)
    if not console.is_terminal:
        return text
    width = max(console.width - indent, MIN_TEXT_COLUMNS)
    return f"\n{' ' * indent}".join(wrap(text, width, break_long_words=False, break_on_hyphens=False))
