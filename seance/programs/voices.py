"""`seance voices`: make what the narrator says ahead of time, which a natural voice on a Pi needs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import msgspec

from seance import settings
from seance.plain_text import error_line
from seance.programs.command_line import Commands, add_config, add_language

if TYPE_CHECKING:
    from seance.speech.synthesis import Synthesizer

_BYTES_PER_SENTENCE, _BYTES_PER_LETTER = 8_700, 370
"""On disk, of a natural voice with its reverb, which rings after each sentence."""
_REPORT_INTERVAL = 100
"""Sentences between two lines of progress, where there is no terminal."""
_MEASURE_INTERVAL = 20
"""Sentences after which the size of the cache is measured anew."""


class _Progress(Protocol):
    def __call__(self, done: int, cache_bytes: int) -> None:
        """Show that *done* sentences are made, and that the cache takes *cache_bytes*."""


def add_parser(commands: Commands) -> None:
    """Add `voices` to the command line."""
    parser = commands.add_parser("voices", description="Make the narrator's lines ahead of time.")
    verbs = parser.add_subparsers(required=True, metavar="render")
    tells = "Make every sentence that a night needs, and keep it; what is there already is left alone."
    render = verbs.add_parser("render", help="make every line that a night needs", description=tells)
    add_config(render)
    add_language(render, "the language (default: that of the settings)")
    render.add_argument("--all", action="store_true", help="for every edition, that of the settings first")
    engines = ("espeak", "piper", "kokoro")
    render.add_argument("--engine", choices=engines, help="what speaks (default: that of the settings)")
    render.set_defaults(run=_render)


def _render(args: argparse.Namespace) -> int:
    """Make the sentences; return 1 when the voice fails or the cache is full, and 130 when stopped."""
    # Here, not above: the other commands must not wait for numpy.
    from seance.daemon.world.evening_script import load_evening_script
    from seance.narration.lore import NARRATOR
    from seance.narration.spoken_pieces import cast_sentences, spoken_pieces
    from seance.programs.owner_settings import changed_names, editions_with_settings
    from seance.programs.say import open_synthesizer
    from seance.rules import EDITIONS
    from seance.speech.sentence_split import split_clauses, split_sentences
    from seance.speech.synthesis import CannotSpeak
    from seance.speech.voice_settings import BadVoiceSettings

    chosen = settings.load(args.config)
    chosen = msgspec.structs.replace(chosen, language=args.lang or chosen.language)
    owners_editions = editions_with_settings(chosen, args.config)
    script = load_evening_script(chosen, editions=owners_editions, names=changed_names(chosen))
    editions = (chosen.game.edition, *(EDITIONS if args.all else ()))
    splits = {"split_sentences": split_sentences, "split_clauses": split_clauses}
    wanted = dict.fromkeys(each for edition in editions for each in cast_sentences(script, edition, split_sentences))
    for edition in editions:
        wanted |= dict.fromkeys((NARRATOR, piece) for piece in spoken_pieces(script, edition, **splits))
    try:
        with open_synthesizer(chosen, _print_error, engine=args.engine) as synthesizer:
            missing = [(who, sentence) for who, sentence in wanted if not synthesizer.voice(who).is_ready(sentence)]
            _print(f"{len(wanted)} sentences, {len(missing)} of them still to be made")
            return _make(synthesizer, missing, chosen.voice.cache_megabytes)
    except (BadVoiceSettings, CannotSpeak, OSError) as error:
        _print_error(str(error))
        return 1


def _make(synthesizer: Synthesizer, missing: list[tuple[str, str]], max_megabytes: int) -> int:
    """Render *missing*, which has who says what, one by one, until the cache holds *max_megabytes*."""
    from seance.speech.cache import MEGABYTE

    cache_bytes = synthesizer.cache_bytes
    needed = cache_bytes + sum(_BYTES_PER_SENTENCE + len(sentence) * _BYTES_PER_LETTER for _, sentence in missing)
    if missing:
        _print(f"they will take about {needed / MEGABYTE:.0f} of {max_megabytes} MB (`voice.cache_megabytes`)")
    done = 0
    try:
        with _show_progress(len(missing)) as show:
            for done, (who, sentence) in enumerate(missing):
                if done % _MEASURE_INTERVAL == 0:
                    cache_bytes = synthesizer.cache_bytes
                if cache_bytes > (max_megabytes - 1) * MEGABYTE:
                    _print_error(f"the cache is full after {done}: raise `voice.cache_megabytes` above {max_megabytes}")
                    return 1
                synthesizer.voice(who).render(sentence)
                show(done + 1, cache_bytes)
    except KeyboardInterrupt:
        _print_error(f"stopped after {done} of {len(missing)}: the same command goes on from there")
        return 130
    _print(f"all is made: {synthesizer.cache_bytes / MEGABYTE:.0f} MB")
    return 0


@contextmanager
def _show_progress(total: int) -> Iterator[_Progress]:
    """Show a bar with the time left and the room that is taken at a terminal, elsewhere a line now and then."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from seance.speech.cache import MEGABYTE

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done, _: _print(f"{done} of {total}") if done % _REPORT_INTERVAL == 0 else None
        return
    room = TextColumn("{task.fields[megabytes]:.0f} MB")
    # Over more than the usual half a minute, in which a few long sentences would be all.
    columns = (BarColumn(), MofNCompleteColumn(), room, TimeRemainingColumn())
    with Progress(*columns, console=console, speed_estimate_period=1800) as bars:
        task = bars.add_task("", total=total, megabytes=0.0)
        yield lambda done, size: bars.update(task, completed=done, megabytes=size / MEGABYTE)


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _print_error(message: str) -> None:
    sys.stderr.write(f"seance: {error_line(message)}\n")
