"""All checks in the order in which they are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from seance.doctor import installation, machine, sound
from seance.doctor.finding import CheckStatus, Finding
from seance.doctor.interrupting import EchoDevices, interrupting
from seance.speech.synthesis import Synthesizer
from seance.texts import Texts
from seance.wyoming.addresses import Address

Check = Callable[[], Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorSettings:
    """The settings that the checks need."""

    language: str
    texts: Texts
    """Of the file `doctor`."""
    journal: Path
    board: str
    turns: int
    """Turns of a night, each of which the clock shows."""
    microphone: str | None
    channel: int | None
    microphone_rate: int | None
    array: str | None
    """The geometry of a microphone array."""
    speaker: str | None
    speaker_rate: int | None
    volume: float
    can_interrupt: bool = True
    """Whether the house is to listen while it speaks."""
    drift_ppm: float = 0.0
    """How much faster the microphone's clock runs than the loudspeaker's (millionths)."""
    voice: Callable[[Path, Callable[[str], None]], Synthesizer]
    """Makes the narrator's synthesizer from a cache folder and a callback for a voice that was replaced."""
    second: Address | None = None
    """The Wyoming server that gives a second opinion, if any."""
    words: Callable[[], None]
    """Loads the sentences, names and lines of the owner; raises ValueError where that cannot be done."""
    port: int
    """TCP port of the page; 0 for none."""
    broker: str | None = None
    """Host name of the MQTT broker; None where there is none."""
    try_broker: Callable[[], str] = str
    """Connects to it, and returns how it has answered; raises ValueError where a file that it needs cannot be read."""
    name: str | None = None
    """Name that Avahi publishes, if not the host name."""


def all_checks(chosen: DoctorSettings, *, in_use: bool, aloud: bool) -> Iterator[Check]:
    """Yield every check; devices *in_use* by a running séance are not opened, and *aloud* plays a bell."""
    texts, microphone = chosen.texts, {"channel": chosen.channel, "rate": chosen.microphone_rate}
    array = chosen.array
    yield partial(machine.python, texts)
    yield partial(sound.model, texts, chosen.language, verify=not in_use)
    yield partial(sound.microphone, texts, chosen.microphone, array=array, in_use=in_use, **microphone)
    yield partial(
        sound.speaker, texts, chosen.speaker, rate=chosen.speaker_rate, volume=chosen.volume, in_use=in_use, aloud=aloud
    )
    yield partial(sound.voice, texts, chosen.voice)
    devices = EchoDevices(
        microphone=chosen.microphone,
        channel=chosen.channel,
        array=array,
        microphone_rate=chosen.microphone_rate,
        speaker=chosen.speaker,
        speaker_rate=chosen.speaker_rate,
        volume=chosen.volume,
        drift_ppm=chosen.drift_ppm,
    )
    yield partial(
        interrupting, texts, devices, chosen.voice, is_wanted=chosen.can_interrupt, in_use=in_use, aloud=aloud
    )
    if chosen.second is not None:
        yield partial(sound.second_opinion, texts, chosen.second, chosen.language)
    yield partial(installation.words, texts, chosen.words)
    yield partial(installation.board, texts, chosen.board, turns=chosen.turns, in_use=in_use)
    yield partial(installation.permissions, texts)
    yield partial(installation.journal, texts, chosen.journal)
    yield partial(installation.service, texts)
    yield partial(machine.disk, texts, chosen.journal.parent)
    yield partial(machine.card_wear, texts)
    yield partial(machine.power, texts)
    yield partial(machine.temperature, texts)
    yield partial(machine.clock, texts)
    if chosen.port:
        yield partial(installation.network, texts, chosen.port, chosen.name)
        yield partial(installation.page, texts, chosen.port, in_use=in_use)
    if chosen.broker is not None:
        yield partial(installation.broker, texts, chosen.broker, chosen.try_broker)


def run_checks(chosen: DoctorSettings, *, in_use: bool = False, aloud: bool = True) -> Iterator[Finding]:
    """Yield the finding of each check; *in_use* if the caller holds the devices, *aloud* to play a bell."""
    in_use = in_use or installation.service_runs()
    for check in all_checks(chosen, in_use=in_use, aloud=aloud):
        yield check()


def can_hold_a_night(findings: Iterable[Finding]) -> bool:
    """Return whether no finding is BAD."""
    return all(finding.status is not CheckStatus.BAD for finding in findings)


def as_rows(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Return findings as JSON objects for the page and for `--json`, with the keys name, title, state, told and fix."""
    return [
        {
            "name": finding.name,
            "title": finding.title,
            "state": str(finding.status),
            "told": finding.text,
            "fix": finding.fix,
        }
        for finding in findings
    ]
