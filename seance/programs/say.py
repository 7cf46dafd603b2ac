"""`seance say`: a line aloud as the narrator says it, or into a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from seance import settings
from seance.programs.command_line import Commands, add_config

if TYPE_CHECKING:
    from seance.audio.waves import Wave
    from seance.speech.synthesis import Voice

_FAREWELL_SECONDS = 60.0


def add_parser(commands: Commands) -> None:
    """Add `say` to the command line."""
    parser = commands.add_parser("say", description="Speak a line aloud, as the narrator does, or into a file.")
    add_config(parser)
    parser.add_argument("text", nargs="+", metavar="TEXT", help="what to say")
    parser.add_argument("--lang", choices=("en", "fr"), help="the language; that of the settings if not given")
    parser.add_argument("--engine", choices=("espeak", "piper"), help="what speaks; as in the settings if not given")
    parser.add_argument("--into", type=Path, metavar="FILE.flac", help="write it there and play nothing")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Say it; 1 when nobody could hear it."""
    # Here, not above: the other commands must not wait for numpy.
    from seance.audio.files import write_flac
    from seance.speech.synthesis import CannotSpeak
    from seance.speech.voice_settings import BadManner

    chosen = settings.load(args.config)
    try:
        with voice(chosen, _tell, language=args.lang, engine=args.engine) as speaker:
            wave = speaker.render(" ".join(args.text))
        if args.into is None:
            return _play(wave, chosen)
        write_flac(args.into, wave)
    except (BadManner, CannotSpeak, OSError) as error:
        _tell(str(error))
        return 1
    return 0


def voice(
    chosen: settings.Settings,
    replaced: Callable[[str], None] = lambda _: None,
    *,
    language: str | None = None,
    engine: str | None = None,
    keep: Path | None = None,
) -> Voice:
    """Return the narrator's voice as the owner chose it, or raise BadManner; lines are kept in the folder *keep*.

    *replaced* is told when the voice that the owner chose does not exist and the usual one speaks instead.
    """
    from seance.models.store import find
    from seance.speech.cache import MEGABYTE, Cache, cache_folder
    from seance.speech.synthesis import Voice
    from seance.speech.voice_settings import Wishes, load, speech

    wanted = chosen.voice
    spoken = load(language or chosen.language)
    wishes = Wishes(
        engine=wanted.engine if engine is None else engine,  # type: ignore[arg-type]  # argparse checked it
        name=wanted.name,
        rate=wanted.rate,
        pitch=wanted.pitch,
        effects=wanted.effects,
    )
    folder = find("piper") if spoken.piper else None
    model = folder / f"{spoken.piper.voice}.onnx" if folder and spoken.piper else None
    made = speech(spoken, model, wishes, replaced=replaced)
    cache = Cache(keep or cache_folder() / "voice", wanted.cache_megabytes * MEGABYTE)
    return Voice(made.engine, cache, pitch=made.pitch, effects=made.effects)


def _play(wave: Wave, chosen: settings.Settings) -> int:
    from seance.audio.playback import Playback, PlaybackOutcome

    wanted = chosen.speaker
    with Playback(wanted.device, device_rate=wanted.rate, buffer_seconds=wanted.buffer_seconds) as playback:
        playback.set_volume(wanted.volume)
        playing = playback.queue_speech(wave, volume=chosen.voice.volume)
        outcome = playing.wait(wave.seconds + _FAREWELL_SECONDS)
    if outcome is not PlaybackOutcome.HEARD:
        _tell("there is no loudspeaker to say it with: see `speaker.device` in the settings, or use --into FILE.flac")
        return 1
    return 0


def _tell(words: str) -> None:
    sys.stderr.write(f"seance say: {words}\n")
