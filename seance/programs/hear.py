"""`seance hear`: recognises files of sound, or the microphone, and prints JSON."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from seance import settings
from seance.audio.array_geometry import ArrayGeometry, BadGeometry, load_geometry
from seance.audio.echo_canceller import NoEchoCanceller
from seance.audio.echo_recording import NoCommonSound, remove_echo
from seance.audio.files import BadAudioFile, read_channels_for_recognition, read_for_recognition
from seance.audio.formats import SPEECH_RATE_HZ
from seance.audio.microphone import Microphone
from seance.audio.portaudio import SoundTrouble
from seance.dialogue.grammar.sentences import Ambiguous, Intent, Sentences
from seance.dialogue.grammar.word_graph import word_graph
from seance.hearing.active_grammar import Grammar
from seance.hearing.array_recogniser import ArrayRecogniser
from seance.hearing.decoder_graph import UnknownWords
from seance.hearing.noise_reduction import noise_floor_db
from seance.hearing.recogniser import Recogniser
from seance.hearing.recognition import Recognition
from seance.hearing.speaker_recognition import Speakers
from seance.hearing.vocabulary import BadModel
from seance.models import store
from seance.models.catalogue import ModelError
from seance.models.language_models import find_rescoring_model, require_recogniser
from seance.plain_text import error_line, file_name, json_line
from seance.programs.command_line import Commands, add_config, add_language
from seance.sound_settings import MicrophoneSection
from seance.text_files import expand_path

_BLOCK = SPEECH_RATE_HZ // 20


def add_parser(commands: Commands) -> None:
    """Add `hear` to the command line."""
    tells = "Recognise commands in sound files or, without files, at the microphone."
    parser = commands.add_parser("hear", description=tells)
    add_config(parser)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="a WAV or FLAC file of any rate")
    add_language(parser, "the language spoken (default: that of the settings)")
    parser.add_argument(
        "--array", metavar="GEOMETRY", help="the array that recorded the files: ring4, or a .toml of your own"
    )
    parser.add_argument(
        "--sentences", type=Path, metavar="FILE.yaml", help="any hassil file instead of the game's sentences"
    )
    parser.add_argument("--expect", nargs="+", action="extend", metavar="INTENT", help="recognise these intents only")
    parser.add_argument("--wake-word", metavar="WORD", help="a word said before every command, such as spirit")
    parser.add_argument("--models", type=Path, metavar="DIR", help="your own folder of models")
    parser.add_argument(
        "--reference", type=Path, metavar="SPEAKER.wav", help="what the loudspeaker played meanwhile, which is removed"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, also at a terminal")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Recognise what *args* name; return 1 when anything could not be read."""
    chosen = settings.load(args.config)
    language = args.lang or chosen.language
    wake_word = chosen.hearing.wake_word if args.wake_word is None else args.wake_word
    try:
        spoken = Sentences.load(language, sentences_file=args.sentences, wake_word=wake_word)
        # What lacks the wake word must be heard as what it is: or the word would be heard into it.
        uncalled = [Sentences.load(language, sentences_file=args.sentences)] if wake_word else []
        array = args.array or (None if args.files else chosen.microphone.array)
        geometry = load_geometry(array) if array else None
        intents, files = _split_intents_and_files(args.expect or [], args.files, spoken)
        recogniser = Recogniser(
            require_recogniser(language, args.models),
            build_grammar(spoken.narrow(intents), *(each.narrow(intents) for each in uncalled)),
            speaker_model=store.find("speaker", args.models),
            rescoring_model=find_rescoring_model(language, args.models),
        )
    except (BadGeometry, UnknownWords, BadModel, ModelError, OSError, LookupError) as error:
        return _complain(error)
    try:
        if args.reference is not None and len(files) != 1:
            return _complain(LookupError(f"--reference belongs to one recording, not to {len(files)}: name that file"))
        if not files:
            return _hear_microphone(recogniser, chosen.microphone, geometry)
        recogniser.wait_until_loaded()
        return max([_hear_file(recogniser, path, geometry, args.reference) for path in files])
    finally:
        recogniser.close()


def build_grammar(sentences: Sentences, *others: Sentences) -> Grammar:
    """Return the grammar of *sentences* that are spoken; *others* are recognised too, and have no intent."""
    sentences = sentences.spoken

    def parse(text: str) -> Intent | None:
        try:
            return sentences.match(text)
        except Ambiguous:
            return None

    return Grammar(
        word_graph(sentences, *others),
        parse,
        could_continue=sentences.could_continue,
        could_extend=sentences.could_extend,
        is_prefix=sentences.is_prefix,
        fillers=sentences.fillers,
    )


