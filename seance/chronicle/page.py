"""A story as one self-contained HTML page for phones, light and dark screens, and paper."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from seance.chronicle.colours import css_variables
from seance.chronicle.picture import CROW, NONE
from seance.chronicle.prose import Section, Story
from seance.chronicle.timeline import Timeline
from seance.chronicle.words import ChronicleWords
from seance.rules import Psychic

_STYLE = files("seance.chronicle").joinpath("page.css").read_text(encoding="utf-8")

_CANDLE = (
    '<svg width="38" height="62" viewBox="0 0 38 62" fill="none" stroke="currentColor" stroke-width="1.6"'
    ' aria-hidden="true"><path fill="currentColor" stroke="none"'
    ' d="M19 4q9 11 6 18q-2 5-6 5t-6-5q-1.5-5 2.5-9q1 3 2 2.500q2.5-4 1.5-11.500z"/>'
    '<path d="M19 27v5M12 32h14v20H12zM5 57q0-5 7-5h14q7 0 7 5z" stroke-linejoin="round"/></svg>'
)


def render_page(story: Story, timeline: Timeline, words: ChronicleWords, picture: str) -> str:
    """Return *story* and its *picture* (SVG) as an HTML page."""
    words = words.for_edition(timeline.edition)
    title = escape(f"{story.title} · {story.verdict}")
    facts = " · ".join([f"<b>{escape(story.verdict)}</b>", *map(escape, story.facts)])
    body = [
        f'<header>{_CANDLE}<p class="eyebrow">{escape(story.eyebrow)}</p><h1>{escape(story.title)}</h1>',
        f'<p class="ending">{escape(story.ending)}</p><p class="facts">{facts}</p></header>',
        f'<ul class="cast">{"".join(_psychic(psychic, timeline, words) for psychic in timeline.psychics)}</ul>',
        f"<h2>{escape(words.word('turns_picture'))}</h2>",
        f"<figure>{picture}<figcaption>{''.join(_legend(timeline, words))}</figcaption></figure>",
        f"<h2>{escape(words.word('story'))}</h2>",
        f'<p class="opening">{escape(" ".join(story.opening))}</p>',
        *(_section(section, last=section is story.sections[-1], story=story) for section in story.sections),
        f"<footer>{escape(story.colophon)}</footer>",
    ]
    return (
        f'<!doctype html>\n<html lang="{escape(words.language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>{css_variables(':root')}{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _section(section: Section, *, last: bool, story: Story) -> str:
    ending = f'<p class="end">{escape(story.ending)}</p>' if last else ""
    kind = ' class="verdict"' if last and section.mark == "❦" else ""
    return (
        f'<section{kind}><span class="mark" aria-hidden="true">{section.mark}</span><h3>{escape(section.heading)}</h3>'
        f"<p>{escape(' '.join(section.sentences))}</p>{ending}</section>"
    )


def _psychic(psychic: Psychic, timeline: Timeline, words: ChronicleWords) -> str:
    found = [
        f"{turn.card} <small>({escape(words.turn_heading(hour.hour).split()[-1])})</small>"
        for hour in timeline.hours
        for turn in hour.turns
        if turn.psychic is psychic and turn.correct
    ]
    name = escape(words.full_name(psychic))
    return f'<li><i style="--c:var(--{psychic})"></i><div>{name}<span>{" · ".join(found) or NONE}</span></div></li>'


def _legend(timeline: Timeline, words: ChronicleWords) -> Iterator[str]:
    """Yield the legend of the marks that the picture has."""
    turns = [turn for hour in timeline.hours for turn in hour.turns]
    card = '<rect x="1.5" y="1.5" width="11" height="15" rx="2.5" {}/>'
    soft = 'fill="none" stroke="var(--soft)" stroke-width="1.6"'
    yield _key(card.format('fill="var(--soft)"'), words.word("right", "legend"))
    yield _key(card.format(soft) + '<path d="M4.5 6.500l5 5m0-5l-5 5" stroke="var(--soft)" stroke-width="1.6"/>',
               words.word("wrong", "legend"))  # fmt: skip
    if any(turn.correct is None for turn in turns):
        yield _key(card.format(f'{soft} stroke-dasharray="3 2"'), words.word("silent", "legend"))
    yield _key('<path d="M4 3h5v5h-5zM4 10h5v5h-5z" fill="var(--soft)"/>', words.word("visions", "legend"))
    if any(hour.crows for hour in timeline.hours):
        yield _key(f'<path transform="translate(7 9)" d="{CROW}" fill="var(--soft)"/>', words.word("crow", "legend"))
    if any(turn.bets for turn in turns):
        yield _key('<circle cx="7" cy="9" r="5" fill="var(--soft)"/>', words.word("bet_right", "legend"))
        yield _key(f'<circle cx="7" cy="9" r="4.5" {soft}/>', words.word("bet_wrong", "legend"))
        yield _key('<path d="M7 2.500L13.5 9L7 15.500L.5 9z" fill="var(--soft)"/>', words.word("bet_doubts", "legend"))


def _key(mark: str, means: str) -> str:
    return (
        f'<span><svg width="14" height="18" viewBox="0 0 14 18" aria-hidden="true">{mark}</svg>{escape(means)}</span>'
    )
