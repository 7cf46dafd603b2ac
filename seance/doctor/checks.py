"""All checks in their order; what they need of the settings is handed to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from seance.doctor import installation, machine, sound
from seance.doctor.finding import Finding, State
from seance.speech.synthesis import Voice

Check = Callable[[], Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What the owner has chosen, as far as it is looked at."""

    language: str
    journal: Path
    board: str
    microphone: str | None
    channel: int | None
    microphone_rate: int | None
    speaker: str | None
    speaker_rate: int | None
    volume: float
    voice: Callable[[Path, Callable[[str], None]], Voice]
    """Makes the narrator, who keeps lines in a folder."""
    port: int
    """Where the page is; 0 for none."""
    name: str | None = None
    """What the machine is called in the network, if not by its own name."""


def checks(of: Subject, *, in_use: bool, aloud: bool) -> Iterator[Check]:
    """Yield every check; of what is *in_use* by a house that is awake, only that it is there."""
    yield machine.python
    yield partial(sound.model, of.language, thoroughly=not in_use)
    hears = {"channel": of.channel, "rate": of.microphone_rate}
    yield partial(sound.microphone, of.microphone, in_use=in_use, **hears)
    yield partial(sound.speaker, of.speaker, rate=of.speaker_rate, volume=of.volume, in_use=in_use, aloud=aloud)
    yield partial(sound.voice, of.voice)
    yield partial(installation.board, of.board, in_use=in_use)
    yield installation.permissions
    yield partial(installation.journal, of.journal)
    yield installation.service
    yield partial(machine.disk, of.journal.parent)
    yield machine.wear
    yield machine.power
    yield machine.heat
    yield machine.time
    if of.port:
        yield partial(installation.network, of.port, of.name)
        yield partial(installation.page, of.port, in_use=in_use)


def examine(of: Subject, *, awake: bool = False, aloud: bool = True) -> Iterator[Finding]:
    """Yield what is found of each part; *awake* in a house that holds the devices itself, *aloud* to play a bell."""
    in_use = awake or installation.service_runs()
    for check in checks(of, in_use=in_use, aloud=aloud):
        yield check()


def can_hold_a_night(findings: Iterable[Finding]) -> bool:
    """Return whether nothing stands in the way of a night."""
    return all(finding.state is not State.BAD for finding in findings)


def as_rows(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Return findings as a page or a program reads them: name, state, told and fix."""
    return [{key: str(value) for key, value in asdict(finding).items()} for finding in findings]
