"""`seance calibrate`: measure noise, speech and echo at the table, and suggest settings."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from seance import settings as s
from seance.plain_text import strip_line_controls
from seance.programs.command_line import Commands, add_config
from seance.texts import Texts

if TYPE_CHECKING:
    from seance.audio.calibration import Calibration, CalibrationStep
    from seance.audio.devices import Device

_MIN_SECONDS = 1.0
_MAX_SECONDS = 600.0


def add_parser(commands: Commands) -> None:
    """Add `calibrate` to the command line."""
    tells = "Measure the room, a voice and the loudspeaker's echo, and suggest settings."
    parser = commands.add_parser("calibrate", description=tells)
    parser.add_argument("--seconds", type=_seconds, metavar="N", default=60.0, help="how long to measure (default: 60)")
    parser.add_argument("--microphone", metavar="NAME", help="part of its name (default: that of the settings)")
    parser.add_argument("--speaker", metavar="NAME", help="part of its name (default: that of the settings)")
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print the result; return 1 when there is no device to measure with."""
    # Here, not above: the other commands must not wait for numpy.
    from seance.audio.array_geometry import BadGeometry, load_geometry
    from seance.audio.calibration import calibrate, settings_lines
    from seance.audio.microphone import Microphone
    from seance.audio.portaudio import SoundTrouble

    settings = s.load(args.config)
    texts = Texts.load("calibrate", settings.language)
    wanted = settings.microphone
    try:
        speaker = _speaker(args.speaker or settings.speaker.device)
        name = args.microphone or wanted.device
        # Measured without the gain of the settings, because the suggested gain replaces it.
        geometry = load_geometry(wanted.array) if wanted.array else None
        channels = geometry.channel_count if geometry else None
        with Microphone(name, channel=wanted.channel, array_channels=channels, device_rate=wanted.rate) as microphone:
            ask = partial(_ask, texts)
            result = calibrate(microphone, speaker, seconds=args.seconds, ask=ask, geometry=geometry)
    except (BadGeometry, SoundTrouble) as trouble:
        _print_error(f"seance: {trouble}")
        return 1
    if args.json:
        facts = _rounded(dataclasses.asdict(result))
        facts["advice"]["remarks"] = _remarks(result, texts)
        _print(json.dumps({**facts, "settings": settings_lines(result)}, indent=1))
    else:
        _show(result, settings_lines(result), texts)
    return 0


def _speaker(name: str | None) -> Device | None:
    """Return the output device called *name*; None where there is no name and no device."""
    from seance.audio.devices import NoSuchDevice, choose_output

    try:
        return choose_output(name)
    except NoSuchDevice:
        if name is not None:
            raise
        return None


def _ask(texts: Texts, step: CalibrationStep, seconds: float) -> None:
    """Print to the people at the table what to do for *seconds*."""
    key, forms = f"ask.{step}", len(texts.forms[f"ask.{step}"])
    _print_error(texts.count(key, round(seconds)) if forms > 1 else texts(key))


def _show(result: Calibration, lines: list[str], texts: Texts) -> None:
    noise, speech, echo = result.room, result.speech, result.echo

    def number(value: float, places: int = 1) -> str:
        return f"{value:.{places}f}".replace(".", texts("decimal"))

    rows = [("name.microphone", str(result.microphone))]
    measured = texts("measured.room", noise=number(noise.noise_dbfs), peak=number(noise.peak_dbfs))
    rows.append(("name.room", measured))
    if speech:
        measured = texts("measured.speech", level=number(speech.level_dbfs), above=number(speech.above_noise_db))
        rows.append(("name.speech", measured))
    clipped = max(noise.clipped, speech.clipped if speech else 0.0)
    rows.append(("name.clipping", texts("measured.clipping", percent=number(100 * clipped, places=2))))
    if echo:
        delay, level, loss = number(1000 * echo.delay_seconds, places=0), number(echo.level_dbfs), number(echo.loss_db)
        rows.append(("name.echo", texts("measured.echo", delay=delay, level=level, loss=loss)))
    if result.drift_ppm:
        rows.append(("name.clocks", texts("measured.two_clocks", ppm=number(result.drift_ppm, places=0))))
    elif result.drift_ppm is not None:
        rows.append(("name.clocks", texts("measured.one_clock")))
    rows += [("name.note", remark) for remark in _remarks(result, texts)]
    width = max(len(texts(key)) for key in texts.forms if key.startswith("name.")) + 2
    for key, text in rows:
        _print(f"{texts(key):<{width}}{text}")
    _print(f"\n{texts('measured.settings')}\n")
    for line in lines:
        _print(line)


def _remarks(result: Calibration, texts: Texts) -> list[str]:
    above = f"{result.speech.above_noise_db:.0f}" if result.speech else ""
    found = result.channels
    channels = dataclasses.asdict(found) if found else {}
    listed = {name: ", ".join(map(str, which)) for name, which in channels.items()}
    return [texts(f"remark.{remark}", above=above, **listed) for remark in result.advice.remarks]


def _rounded(facts: Any) -> Any:
    """Return *facts* with every number rounded to four places."""
    if isinstance(facts, dict):
        return {name: _rounded(fact) for name, fact in facts.items()}
    return round(facts, 4) if isinstance(facts, float) else facts


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not _MIN_SECONDS <= seconds <= _MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds from 1 to 600")
    return seconds


def _print(text: str) -> None:
    sys.stdout.write(f"{strip_line_controls(text)}\n")


def _print_error(text: str) -> None:
    sys.stderr.write(f"{strip_line_controls(text)}\n")
