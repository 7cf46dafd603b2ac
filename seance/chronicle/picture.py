"""The picture of a night's hours as SVG: a column for each psychic, a row for each hour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from seance.chronicle.colours import TEXT_ON, css_variables
from seance.chronicle.timeline import BetResult, Hour, Timeline, Turn
from seance.chronicle.words import ChronicleWords
from seance.rules import Category, Psychic
from seance.rules.terms import Group

# Sizes in pixels.
LEFT = 58
COLUMN = 88
HEAD = 74
ROW = 92
FOOT = 178
EDGE = 12
CARD_WIDTH = 46
CARD_HEIGHT = 56

NONE = "\N{EN DASH}"
"""Stands for a card that was not named."""

_STYLE = """
.hours text { font-family: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'URW Palladio L', Georgia, serif;
  fill: var(--ink); text-anchor: middle }
.hours .mark { font-size: 25px; fill: var(--soft) }
.hours .name { font-size: 17px }
.hours .number { font-size: 22px; font-weight: 600 }
.hours .small { font-size: 14.5px }
.hours .line { stroke: var(--line) }
.hours .thread { stroke-width: 3; opacity: .55 }
.hours .wrong, .hours .silent { fill: var(--paper); stroke-width: 2 }
.hours .silent { stroke-dasharray: 4 4 }
"""

CROW = "M-9-4.5q5.5-2.5 9 3q3.5-5.5 9-3q-6 1.5-7.5 8.5l-1.5-2.5l-1.5 2.5q-1.5-7-7.5-8.5z"
_GLYPHS: Mapping[Category, str] = {
    Category.CHARACTER: "M0-6.2a3 3 0 1 1 0 6a3 3 0 1 1 0-6zM-6 7.5c0-8 12-8 12 0z",
    Category.LOCATION: "M0-6.5l7 6.3h-2v7.2h-3.4v-4.2h-3.2v4.2h-3.4v-7.2h-2z",
    Category.OBJECT: "M-4-4.4a4.4 4.4 0 1 0 0 8.8a4.4 4.4 0 1 0 0-8.8zM-4-1.9a1.9 1.9 0 1 1 0 3.8"
    "a1.9 1.9 0 1 1 0-3.8zM.3-1.3H8V4H5.9V1.3H4.6V3.2H2.6V1.3H.3z",
}
"""SVG paths of a head, a house and a key, about 14 pixels across and centred on the origin."""


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the picture: a psychic, or a group that belongs to nobody."""

    psychic: Psychic | None
    group: Group | None
    middle: float


