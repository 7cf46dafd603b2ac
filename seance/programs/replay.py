"""`seance replay`: shows a recorded night again, step by step."""

import argparse
import sys
from datetime import datetime

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from seance import settings
from seance.edition_texts import load_edition_texts
from seance.languages import language_codes
from seance.narration.script import Script
from seance.plain_text import strip_controls
from seance.programs.command_line import Commands, add_config, add_language
from seance.programs.journal_arguments import add_night_argument, load_night, report_journal_errors
from seance.programs.owner_settings import changed_names
from seance.replay.event_text import EventText
from seance.replay.terminal_replay import Replay
from seance.rules import Edition, Seat
from seance.texts import Texts


def add_parser(commands: Commands) -> None:
    """Add `replay` to the command line."""
    parser = commands.add_parser("replay", description="Tell a night again, step by step.")
    add_config(parser)
    add_night_argument(parser)
    parser.add_argument("--seat", choices=tuple(map(str, Seat)), default=str(Seat.ROOM),
                        help="as the room saw it, or with all secrets (default: %(default)s)")  # fmt: skip
    parser.add_argument("--step", action="store_true", help="show the table after each step, and wait for Enter")
    add_language(parser, "another language than that of the night")
    parser.set_defaults(run=report_journal_errors(_run))


def make_event_text(script: Script, edition: Edition) -> EventText:
    """Return the descriptions of events of *edition* in the language of *script*."""
    own = load_edition_texts(script.language)[edition.name]
    texts = Texts.load("replay", script.language)
    return EventText(
        texts=texts.with_changes(own.tables.replay, lambda key, problem: own.error(f"replay.{key}", problem)),
        colours={str(psychic): colour for psychic, colour in script.inflection.psychics.items()},
        edition=own.tables.called.written,
        turns=own.tables.turns.written,
        levels=script.inflection.edition_words(edition.name).levels,
        shared_cards=edition.shared_vision_cards,
    )


def _run(args: argparse.Namespace) -> int:
    chosen, night = settings.load(args.config), load_night(args)
    # A night of another version may be in a language that is not there.
    played_in = night.language if night.language in language_codes() else chosen.language
    script = Script.load(args.lang or played_in)
    names = {str(psychic): name for psychic, name in script.inflection.names.items()}
    event_text = make_event_text(script, night.edition)
    texts = event_text.texts
    console = Console(width=None if sys.stdout.isatty() else 100)
    title = (texts("night", number=night.number), "bold")
    console.print(Text.assemble(title, f", {_format_begun(night.begun, texts)}"), highlight=False)
    pause = (lambda: console.input(f"[dim]{escape(texts('next_step'))}[/] ")) if args.step else None
    replay = Replay(
        console, seat=Seat(args.seat), names=names | changed_names(chosen) | dict(night.names), event_text=event_text
    )
    try:
        replay.play(night, pause=pause)
    except EOFError:
        console.print()
    return 0


def _format_begun(stamp: str, texts: Texts) -> str:
    try:
        return texts("begun", begun=datetime.fromisoformat(stamp))
    except ValueError:  # an imported document may have any text
        return strip_controls(stamp)
