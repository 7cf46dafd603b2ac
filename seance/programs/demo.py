"""`seance demo`: simulated guests play a whole night, heard by the real recogniser."""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.text import Text

from seance import settings
from seance.codec import event_fields
from seance.dialogue.opening import Opening
from seance.plain_text import error_line, strip_controls
from seance.programs.command_line import Commands, add_config, add_language
from seance.programs.owner_settings import changed_names, editions_with_settings
from seance.rules import EDITIONS, Begin, Edition, Psychic, apply
from seance.rules.bots import Company
from seance.rules.events import NightEnded
from seance.texts import Texts

if TYPE_CHECKING:
    from seance.audio.waves import Wave
    from seance.demo.acoustics import GuestVoices
    from seance.demo.cast import Cast
    from seance.demo.recording import RecordedSound
    from seance.demo.table import SpokenInput
    from seance.demo.terminal_audience import SoundOutput
    from seance.dialogue.grammar.sentences import Sentences
    from seance.speech.synthesis import Synthesizer


def add_parser(commands: Commands) -> None:
    """Add `demo` to the command line."""
    tells = "Watch an invented company play a whole night; its voices go through the real recogniser."
    parser = commands.add_parser("demo", description=tells)
    add_config(parser)
    parser.add_argument("--edition", choices=tuple(EDITIONS), help="the rules (default: those of the settings)")
    parser.add_argument(
        "--players", type=int, metavar="N", help="how many, the ghost included (default: that of the settings)"
    )
    parser.add_argument(
        "--level", metavar="LEVEL", help="as the edition calls it (default: that of the settings, or the easiest)"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="the same seed plays the same night (default: by chance)")
    add_language(parser, "the language spoken (default: that of the settings)")
    parser.add_argument(
        "--speed",
        type=_speed,
        metavar="X",
        help="1 plays it aloud, as at a table; 10 is ten times as fast; max never waits (default: max)",
    )
    parser.add_argument(
        "--story",
        choices=tuple(Opening),
        metavar="STORY",
        help="how much of the story is told first: long, short or skipped (default: short if it is played aloud)",
    )
    parser.add_argument("--typed", action="store_true", help="the guests type instead of speaking")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="where its journal and chronicle go (default: a new temporary folder)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the night that *args* and the settings ask for; return 1 when it could not be finished."""
    chosen = settings.load(args.config)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    begin = _night(args, chosen, seed)
    apply(None, begin)  # or a Refusal, before anything is heard
    console = Console()
    folder = args.out or Path(tempfile.mkdtemp(prefix="seance-demo-"))
    return _play(args, chosen, begin, console, folder)


def _night(args: argparse.Namespace, chosen: settings.Settings, seed: int) -> Begin:
    edition = editions_with_settings(chosen, args.config)[args.edition or chosen.game.edition]
    level = args.level or (chosen.game.level if chosen.game.level in edition.levels else next(iter(edition.levels)))
    players = chosen.game.players if args.players is None else args.players
    psychics = _company(edition, players, Random(seed))
    return Begin(edition=edition, players=players, level=level, seed=seed, psychics=psychics)


def _company(edition: Edition, players: int, chance: Random) -> tuple[Psychic, ...] | None:
    """Return the psychics who play, by colour; None where *edition* is not for so many *players*."""
    if players not in edition.players:
        return None
    playing = chance.sample(tuple(Psychic), edition.psychics(players))
    return tuple(psychic for psychic in Psychic if psychic in playing)


def record(args: argparse.Namespace, seconds: float, console: Console) -> Wave:
    """Return the first *seconds* of the night that *args* and the settings ask for as sound."""
    from seance.demo.recording import RecordedSound
    from seance.programs.say import open_synthesizer
    from seance.soundscape.library import SoundLibrary

    chosen = settings.load(args.config)
    language = args.lang or chosen.language
    begin = _night(args, chosen, args.seed)
    with (
        tempfile.TemporaryDirectory(prefix="seance-recording-") as folder,
        open_synthesizer(chosen, language=language) as synthesizer,
    ):
        library = SoundLibrary(Path(folder, "sounds"), ambience=chosen.ambience.on)
        recording = RecordedSound(synthesizer, library, max_seconds=seconds, ambience_volume=chosen.ambience.volume)
        _play(args, chosen, begin, console, Path(folder), recording)
        return recording.wave


