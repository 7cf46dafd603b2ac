"""Whether the house can be interrupted: the library, the time that it takes, and how much of the echo it removes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from seance.audio.array_geometry import load_geometry
from seance.audio.echo_canceller import MAX_COST, NoEchoCanceller, SpeexCanceller, measure_cost
from seance.audio.echo_reference import EchoReference
from seance.audio.echo_remover import MIN_ERLE_DB, EchoRemover
from seance.audio.microphone import Microphone
from seance.audio.playback import Playback
from seance.audio.portaudio import SoundTrouble
from seance.audio.waves import Wave
from seance.doctor.finding import Finding, good, warn
from seance.speech.synthesis import CannotSpeak, Synthesizer
from seance.texts import Texts

MEASURED_S = 12.0
"""Seconds for which the narrator speaks while the echo is measured."""
_TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EchoDevices:
    """The microphone and the loudspeaker that the settings choose."""

    microphone: str | None
    channel: int | None
    array: str | None
    """The geometry of a microphone array, whose first microphone is measured."""
    microphone_rate: int | None
    speaker: str | None
    speaker_rate: int | None
    volume: float
    drift_ppm: float


def interrupting(
    texts: Texts,
    devices: EchoDevices,
    voice: Callable[[Path, Callable[[str], None]], Synthesizer],
    *,
    is_wanted: bool,
    in_use: bool = False,
    aloud: bool = True,
) -> Finding:
    """Return whether the house hears while it speaks: the narrator speaks for MEASURED_S if *aloud*."""
    if not is_wanted:
        return good(texts, "interrupting.off")
    try:
        cost = measure_cost(SpeexCanceller())
    except NoEchoCanceller as why:
        return warn(texts, "interrupting.no_library", "interrupting.library_fix", reason=why)
    if cost > MAX_COST:
        return warn(texts, "interrupting.slow", "interrupting.off_fix", percent=round(100 * cost))
    if in_use or not aloud:
        return good(texts, "interrupting.possible")
    try:
        erle_db = _measure_erle_db(devices, _test_line(texts, voice))
    except (SoundTrouble, CannotSpeak, ValueError, OSError):
        return good(texts, "interrupting.possible")  # what is wrong with the device or the voice was told before
    if erle_db is None:
        return warn(texts, "interrupting.no_echo", "interrupting.echo_fix")
    if erle_db < MIN_ERLE_DB:
        return warn(
            texts, "interrupting.echo", "interrupting.echo_fix", removed=round(erle_db), least=round(MIN_ERLE_DB)
        )
    return good(texts, "interrupting.good", removed=round(erle_db))


def _test_line(texts: Texts, voice: Callable[[Path, Callable[[str], None]], Synthesizer]) -> Wave:
    with (
        TemporaryDirectory(prefix="seance-doctor-") as folder,
        voice(Path(folder), lambda _: None) as narrator,
    ):
        return narrator.render(texts("voice.test_line"))


def _measure_erle_db(devices: EchoDevices, line: Wave) -> float | None:
    """Return how much quieter the echo of *line* becomes; None where it was not heard."""
    reference = EchoReference(devices.drift_ppm)
    geometry = load_geometry(devices.array) if devices.array else None
    remover = EchoRemover([SpeexCanceller()], reference, channels=geometry.channels[:1] if geometry else (0,))
    with (
        Microphone(
            devices.microphone,
            channel=devices.channel,
            array_channels=geometry.channel_count if geometry else None,
            may_have_fewer=True,
            device_rate=devices.microphone_rate,
            clean=remover.process,
        ) as microphone,
        Playback(devices.speaker, device_rate=devices.speaker_rate, on_played=reference.write) as playback,
    ):
        playback.set_volume(devices.volume)
        for _ in range(round(MEASURED_S / line.seconds) + 1):
            playback.queue_speech(line)
        heard_s = 0.0
        while heard_s < MEASURED_S and (block := microphone.read(_TIMEOUT_S)) is not None:
            heard_s += len(block) / microphone.rate
    return remover.erle_db
