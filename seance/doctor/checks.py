"""All checks in the order in which they are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from seance.doctor import installation, machine, sound
from seance.doctor.finding import CheckStatus, Finding
from seance.speech.synthesis import Synthesizer

Check = Callable[[], Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorSettings:
    """The settings that the checks need."""

    language: str
    journal: Path
    board: str
    microphone: str | None
    channel: int | None
    microphone_rate: int | None
    speaker: str | None
    speaker_rate: int | None
    volume: float
    voice: Callable[[Path, Callable[[str], None]], Synthesizer]
    """Makes the narrator's synthesizer from a cache folder and a callback for a voice that was replaced."""
    words: Callable[[], None]
    """Loads the sentences, names and lines of the owner; raises ValueError where that cannot be done."""
    port: int
    """TCP port of the page; 0 for none."""
    name: str | None = None
    """Name that Avahi publishes, if not the host name."""


def all_checks(chosen: DoctorSettings, *, in_use: bool, aloud: bool) -> Iterator[Check]:
    """Yield every check; devices *in_use* by a running séance are not opened, and *aloud* plays a bell."""
    yield machine.python
    yield partial(sound.model, chosen.language, verify=not in_use)
    options = {"channel": chosen.channel, "rate": chosen.microphone_rate}
    yield partial(sound.microphone, chosen.microphone, in_use=in_use, **options)
    yield partial(
        sound.speaker, chosen.speaker, rate=chosen.speaker_rate, volume=chosen.volume, in_use=in_use, aloud=aloud
    )
    yield partial(sound.voice, chosen.voice)
    yield partial(installation.words, chosen.words)
    yield partial(installation.board, chosen.board, in_use=in_use)
    yield installation.permissions
    yield partial(installation.journal, chosen.journal)
    yield installation.service
    yield partial(machine.disk, chosen.journal.parent)
    yield machine.card_wear
    yield machine.power
    yield machine.temperature
    yield machine.clock
    if chosen.port:
        yield partial(installation.network, chosen.port, chosen.name)
        yield partial(installation.page, chosen.port, in_use=in_use)


def run_checks(chosen: DoctorSettings, *, in_use: bool = False, aloud: bool = True) -> Iterator[Finding]:
    """Yield the finding of each check; *in_use* if the caller holds the devices, *aloud* to play a bell."""
    in_use = in_use or installation.service_runs()
    for check in all_checks(chosen, in_use=in_use, aloud=aloud):
        yield check()


def can_hold_a_night(findings: Iterable[Finding]) -> bool:
    """Return whether no finding is BAD."""
    return all(finding.status is not CheckStatus.BAD for finding in findings)


def as_rows(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Return findings as JSON objects for the page and for `--json`, with the keys name, state, told and fix."""
    return [
        {"name": finding.name, "state": str(finding.status), "told": finding.text, "fix": finding.fix}
        for finding in findings
    ]
