"""`seance say`: say a line aloud as the narrator does, or write it to a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from seance import settings
from seance.plain_text import error_line
from seance.programs.command_line import Commands, add_config, add_language, add_out
from seance.text_files import shorten
from seance.wyoming.addresses import parse_address

if TYPE_CHECKING:
    from seance.audio.waves import Wave
    from seance.speech.cache import SpeechCache
    from seance.speech.render_queue import RenderQueue
    from seance.speech.synthesis import Synthesizer
    from seance.speech.voice_settings import SynthesisConfig

_PLAYBACK_TIMEOUT_SECONDS = 60.0
"""How long the end of playback is waited for beyond the length of the line."""


def add_parser(commands: Commands) -> None:
    """Add `say` to the command line."""
    parser = commands.add_parser("say", description="Speak a line as the narrator does, aloud or into a file.")
    add_config(parser)
    parser.add_argument("text", nargs="+", metavar="TEXT", help="what to say")
    add_language(parser, "the language (default: that of the settings)")
    engines = ("espeak", "piper", "kokoro")
    parser.add_argument("--engine", choices=engines, help="what speaks (default: that of the settings)")
    add_out(parser, "FILE", "write to a .flac or .wav file, and play nothing", alias="--into")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Say the line; return 1 when it could not be rendered, played or written, and 2 when it has no word."""
    # Here, not above: the other commands must not wait for numpy.
    from seance.audio.files import SOUND_FORMATS, write_sound
    from seance.speech.synthesis import CannotSpeak, is_pronounceable
    from seance.speech.voice_settings import BadVoiceSettings

    chosen, text = settings.load(args.config), " ".join(args.text)
    if not is_pronounceable(text):
        _print_error(f"there is no word to say in {shorten(text)!r}: give some letters or digits")
        return 2
    if args.out is not None and args.out.suffix.lower() not in SOUND_FORMATS:
        _print_error(f"{args.out}: the name of the file must end in {' or '.join(SOUND_FORMATS)}")
        return 2
    try:
        with open_synthesizer(chosen, _print_error, language=args.lang, engine=args.engine) as synthesizer:
            wave = synthesizer.render(text)
        if args.out is None:
            return _play(wave, chosen)
        write_sound(args.out, wave)
    except (BadVoiceSettings, CannotSpeak, OSError) as error:
        _print_error(str(error))
        return 1
    return 0


def open_synthesizer(
    chosen: settings.Settings,
    on_fallback: Callable[[str], None] = lambda _: None,
    *,
    language: str | None = None,
    engine: str | None = None,
    keep: Path | None = None,
) -> Synthesizer:
    """Return the narrator's synthesizer by the owner's settings, or raise BadVoiceSettings.

    Rendered lines are cached in the folder *keep*, else in the user's cache. Where the voice that the owner chose does
    not exist, the usual one speaks, and *on_fallback* is called with the reason.
    """
    from seance.models.language_models import find_natural_voice, find_voice
    from seance.sound_settings import VOICE_ENGINES
    from seance.speech.cache import MEGABYTE, SpeechCache, cache_folder
    from seance.speech.voice_settings import VoiceModels, VoiceOverrides, configure_synthesis, load_voice_settings

    wanted = chosen.voice
    language = language or chosen.language
    voice_settings = load_voice_settings(language)
    server = None if engine or wanted.engine in VOICE_ENGINES else parse_address(wanted.engine)
    overrides = VoiceOverrides(
        engine=engine or ("auto" if server else wanted.engine),  # type: ignore[arg-type]  # it was checked
        name=None if server else wanted.name,
        rate=wanted.rate,
        pitch=wanted.pitch,
        effects=wanted.effects,
    )
    piper = voice_settings.piper
    folder = find_voice(language) if piper else None
    models = VoiceModels(
        piper=folder / f"{piper.voice}.onnx" if folder and piper else None,
        kokoro=find_natural_voice(language),
    )
    config = configure_synthesis(voice_settings, models, overrides, on_fallback=on_fallback)
    if server is not None:
        from seance.speech.wyoming_voice import WyomingVoice, speak_elsewhere  # for few owners

        voice = WyomingVoice(server, language, name=wanted.name)
        config = speak_elsewhere(config, voice, pitch=wanted.pitch, on_fallback=on_fallback)
    cache = SpeechCache(keep or cache_folder() / "voice", wanted.cache_megabytes * MEGABYTE)
    return make_synthesizer(config, cache)


def make_synthesizer(config: SynthesisConfig, cache: SpeechCache, queue: RenderQueue | None = None) -> Synthesizer:
    """Return a synthesizer with its cast, which keeps what it renders in *cache*; *queue* is its own if not given."""
    from seance.speech.render_queue import RenderQueue
    from seance.speech.synthesis import Synthesizer

    queue = queue or RenderQueue(config.process)
    return Synthesizer(
        config.engine,
        cache,
        pitch=config.pitch,
        reverb=config.reverb,
        by_sentence=config.by_sentence,
        from_small_loudspeaker=config.small_loudspeaker,
        cast={name: make_synthesizer(member, cache, queue) for name, member in config.cast.items()},
        queue=queue,
    )


def _play(wave: Wave, chosen: settings.Settings) -> int:
    from seance.audio.playback import Playback, PlaybackOutcome

    wanted = chosen.speaker
    with Playback(wanted.device, device_rate=wanted.rate, buffer_seconds=wanted.buffer_seconds) as playback:
        playback.set_volume(wanted.volume)
        handle = playback.queue_speech(wave, volume=chosen.voice.volume)
        outcome = handle.wait(wave.seconds + _PLAYBACK_TIMEOUT_SECONDS)
    if outcome is not PlaybackOutcome.HEARD:
        _print_error(
            "there is no loudspeaker to say it with: see `speaker.device` in the settings, or use --out FILE.flac"
        )
        return 1
    return 0


def _print_error(message: str) -> None:
    sys.stderr.write(f"seance: {error_line(message)}\n")