def _split_intents_and_files(
    named: list[str], files: list[Path], spoken: Sentences
) -> tuple[list[str] | None, list[Path]]:
    """Return the intents and the files: a file after `--expect INTENT` is taken for one more intent."""
    named = [name for names in named for name in names.split(",")]
    intents = [name for name in named if name in spoken.intents]
    others = [name for name in named if name not in spoken.intents]
    if strange := [name for name in others if not Path(name).suffix]:
        known = ", ".join(sorted(spoken.intents))
        raise LookupError(f"nobody can mean {', '.join(strange)}: expect some of {known}")
    return intents or None, [*map(Path, others), *files]


def _hear_file(recogniser: Recogniser, path: Path, geometry: ArrayGeometry | None, reference: Path | None) -> int:
    """Print what is recognised in *path*, which has the channels of *geometry*, without the echo of *reference*."""
    began = time.process_time()
    try:
        sound = read_channels_for_recognition(path, geometry.channel_count) if geometry else read_for_recognition(path)
        if reference is not None:
            sound = remove_echo(sound, read_for_recognition(reference))
    except (BadAudioFile, NoEchoCanceller) as error:
        return _complain(error)
    except NoCommonSound as error:
        return _complain(NoCommonSound(f"{path} and {reference}: {error}"))
    ear = ArrayRecogniser(recogniser, geometry) if geometry else recogniser
    ear.reset(noise_floor_db=noise_floor_db(sound[:, geometry.channels[0]] if geometry else sound))
    heard: list[Recognition] = []
    for at in range(0, len(sound), _BLOCK):
        heard += _enrol_speakers(recogniser, ear.feed(sound[at : at + _BLOCK]))
    heard += _enrol_speakers(recogniser, ear.finish())
    compute = time.process_time() - began
    commands: list[Recognition | None] = [one for one in heard if one.intent is not None]
    for one in commands or [_longest(heard)]:
        seconds = len(sound) / SPEECH_RATE_HZ
        _print_json(path, one, seconds=seconds, compute=compute, speakers=recogniser.speakers if geometry else None)
    return 0


def _hear_microphone(recogniser: Recogniser, chosen: MicrophoneSection, geometry: ArrayGeometry | None) -> int:
    """Print the commands that are recognised until the user interrupts."""
    ear = ArrayRecogniser(recogniser, geometry) if geometry else recogniser
    kept = expand_path(chosen.keep_sound) if chosen.keep_sound else None
    try:
        with Microphone(
            chosen.device,
            channel=chosen.channel,
            array_channels=geometry.channel_count if geometry else None,
            device_rate=chosen.rate,
            gain_db=chosen.gain_db,
            keep_sound=kept,
            keep_megabytes=chosen.keep_megabytes,
            on_status=lambda status: _print_error(f"microphone: {status}"),
        ) as microphone:
            for block in microphone.blocks():
                for heard in _enrol_speakers(recogniser, ear.feed(block)):
                    if heard.intent is not None:
                        seconds, speakers = heard.ended_s - heard.began_s, recogniser.speakers if geometry else None
                        _print_json(None, heard, seconds=seconds, compute=None, speakers=speakers)
    except SoundTrouble as trouble:
        return _complain(trouble)
    except KeyboardInterrupt:
        return 0
    return 0


def _enrol_speakers(recogniser: Recogniser, all_heard: Iterable[Recognition]) -> Iterator[Recognition]:
    """Yield *all_heard*, and enrol the voiceprints of those who introduce themselves."""
    for heard in all_heard:
        intent = heard.intent
        if intent is not None and intent.name == "enrol":
            recogniser.speakers.enrol(intent.slots["psychic"], heard.voiceprint, heard.direction_deg)
        yield heard


def _longest(heard: Iterable[Recognition]) -> Recognition | None:
    """Return the recognition with the longest text."""
    return max(heard, key=lambda h: len(h.text), default=None)


def _print_json(
    path: Path | None,
    heard: Recognition | None,
    *,
    seconds: float,
    compute: float | None,
    speakers: Speakers | None,
) -> None:
    """Print one line of JSON; with the seats of *speakers* around an array also where it came from."""
    intent = heard.intent if heard else None
    facts = {
        "file": None if path is None else file_name(path),
        "text": heard.text if heard else "",
        "intent": intent.name if intent else None,
        "slots": dict(intent.slots) if intent else {},
        "confidence": _rounded(heard.confidence) if heard else 0.0,
        "speaker": heard.speaker if heard else None,
        "seconds": _rounded(seconds),
        "compute": None if compute is None else _rounded(compute),
        "endpoint": _rounded(heard.latency_s) if heard else None,
    }
    if speakers is not None:
        direction = heard.direction_deg if heard else None
        facts["direction"] = direction
        facts["seat"] = None if direction is None else speakers.seat_at(direction)
    sys.stdout.write(f"{json_line(facts)}\n")
    sys.stdout.flush()


def _rounded(number: float) -> float | None:
    """Return *number* to three decimals; None where it is not finite, for which JSON has no word."""
    return round(number, 3) if math.isfinite(number) else None


def _print_error(words: str) -> None:
    sys.stderr.write(f"seance: {error_line(words)}\n")


def _complain(error: Exception) -> int:
    _print_error(str(error))
    return 1