def render_picture(timeline: Timeline, words: ChronicleWords) -> str:
    """Return the hours of *timeline* as SVG, to stand alone or in a page."""
    words = words.for_edition(timeline.edition)
    places = _columns(timeline)
    height = HEAD + ROW * len(timeline.hours) + (FOOT if timeline.groups else 0) + EDGE
    width = LEFT + COLUMN * len(places) + EDGE
    title = words.word("turns_picture")
    parts = [
        *_rows(timeline, words, width),
        *(part for place in places for part in _column(place, timeline, words)),
        *_lineup(places, timeline, words, width),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="hours" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" style="max-width:{width * 1.15:.0f}px" role="img" aria-label={quoteattr(title)}>'
        f"<style>{css_variables('.hours')}{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _columns(timeline: Timeline) -> list[_Column]:
    of = {group.psychic: group for group in timeline.groups if group.psychic}
    nobody = [group for group in timeline.groups if group.psychic is None]
    owners = [*((psychic, of.get(psychic)) for psychic in timeline.psychics), *((None, group) for group in nobody)]
    return [_Column(psychic, group, LEFT + COLUMN * (at + 0.5)) for at, (psychic, group) in enumerate(owners)]


def _top(row: int) -> float:
    return HEAD + ROW * row


def _rows(timeline: Timeline, words: ChronicleWords, width: int) -> Iterator[str]:
    for row, hour in enumerate(timeline.hours):
        top = _top(row)
        yield f'<path class="line" d="M{EDGE} {top}H{width - EDGE}"/>'
        yield f"<g><title>{escape(words.turn_heading(hour.hour))}</title>"
        mark = escape(words.turn_mark(hour.hour))
        yield f'<text class="mark" x="{LEFT / 2 + 2}" y="{top + ROW / 2 + 8}">{mark}</text></g>'
        for crow in range(min(hour.crows, 3)):
            yield _crow(LEFT / 2 + 2 + 19 * (crow - (min(hour.crows, 3) - 1) / 2), top + ROW - 17)


def _crow(x: float, y: float) -> str:
    return f'<path transform="translate({x} {y})" d="{CROW}" fill="var(--soft)"/>'


def _column(place: _Column, timeline: Timeline, words: ChronicleWords) -> Iterator[str]:
    x, psychic = place.middle, place.psychic
    if psychic is None:
        return
    turns = [(row, turn) for row, hour in enumerate(timeline.hours) for turn in hour.turns if turn.psychic is psychic]
    if turns:
        end = _top(turns[-1][0]) + ROW / 2
        yield f'<path class="thread" d="M{x} {HEAD - 6}V{end}" stroke="{_line_colour(psychic)}"/>'
    yield f"<g><title>{escape(words.full_name(psychic))}</title>"
    yield f'<circle cx="{x}" cy="24" r="13" {_fill_style(psychic)}/>'
    yield f'<text class="name" x="{x}" y="59">{escape(words.short_name(psychic))}</text></g>'
    for row, turn in turns:
        yield from _turn(x, _top(row), turn, timeline.hours[row], words)


def _turn(x: float, top: float, turn: Turn, hour: Hour, words: ChronicleWords) -> Iterator[str]:
    colour = _line_colour(turn.psychic)
    look = _fill_style(turn.psychic) if turn.correct else f'class="{_CLASSES[turn.correct]}" stroke="{colour}"'
    ink = f"fill:{TEXT_ON[turn.psychic]}" if turn.correct else "fill:var(--ink)"
    left, above = x - CARD_WIDTH / 2, top + 9
    yield f"<g><title>{escape(_tooltip(turn, hour, words))}</title>"
    yield f'<rect x="{left}" y="{above}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" {look}/>'
    yield _glyph(x, above + 15, turn.sought, ink)
    yield f'<text class="number" x="{x}" y="{above + 46}" style="{ink}">{turn.card or NONE}</text>'
    if turn.correct is False:
        yield _cross(x + CARD_WIDTH / 2, above + 2)
    if turn.last:
        yield _star(x + CARD_WIDTH / 2, above + 2)
    yield from _visions(left - 9, above + CARD_HEIGHT - 2, turn.visions)
    yield from _bets(x, top + ROW - 14, turn.bets)
    yield "</g>"


_CLASSES = {False: "wrong", None: "silent"}


def _tooltip(turn: Turn, hour: Hour, words: ChronicleWords) -> str:
    """Return the tooltip of a card."""
    key = "silent" if turn.correct is None else "right" if turn.correct else "wrong"
    what = f"{words.category(turn.sought)} {turn.card or NONE}"
    where = f"{words.turn_heading(hour.hour)}, {words.full_name(turn.psychic)}"
    return f"{where}: {what}, {words.word(key, 'legend')}"


def _glyph(x: float, y: float, kind: Category, style: str) -> str:
    return f'<path transform="translate({x} {y})" d="{_GLYPHS[kind]}" style="{style}" fill-rule="evenodd"/>'


def _cross(x: float, y: float) -> str:
    return (
        f'<g transform="translate({x} {y})"><circle r="8.5" fill="var(--paper)"/>'
        '<path d="M-4-4L4 4M4-4L-4 4" stroke="var(--soft)" stroke-width="2.4" stroke-linecap="round"/></g>'
    )


def _star(x: float, y: float) -> str:
    return (
        f'<path transform="translate({x} {y})" d="M0-11L2.8-3.2L11 0L2.8 3.2L0 11L-2.8 3.2L-11 0L-2.8-3.2z"'
        ' fill="var(--gold)" stroke="var(--paper)" stroke-width="2"/>'
    )


def _visions(x: float, bottom: float, count: int) -> Iterator[str]:
    for at in range(min(count, 7)):
        yield f'<rect x="{x}" y="{bottom - 6 - 8 * at}" width="5" height="6" rx="1" fill="var(--soft)"/>'


def _bets(x: float, y: float, bets: Sequence[BetResult]) -> Iterator[str]:
    step = min(15.0, (COLUMN - 12) / max(len(bets), 1))
    for at, bet in enumerate(bets):
        yield _bet(x + step * (at - (len(bets) - 1) / 2), y, bet)


def _bet(x: float, y: float, bet: BetResult) -> str:
    """Return a token: round if it agreed, a diamond if it doubted; filled unless it was wrong."""
    shape = "M-5.5 0a5.5 5.5 0 1 1 11 0a5.5 5.5 0 1 1-11 0z" if bet.agrees else "M0-6.5L6.5 0L0 6.5L-6.5 0z"
    full = _fill_style(bet.by, 1.5) if bet.right is not False else _outline_style(bet.by)
    return f'<path transform="translate({x:.1f} {y})" d="{shape}" {full}/>'


def _lineup(places: Sequence[_Column], timeline: Timeline, words: ChronicleWords, width: int) -> Iterator[str]:
    """Yield the groups, who voted for them, and which one it was."""
    if not timeline.groups:
        return
    top = _top(len(timeline.hours))
    yield f'<path class="line" d="M{EDGE} {top}H{width - EDGE}" stroke-dasharray="2 5"/>'
    yield f'<text class="mark" x="{LEFT / 2 + 2}" y="{top + 82}">❦</text>'
    for place in places:
        if place.group:
            yield from _group(place.middle, top, place.group, timeline, words)


def _group(x: float, top: float, group: Group, timeline: Timeline, words: ChronicleWords) -> Iterator[str]:
    guilty = group.group == timeline.culprit
    ring = 'stroke="var(--gold)" stroke-width="3"' if guilty else 'stroke="var(--line)" stroke-width="1.5"'
    yield f"<g><title>{escape(words.word('group', group=group.group))}</title>"
    yield f'<rect x="{x - 32}" y="{top + 14}" width="64" height="112" rx="9" fill="var(--panel)" {ring}/>'
    yield f'<text class="number" x="{x}" y="{top + 39}">{group.group}</text>'
    for at, (kind, card) in enumerate(zip(Category, group.cards, strict=True)):
        y = top + 61 + 24 * at
        yield _glyph(x - 15, y - 5, kind, "fill:var(--soft)")
        yield f'<text class="small" x="{x + 9}" y="{y}">{card}</text>'
    if guilty:
        yield _flame(x, top + 14)
    yield from _voters(x, top + 144, [vote.by for vote in timeline.votes if vote.group == group.group])
    if timeline.is_accused_by_turn:
        yield from _accusations(x, top + 148, group, timeline, words)
    if guilty:
        label = words.word("culprit")
        yield f'<text class="small" x="{x}" y="{top + 170}" style="fill:var(--gold);font-style:italic">{label}</text>'
    yield "</g>"


def _flame(x: float, y: float) -> str:
    return (
        f'<path transform="translate({x} {y})" d="M0-16q8 9 6 15q-1.5 5-6 5t-6-5q-1-4 2-7q1 2 2 2q2-4 2-10z"'
        ' fill="var(--gold)" stroke="var(--paper)" stroke-width="1.5"/>'
    )


def _voters(x: float, y: float, voters: Sequence[Psychic]) -> Iterator[str]:
    step = min(16.0, (COLUMN - 12) / max(len(voters), 1))
    for at, psychic in enumerate(voters):
        yield f'<circle cx="{x + step * (at - (len(voters) - 1) / 2):.1f}" cy="{y}" r="7" {_fill_style(psychic, 1.5)}/>'


def _accusations(x: float, y: float, group: Group, timeline: Timeline, words: ChronicleWords) -> Iterator[str]:
    days = [
        f"{words.turn_mark(each.hour)} {'✓' if each.right else '✗'}"
        for each in timeline.accusations
        if each.group == group.group
    ]
    if days:
        yield f'<text class="small" x="{x}" y="{y}">{"  ".join(days)}</text>'


def _line_colour(psychic: Psychic) -> str:
    """Return the colour of *psychic* for lines, one that is visible on the paper."""
    return "var(--rim)" if psychic is Psychic.WHITE else f"var(--{psychic})"


def _fill_style(psychic: Psychic, rim: float = 2) -> str:
    # White on light paper and black on dark paper are only visible by their rim.
    edge = "var(--rim)" if psychic in (Psychic.WHITE, Psychic.BLACK) else f"var(--{psychic})"
    return f'fill="var(--{psychic})" stroke="{edge}" stroke-width="{rim}"'


def _outline_style(psychic: Psychic) -> str:
    return f'fill="var(--paper)" stroke="{_line_colour(psychic)}" stroke-width="2"'
