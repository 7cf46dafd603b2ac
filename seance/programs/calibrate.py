"""`seance calibrate`: a minute of measuring at the table, and the lines for the settings."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from typing import TYPE_CHECKING, Any

from seance import settings as s
from seance.programs.command_line import Commands, add_config

if TYPE_CHECKING:
    from seance.audio.calibration import Calibration
    from seance.audio.devices import Device

_LEAST_SECONDS, _MOST_SECONDS = 1.0, 600.0


def add_parser(commands: Commands) -> None:
    """Add `calibrate` to the command line."""
    tells = "Measure the room, a voice and the loudspeaker's echo, and suggest settings."
    parser = commands.add_parser("calibrate", description=tells)
    parser.add_argument("--seconds", type=_seconds, default=60.0, help="how long to measure; 60 if not given")
    parser.add_argument("--microphone", metavar="NAME", help="a part of its name; that of the settings if not given")
    parser.add_argument("--speaker", metavar="NAME", help="a part of its name; that of the settings if not given")
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and tell; 1 when there is nothing to measure with."""
    # Here, not above: the other commands must not wait for numpy.
    from seance.audio.calibration import calibrate, settings_lines
    from seance.audio.microphone import Microphone
    from seance.audio.portaudio import SoundTrouble

    settings = s.load(args.config)
    wanted = settings.microphone
    try:
        speaker = _speaker(args.speaker or settings.speaker.device)
        name = args.microphone or wanted.device
        # Measured without the gain that is set now: what is suggested replaces it.
        with Microphone(name, channel=wanted.channel, device_rate=wanted.rate) as microphone:
            result = calibrate(microphone, speaker, seconds=args.seconds, tell=_tell)
    except SoundTrouble as trouble:
        _tell(f"seance: {trouble}")
        return 1
    if args.json:
        _say(json.dumps({**_rounded(dataclasses.asdict(result)), "settings": settings_lines(result)}, indent=1))
    else:
        _show(result, settings_lines(result))
    return 0


def _speaker(name: str | None) -> Device | None:
    """Return the loudspeaker; None where nobody named one and the machine has none."""
    from seance.audio.devices import NoSuchDevice, choose_output

    try:
        return choose_output(name)
    except NoSuchDevice:
        if name is not None:
            raise
        return None


def _show(result: Calibration, lines: list[str]) -> None:
    room, speech, echo = result.room, result.speech, result.echo
    _say(f"microphone  {result.microphone}")
    _say(f"room        noise {room.noise_dbfs:.1f} dBFS, peak {room.peak_dbfs:.1f} dBFS")
    if speech:
        _say(f"speech      {speech.level_dbfs:.1f} dBFS, {speech.above_noise_db:.1f} dB above the noise")
    _say(f"clipping    {max(room.clipped, speech.clipped if speech else 0.0):.2%} of the sound")
    if echo:
        delay = f"{echo.delay_seconds * 1000:.0f} ms"
        _say(f"echo        after {delay}, {echo.level_dbfs:.1f} dBFS, {echo.loss_db:.1f} dB lost")
    for remark in result.advice.remarks:
        _say(f"note        {remark}")
    _say("\nFor the settings:\n")
    for line in lines:
        _say(line)


def _rounded(facts: Any) -> Any:
    """Return *facts* with every number to four places."""
    if isinstance(facts, dict):
        return {name: _rounded(fact) for name, fact in facts.items()}
    return round(facts, 4) if isinstance(facts, float) else facts


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not _LEAST_SECONDS <= seconds <= _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds from 1 to 600")
    return seconds


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")
