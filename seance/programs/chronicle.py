"""`seance chronicle`: writes the story of a night as HTML, Markdown and SVG."""

import argparse
import sys
from pathlib import Path

from seance import settings
from seance.chronicle.markdown import render_markdown
from seance.chronicle.page import render_page
from seance.chronicle.picture import render_picture
from seance.chronicle.prose import NightDetails, write_story
from seance.chronicle.timeline import build_timeline
from seance.chronicle.words import ChronicleWords
from seance.journal import BadJournal, Night
from seance.programs.command_line import Commands, add_config, add_language
from seance.programs.journal_arguments import add_night_argument, load_night, report_journal_errors
from seance.programs.owner_settings import changed_names
from seance.rules import Seat


def add_parser(commands: Commands) -> None:
    """Add `chronicle` to the command line."""
    parser = commands.add_parser("chronicle", description="Write the story of a night, to keep.")
    add_config(parser)
    add_night_argument(parser)
    parser.add_argument("--out", type=Path, default=Path(), metavar="FOLDER", help="where to write it (here)")
    add_language(parser, "in another language than the night was played in")
    parser.set_defaults(run=report_journal_errors(_run))


def _run(args: argparse.Namespace) -> int:
    night = load_night(args)
    names = changed_names(settings.load(args.config)) | dict(night.names)
    for path in write(night, ChronicleWords.load(args.lang or night.language, names), args.out):
        sys.stdout.write(f"{path}\n")
    return 0


def page_of(night: Night, words: ChronicleWords) -> str:
    """Return the story of *night* as an HTML page."""
    timeline = build_timeline(event for _, events in night.heard(Seat.ROOM) for event in events)
    story = write_story(timeline, words, NightDetails(night.number or 0, night.begun, night.played))
    return render_page(story, timeline, words, render_picture(timeline, words))


def write(night: Night, words: ChronicleWords, folder: Path) -> list[Path]:
    """Write the story of *night* to *folder* as HTML, Markdown and SVG, and return the files."""
    timeline = build_timeline(event for _, events in night.heard(Seat.ROOM) for event in events)
    story = write_story(timeline, words, NightDetails(night.number or 0, night.begun, night.played))
    drawing = render_picture(timeline, words)
    name = f"night-{night.number}"
    texts = {
        f"{name}.html": render_page(story, timeline, words, drawing),
        f"{name}.md": render_markdown(story, timeline, words, picture=f"{name}.svg"),
        f"{name}.svg": f"{drawing}\n",
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadJournal(f"{folder}: the chronicle cannot be written there: {error.strerror}") from None
    return [folder / file for file in texts]
