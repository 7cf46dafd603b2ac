"""A story as Markdown."""

import re

from seance.chronicle.picture import NONE
from seance.chronicle.prose import Story
from seance.chronicle.timeline import Hour, Timeline
from seance.chronicle.words import ChronicleWords
from seance.rules import Psychic


def render_markdown(story: Story, timeline: Timeline, words: ChronicleWords, *, picture: str) -> str:
    """Return *story* as Markdown; *picture* is the name of the file with the picture of the hours."""
    words = words.for_edition(timeline.edition)
    heading = words.word("turns_picture")
    parts = [
        f"# {_escape(story.title)}",
        f"*{story.eyebrow}* · **{story.verdict}** · {' · '.join(story.facts)}",
        f"> {story.ending}",
        _escape(" ".join(story.opening)),
        f"## {heading}",
        f"![{heading}]({picture})",
        _table(timeline, words),
        f"## {words.word('story')}",
        *(f"### {section.heading}\n\n{_escape(' '.join(section.sentences))}" for section in story.sections),
        f"---\n\n*{story.colophon}*",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(timeline: Timeline, words: ChronicleWords) -> str:
    """Return a table of what each psychic chose in each hour, and whether it was right."""
    if not timeline.hours:
        return ""
    rows = [
        ["", *(_escape(words.full_name(psychic)) for psychic in timeline.psychics)],
        ["---"] * (1 + len(timeline.psychics)),
    ]
    for hour in timeline.hours:
        cells = (_cell(hour, psychic) for psychic in timeline.psychics)
        rows.append([f"**{words.turn_heading(hour.hour)}**", *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(hour: Hour, psychic: Psychic) -> str:
    turn = next((turn for turn in hour.turns if turn.psychic is psychic), None)
    if turn is None:
        return ""
    mark = {True: "✓", False: "✗", None: "…"}[turn.correct]
    return f"{turn.card or NONE} {mark}"


def _escape(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)