def _play(
    args: argparse.Namespace,
    chosen: settings.Settings,
    begin: Begin,
    console: Console,
    folder: Path,
    recording: RecordedSound | None = None,
) -> int:
    # Here, not above: the other commands must not wait for numpy, vosk and gpiozero.
    from seance.daemon.context import EveningContext
    from seance.daemon.evening import Evening
    from seance.daemon.terminal_texts import TerminalTexts
    from seance.demo.cast import load_cast
    from seance.demo.guests import Guests, NightStuck
    from seance.demo.recording import RecordingAudience, RecordingDone
    from seance.demo.table import DemoTable
    from seance.demo.terminal_audience import TerminalAudience
    from seance.dialogue.conversation import Defaults
    from seance.dialogue.grammar.sentences import Sentences
    from seance.ghost_words import GhostWords
    from seance.journal import Journal
    from seance.narration.help_card import HelpTexts
    from seance.narration.script import Script
    from seance.narration.staging import NarrationStyle

    language = args.lang or chosen.language
    aloud = args.speed == 1 or recording is not None
    story = Opening(args.story or (Opening.SHORT if aloud else Opening.SKIPPED))
    sentences, cast = Sentences.load(language), load_cast(language)
    seeds, decisions, behaviour = (Random(f"{begin.seed}/{of}") for of in ("seeds", "decisions", "manners"))
    with ExitStack() as stack:
        keep = stack.enter_context
        journal = keep(Journal.open(folder / "nights"))
        context = EveningContext(
            sentences=sentences,
            style=NarrationStyle(script=Script.load(language)),
            ghost_words=GhostWords.load(language),
            help_texts=HelpTexts.load(language),
            defaults=Defaults(editions=editions_with_settings(chosen, args.config)),
            journal=journal,
            draw_seed=lambda: seeds.getrandbits(63),
            psychic_names=changed_names(chosen),
        )
        texts = TerminalTexts.load(language).of(begin.edition.name)
        title, company = (texts("demo.title"), "bold"), texts("demo.company", seed=begin.seed)
        console.print(Text.assemble(title, company), highlight=False)
        sound_output = recording or (_sound_output(stack, chosen, language) if aloud else None)
        voices = _guest_voices(stack, language, cast, sound_output.synthesizer if sound_output else None)
        spoken_input = (
            None if args.typed else _spoken_input(stack, language, sentences, cast, voices, behaviour, console)
        )
        colours = context.style.script.inflection.psychics
        kind = TerminalAudience if recording is None else RecordingAudience
        audience = keep(kind(console, texts, colours, speed=args.speed, sound_output=sound_output))
        if isinstance(audience, RecordingAudience) and recording is not None:
            audience.recording = recording
        table = DemoTable(Evening(context), audience, spoken_input)
        guests = Guests(table, cast, Company(decisions), language=language, sentences=sentences, chance=behaviour)
        try:
            guests.play(begin, story=story)
        except RecordingDone:
            return 0
        except NightStuck as stuck:
            sys.stderr.write(f"seance: {error_line(stuck)} (seed {begin.seed})\n")
            return 1
    typed = texts.count("demo.typed", guests.tally.sentences)
    console.print(guests.tally.describe(texts) if spoken_input else typed, highlight=False, soft_wrap=True)
    return _report(folder, language, changed_names(chosen), console)


def _guest_voices(stack: ExitStack, language: str, cast: Cast, narrator: Synthesizer | None) -> GuestVoices:
    """Return the guests' voices: natural ones where Kokoro is installed and they are heard beside a *narrator*.

    Its process takes half a gigabyte, so they share that of a *narrator* who speaks with it.
    """
    from seance.demo.acoustics import GuestVoices
    from seance.models import store
    from seance.speech.kokoro import KokoroProcess, has_memory
    from seance.speech.voice_settings import load_voice_settings

    folder = store.find("kokoro")
    if narrator is None or folder is None or not has_memory():
        return GuestVoices(cast.voices)
    kokoro = load_voice_settings(language).kokoro
    respelt = kokoro.respell if kokoro is not None else None
    if isinstance(narrator.queue.process, KokoroProcess):
        return GuestVoices(cast.voices, narrator.queue.process, queue=narrator.queue, respelt=respelt)
    process = KokoroProcess(folder)
    stack.callback(process.close)
    return GuestVoices(cast.voices, process, respelt=respelt)


