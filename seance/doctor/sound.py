"""Checks of the speech model, microphone, loudspeaker and voice: records a second, renders a line, plays a bell."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from seance.audio.array_check import ChannelCheck, check_channels
from seance.audio.array_geometry import ArrayGeometry, BadGeometry, load_geometry
from seance.audio.devices import AmbiguousDevice, Device, DeviceNotChosen, choose_input, choose_output
from seance.audio.formats import MIX_RATE_HZ, SPEECH_RATE_HZ, Block
from seance.audio.levels import SILENCE_DBFS, dbfs
from seance.audio.microphone import Microphone
from seance.audio.playback import Playback, PlaybackOutcome
from seance.audio.portaudio import SoundTrouble
from seance.audio.waves import Wave
from seance.doctor.finding import Finding, bad, good, warn
from seance.models import store
from seance.models.catalogue import look_up
from seance.models.language_models import NoRecogniser, recogniser_key
from seance.soundscape.earcons import EARCONS
from seance.speech.synthesis import CannotSpeak, Synthesizer
from seance.texts import Texts
from seance.wyoming.addresses import Address

TEST_EARCON = "done"
RECORDING_S = 1.0
MIN_LEVEL_DBFS = -75.0
MAX_LEVEL_DBFS = -6.0
"""The range in which a working microphone hears a quiet room."""
_LEVEL_BARS = "▁▂▃▄▅▆▇█"
_TIMEOUT_S = 5.0


def model(texts: Texts, language: str, *, verify: bool = True) -> Finding:
    """Return whether the speech model is installed and, if *verify*, every byte of it is undamaged."""
    fix = "speech model.fetch_fix"
    try:
        known = look_up(recogniser_key(language))
    except NoRecogniser:
        return good(texts, "speech model.none", language=texts.language.name)
    try:
        where = store.require(known.key)
    except store.ModelDamaged as trouble:
        return bad(texts, "speech model.damaged", fix, reason=trouble.damage, key=known.key)
    except store.ModelAbsent as trouble:
        key = "speech model.absent" if trouble.incomplete is None else "speech model.incomplete"
        return warn(texts, key, fix, model=known.name, folder=trouble.incomplete, key=known.key)
    if verify and (damage := store.verify(where)):
        return bad(texts, "speech model.damaged", fix, reason=damage[0], key=known.key)
    return good(
        texts,
        "speech model.checked" if verify else "speech model.good",
        model=known.name,
        folder=where.parent,
        speakers=texts("speech model.speakers" if store.find("speaker") else "speech model.no_speakers"),
    )


def microphone(
    texts: Texts,
    device: str | None,
    *,
    channel: int | None,
    rate: int | None,
    array: str | None = None,
    in_use: bool = False,
) -> Finding:
    """Return whether the microphone works: a second is recorded, with all channels of *array*."""
    try:
        geometry = load_geometry(array) if array else None
        chosen = choose_input(device)
        if geometry is not None and chosen.channels < geometry.channel_count:
            counts = {"there": chosen.channels, "wanted": geometry.channel_count}
            return warn(texts, "microphone.few_channels", "microphone.array_fix", device=chosen.label, **counts)
        if in_use:
            return good(texts, "microphone.in_use", device=chosen.label)
        sound = _record(device, channel, rate, geometry)
    except DeviceNotChosen as trouble:
        return _no_device(texts, "microphone", trouble)
    except BadGeometry as trouble:
        return warn(texts, "microphone.geometry", "microphone.array_fix", reason=trouble)
    except SoundTrouble as trouble:
        return warn(texts, "microphone.trouble", "microphone.trouble_fix", reason=trouble)
    if sound is None:
        return warn(texts, "microphone.silent", "microphone.trouble_fix")
    finding = _judge_level(texts, chosen, dbfs(sound))
    if geometry is None or finding.status != "good":
        return finding
    return _judge_channels(texts, chosen, check_channels(sound, geometry, rate=SPEECH_RATE_HZ)) or finding


def speaker(
    texts: Texts, device: str | None, *, rate: int | None, volume: float, in_use: bool = False, aloud: bool = True
) -> Finding:
    """Return whether the loudspeaker works: a bell is played if *aloud*."""
    try:
        chosen = choose_output(device)
    except DeviceNotChosen as trouble:
        return _no_device(texts, "loudspeaker", trouble)
    except SoundTrouble as trouble:
        return warn(texts, "loudspeaker.trouble", "loudspeaker.device_fix", reason=trouble)
    if in_use or not aloud:
        return good(texts, "loudspeaker.in_use" if in_use else "loudspeaker.there", device=chosen.label)
    with Playback(device, device_rate=rate) as playback:
        playback.set_volume(volume)
        outcome = playback.play_earcon(Wave(EARCONS[TEST_EARCON](), MIX_RATE_HZ)).wait(_TIMEOUT_S)
    if outcome is not PlaybackOutcome.HEARD:
        return warn(texts, "loudspeaker.deaf", "loudspeaker.deaf_fix", device=chosen.label)
    return good(texts, "loudspeaker.good", device=chosen.label)


def voice(texts: Texts, make: Callable[[Path, Callable[[str], None]], Synthesizer]) -> Finding:
    """Return whether the narrator can speak: a line is rendered with a temporary cache."""
    replaced: list[str] = []
    try:
        with (
            TemporaryDirectory(prefix="seance-doctor-") as folder,
            make(Path(folder), replaced.append) as narrator,
        ):
            wave = narrator.render(texts("voice.test_line"))
    except (CannotSpeak, ValueError, OSError) as trouble:
        return warn(texts, "voice.dumb", "voice.dumb_fix", reason=trouble)
    if replaced:
        return warn(texts, "voice.replaced", "voice.replaced_fix")
    return good(texts, "voice.good", seconds=f"{wave.seconds:.1f}".replace(".", texts("decimal")))


def second_opinion(texts: Texts, address: Address, language: str) -> Finding:
    """Return whether the recogniser on another machine answers, and as quickly as it must: a second is sent to it."""
    from seance.wyoming.transcriber import DEADLINE_S, WyomingTranscriber  # imported where one is named

    transcriber = WyomingTranscriber(address, language, deadline_s=_TIMEOUT_S)
    try:
        found, trouble = transcriber.wait_until_found()
        if found is None:
            return warn(texts, "second opinion.absent", "second opinion.absent_fix", reason=trouble)
        silence = np.zeros(SPEECH_RATE_HZ, np.float32)
        transcriber.transcribe(silence)  # the first time, the model may have to be loaded
        began_s = time.monotonic()
        answer, taken_s = transcriber.transcribe(silence), time.monotonic() - began_s
    finally:
        transcriber.close()
    seconds = f"{taken_s:.1f}".replace(".", texts("decimal"))
    values = {"server": found, "seconds": seconds, "deadline": str(DEADLINE_S).replace(".", texts("decimal"))}
    if answer is None or taken_s > DEADLINE_S:
        return warn(texts, "second opinion.slow", "second opinion.slow_fix", **values)
    return good(texts, "second opinion.good", **values)


def _no_device(texts: Texts, name: str, trouble: DeviceNotChosen) -> Finding:
    """Return the finding that the settings name no device, or several."""
    if not trouble.candidates:
        key = f"{name}.none"
    elif isinstance(trouble, AmbiguousDevice):
        key = f"{name}.several"
    else:
        key = f"{name}.no_default" if trouble.wanted is None else f"{name}.none_fits"
    devices = ", ".join(f"'{device.label}'" for device in trouble.candidates)
    return warn(texts, key, f"{name}.device_fix", wanted=trouble.wanted, devices=devices)


def _record(device: str | None, channel: int | None, rate: int | None, geometry: ArrayGeometry | None) -> Block | None:
    """Return a short recording of the room; None if nothing is delivered."""
    channels = geometry.channel_count if geometry else None
    with Microphone(device, channel=channel, array_channels=channels, device_rate=rate) as opened:
        wanted, heard = round(RECORDING_S * opened.rate / opened.block_frames), list[Block]()
        while len(heard) < wanted and (block := opened.read(_TIMEOUT_S)) is not None:
            heard.append(block)
    return np.concatenate(heard) if heard else None


def _judge_channels(texts: Texts, device: Device, found: ChannelCheck) -> Finding | None:
    """Return what is wrong with channels of an array, or None."""
    wrong = {"channels_silent": found.silent, "channels_copied": found.copied, "channels_clipped": found.clipped}
    for key, channels in wrong.items():
        if channels:
            listed = ", ".join(map(str, channels))
            return warn(texts, f"microphone.{key}", f"microphone.{key}_fix", device=device.label, channels=listed)
    return None


def _judge_level(texts: Texts, device: Device, level: float) -> Finding:
    if level <= SILENCE_DBFS:
        return warn(texts, "microphone.zeros", "microphone.zeros_fix", device=device.label)
    step = round((level - MIN_LEVEL_DBFS) / (MAX_LEVEL_DBFS - MIN_LEVEL_DBFS) * (len(_LEVEL_BARS) - 1))
    bars = _LEVEL_BARS[: max(0, min(step, len(_LEVEL_BARS) - 1)) + 1]
    values = {"device": device.label, "level": f"{level:.0f}", "bars": bars}
    if level < MIN_LEVEL_DBFS:
        return warn(texts, "microphone.quiet", "microphone.calibrate_fix", **values)
    if level > MAX_LEVEL_DBFS:
        return warn(texts, "microphone.loud", "microphone.calibrate_fix", **values)
    return good(texts, "microphone.good", **values)
