"""A story as Markdown; what it says is decided elsewhere."""

import re

from seance.chronicle.picture import NONE
from seance.chronicle.prose import Story, hour_name
from seance.chronicle.timeline import Hour, Tale
from seance.chronicle.words import Words
from seance.rules import Psychic


def markdown(story: Story, tale: Tale, words: Words, *, picture: str) -> str:
    """Return *story* as Markdown; *picture* is the name of the file that has the hours."""
    heading = words.word("days_picture" if tale.by_days else "hours_picture")
    parts = [
        f"# {_escaped(story.title)}",
        f"*{story.eyebrow}* · **{story.verdict}** · {' · '.join(story.facts)}",
        f"> {story.ending}",
        _escaped(" ".join(story.opening)),
        f"## {heading}",
        f"![{heading}]({picture})",
        _table(tale, words),
        f"## {words.word('story')}",
        *(f"### {section.heading}\n\n{_escaped(' '.join(section.sentences))}" for section in story.sections),
        f"---\n\n*{story.colophon}*",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(tale: Tale, words: Words) -> str:
    """Return who chose what, and whether it was right: a row for each hour."""
    if not tale.hours:
        return ""
    rows = [
        ["", *(_escaped(words.full_name(psychic)) for psychic in tale.psychics)],
        ["---"] * (1 + len(tale.psychics)),
    ]
    for hour in tale.hours:
        cells = (_cell(hour, psychic) for psychic in tale.psychics)
        rows.append([f"**{hour_name(hour.hour, tale, words)}**", *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(hour: Hour, psychic: Psychic) -> str:
    turn = next((turn for turn in hour.turns if turn.psychic is psychic), None)
    if turn is None:
        return ""
    mark = {True: "✓", False: "✗", None: "…"}[turn.correct]
    return f"{turn.card or NONE} {mark}"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)
