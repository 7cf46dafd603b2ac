"""Checks of the speech model, microphone, loudspeaker and voice: records a second, renders a line, plays a bell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from seance.audio.devices import AmbiguousDevice, Device, NoSuchDevice, choose_input, choose_output
from seance.audio.formats import MIX_RATE_HZ, Block
from seance.audio.levels import SILENCE_DBFS, dbfs
from seance.audio.microphone import Microphone
from seance.audio.playback import Playback, PlaybackOutcome
from seance.audio.portaudio import SoundTrouble
from seance.audio.waves import Wave
from seance.doctor.finding import Finding, bad, good, warn
from seance.models import store
from seance.models.catalogue import ModelError, look_up
from seance.models.language_models import NoRecogniser, recogniser_key
from seance.soundscape.earcons import EARCONS
from seance.speech.synthesis import CannotSpeak, Synthesizer

TEST_EARCON = "done"
TEST_LINE = "Good evening. Is somebody there?"
RECORDING_S = 1.0
MIN_LEVEL_DBFS = -75.0
MAX_LEVEL_DBFS = -6.0
"""The range in which a working microphone hears a quiet room."""
_LEVEL_BARS = "▁▂▃▄▅▆▇█"
_TIMEOUT_S = 5.0


def model(language: str, *, verify: bool = True) -> Finding:
    """Return whether the speech model is installed and, if *verify*, every byte of it is undamaged."""
    name = "speech model"
    try:
        known = look_up(recogniser_key(language))
    except NoRecogniser as none:
        return good(name, f"{none}")
    fix = f"seance models fetch {known.key}"
    try:
        where = store.require(known.key)
    except store.ModelDamaged as trouble:
        return bad(name, f"{trouble}", fix)
    except ModelError as trouble:
        return warn(name, f"{str(trouble).split(':')[0]}: words can be typed", fix)
    if verify and (damage := store.verify(where)):
        return bad(name, f"{damage[0]}", fix)
    checked = ", every byte checked" if verify else ""
    others = "voices are known again" if store.find("speaker") else "nobody is known by voice (optional)"
    return good(name, f"{known.name} in {where.parent}{checked}; {others}")


def microphone(device: str | None, *, channel: int | None, rate: int | None, in_use: bool = False) -> Finding:
    """Return whether the microphone works: a second is recorded and its level measured."""
    name = "microphone"
    try:
        chosen = choose_input(device)
        if in_use:
            return good(name, f"{chosen.label} is in use by the house")
        level = _measure_level(device, channel, rate)
    except (NoSuchDevice, AmbiguousDevice) as trouble:
        return warn(name, f"{trouble}", "put a part of one name into microphone.device; until then words can be typed")
    except SoundTrouble as trouble:
        return warn(name, f"{trouble}", "is another program using it? Until then words can be typed")
    return _judge_level(name, chosen, level)


def speaker(
    device: str | None, *, rate: int | None, volume: float, in_use: bool = False, aloud: bool = True
) -> Finding:
    """Return whether the loudspeaker works: a bell is played if *aloud*."""
    name, fix = "loudspeaker", "put a part of one name into speaker.device; until then lines are only shown"
    try:
        chosen = choose_output(device)
    except SoundTrouble as trouble:
        return warn(name, f"{trouble}", fix)
    if in_use or not aloud:
        return good(name, f"{chosen.label} {'is in use by the house' if in_use else 'is there; nothing was played'}")
    with Playback(device, device_rate=rate) as playback:
        playback.set_volume(volume)
        outcome = playback.play_earcon(Wave(EARCONS[TEST_EARCON](), MIX_RATE_HZ)).wait(_TIMEOUT_S)
    if outcome is not PlaybackOutcome.HEARD:
        return warn(
            name, f"{chosen.label} takes no sound", "is another program using it? Until then lines are only shown"
        )
    return good(name, f"{chosen.label} played a bell: you should have heard it")


def voice(make: Callable[[Path, Callable[[str], None]], Synthesizer]) -> Finding:
    """Return whether the narrator can speak: a line is rendered with a temporary cache."""
    fix = "sudo apt install libespeak-ng1; voice.engine and voice.name in the settings choose another"
    replaced: list[str] = []
    try:
        with (
            TemporaryDirectory(prefix="seance-doctor-") as folder,
            make(Path(folder), replaced.append) as narrator,
        ):
            wave = narrator.render(TEST_LINE)
    except (CannotSpeak, ValueError, OSError) as trouble:
        return warn("voice", f"the narrator is dumb, lines are only shown: {trouble}", fix)
    if replaced:
        return warn("voice", replaced[0], "`espeak-ng --voices` names those there are; or leave voice.name out")
    return good("voice", f"the narrator said a line of {wave.seconds:.1f} s")


def _measure_level(device: str | None, channel: int | None, rate: int | None) -> float:
    """Return the level of a short recording of the room in dBFS."""
    with Microphone(device, channel=channel, device_rate=rate) as opened:
        wanted, heard = round(RECORDING_S * opened.rate / opened.block_frames), list[Block]()
        while len(heard) < wanted and (block := opened.read(_TIMEOUT_S)) is not None:
            heard.append(block)
    if not heard:
        raise SoundTrouble("it delivers nothing")
    return dbfs(np.concatenate(heard))


def _judge_level(name: str, device: Device, level: float) -> Finding:
    if level <= SILENCE_DBFS:
        return warn(
            name, f"{device.label} delivers nothing but zeros", "is it muted? Else try microphone.channel = 1 or 2"
        )
    step = round((level - MIN_LEVEL_DBFS) / (MAX_LEVEL_DBFS - MIN_LEVEL_DBFS) * (len(_LEVEL_BARS) - 1))
    bars = _LEVEL_BARS[: max(0, min(step, len(_LEVEL_BARS) - 1)) + 1]
    text = f"{device.label} hears the room at {level:.0f} dBFS {bars}"
    if level < MIN_LEVEL_DBFS:
        return warn(name, f"{text}: very quiet", "`seance calibrate` suggests microphone.gain_db")
    if level > MAX_LEVEL_DBFS:
        return warn(name, f"{text}: too loud", "`seance calibrate` suggests microphone.gain_db")
    return good(name, text)
