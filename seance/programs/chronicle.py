"""`seance chronicle`: writes the story of a night as HTML, Markdown and SVG."""

import argparse
import sys
from pathlib import Path

from seance import settings
from seance.chronicle.guest_changes import read_guest_changes
from seance.chronicle.markdown import render_markdown
from seance.chronicle.page import render_page
from seance.chronicle.picture import render_picture
from seance.chronicle.prose import NightDetails, write_story
from seance.chronicle.timeline import Timeline, build_timeline
from seance.chronicle.words import ChronicleWords
from seance.journal import BadJournal, Night
from seance.programs.command_line import Commands, add_config, add_language, add_out
from seance.programs.journal_arguments import add_night_argument, load_night, report_journal_errors
from seance.programs.owner_settings import changed_names
from seance.rules import Seat


def add_parser(commands: Commands) -> None:
    """Add `chronicle` to the command line."""
    parser = commands.add_parser("chronicle", description="Write the story of a night, to keep.")
    add_config(parser)
    add_night_argument(parser)
    add_out(parser, "PATH", "a folder for all of it, or one .html, .md or .svg file (default: this folder)")
    add_language(parser, "another language than that of the night")
    parser.set_defaults(run=report_journal_errors(_run))


def _run(args: argparse.Namespace) -> int:
    night = load_night(args)
    names = changed_names(settings.load(args.config)) | dict(night.names)
    for path in write(night, ChronicleWords.load(args.lang or night.language, names), args.out or Path()):
        sys.stdout.write(f"{path}\n")
    return 0


def page_of(night: Night, words: ChronicleWords) -> str:
    """Return the story of *night* as an HTML page."""
    timeline = _timeline_of(night)
    story = write_story(timeline, words, NightDetails(night.number or 0, night.begun, night.played))
    return render_page(story, timeline, words, render_picture(timeline, words))


def _timeline_of(night: Night) -> Timeline:
    heard = (event for _, events in night.heard(Seat.ROOM) for event in events)
    return build_timeline(heard, read_guest_changes(night.notes))


def write(night: Night, words: ChronicleWords, out: Path) -> list[Path]:
    """Write the story of *night* as HTML, Markdown and SVG, and return the files.

    They go into the folder *out*; where that ends in .html, .md or .svg, it is the one file.
    """
    timeline = _timeline_of(night)
    story = write_story(timeline, words, NightDetails(night.number or 0, night.begun, night.played))
    drawing = render_picture(timeline, words)
    name = f"night-{night.number}"
    texts = {
        ".html": render_page(story, timeline, words, drawing),
        ".md": render_markdown(story, timeline, words, picture=f"{name}.svg"),
        ".svg": f"{drawing}\n",
    }
    is_file = bool(out.suffix) and not out.is_dir()
    if is_file and out.suffix.lower() not in texts:
        raise BadJournal(f"{out}: the name of the file must end in {', '.join(texts)}, or be that of a folder")
    files = {out: texts[out.suffix.lower()]} if is_file else {out / f"{name}{end}": texts[end] for end in texts}
    try:
        for file, text in files.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadJournal(f"{out}: the chronicle cannot be written there: {error.strerror}") from None
    return list(files)