def _spoken_input(
    stack: ExitStack,
    language: str,
    sentences: Sentences,
    cast: Cast,
    voices: GuestVoices,
    chance: Random,
    console: Console,
) -> SpokenInput | None:
    """Return the guests' voices and the recogniser; where either is missing, print why and return None."""
    from seance.demo.acoustics import NoisyRecogniser
    from seance.demo.table import SpokenInput
    from seance.hearing.decoder_graph import UnknownWords
    from seance.hearing.recogniser import Recogniser
    from seance.hearing.vocabulary import BadModel
    from seance.models.catalogue import ModelError, look_up
    from seance.models.language_models import NoRecogniser, find_rescoring_model, recogniser_key, require_recogniser
    from seance.models.store import ModelAbsent
    from seance.programs.hear import build_grammar
    from seance.speech.engines import CannotSpeak

    texts = Texts.load("terminal", language)
    try:
        if not cast.voices:
            raise CannotSpeak(texts("demo.no_voices", language=texts.language.name))
        voices.say(Psychic.BLUE, cast.talk[0])
        recogniser = Recogniser(
            require_recogniser(language), build_grammar(sentences), rescoring_model=find_rescoring_model(language)
        )
        recogniser.wait_until_loaded()
    except (CannotSpeak, ModelError, BadModel, UnknownWords, OSError) as trouble:
        match trouble:
            case NoRecogniser():
                reason = texts("demo.no_recogniser", language=texts.language.name)
            case ModelAbsent():
                model = look_up(recogniser_key(language))
                reason = texts("demo.no_model", model=model.name, key=model.key)
            case _:
                reason = strip_controls(str(trouble).splitlines()[0])
        console.print(texts("demo.typing", reason=reason), highlight=False, soft_wrap=True, markup=False)
        return None
    noisy_recogniser = NoisyRecogniser(recogniser, sentences, build_grammar, chance=chance)
    stack.callback(noisy_recogniser.close)
    return SpokenInput(voices, noisy_recogniser)


def _sound_output(stack: ExitStack, chosen: settings.Settings, language: str) -> SoundOutput | None:
    """Return the sound output of the demonstration; None where there is no loudspeaker, or no voice."""
    from seance.audio.playback import Playback
    from seance.demo.sound_output import PlaybackSoundOutput
    from seance.programs.say import open_synthesizer
    from seance.speech.voice_settings import BadVoiceSettings

    wanted = chosen.speaker
    try:
        synthesizer = stack.enter_context(open_synthesizer(chosen, language=language))
    except (BadVoiceSettings, OSError):
        return None
    playback = Playback(wanted.device, device_rate=wanted.rate, buffer_seconds=wanted.buffer_seconds)
    stack.enter_context(playback)
    if playback.status is None or not playback.status.audible:
        return None
    playback.set_volume(wanted.volume)
    return PlaybackSoundOutput(synthesizer, playback, volume=chosen.voice.volume)


def _report(folder: Path, language: str, names: dict[str, str], console: Console) -> int:
    """Write the chronicle, and print how the night ended and where the chronicle is."""
    from seance.chronicle.words import ChronicleWords
    from seance.journal import JournalReader
    from seance.narration.script import Script
    from seance.programs.chronicle import write
    from seance.programs.replay import make_event_text

    with JournalReader.open(folder / "nights") as reader:
        night = reader.night(max(reader.numbers()))
    page, *_ = write(night, ChronicleWords.load(language, names), folder)
    ended = next(event for event in night.entries[-1].events if isinstance(event, NightEnded))
    event_text = make_event_text(Script.load(language), night.edition)
    told = event_text.describe(msgspec.to_builtins(event_fields(ended)))
    console.print(told, highlight=False, markup=False)
    chronicle = Texts.load("terminal", language)("demo.chronicle", page=page)
    console.print(chronicle, highlight=False, soft_wrap=True, markup=False)
    return 0


def _speed(text: str) -> float | None:
    """Return the speed as a factor, 1 being as fast as at a table; None never waits."""
    if text == "max":
        return None
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.1 <= speed <= 1000:
        raise argparse.ArgumentTypeError(f"a speed is a number from 0.1 to 1000, or `max`, not {text!r}")
    return speed
