"""Draws win rates as an SVG heat map: one panel per edition, levels by number of players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

CELL_WIDTH = 72
CELL_HEIGHT = 50
GAP = 5
LABEL_WIDTH = 112
HEAD_HEIGHT = 84
PADDING = 24
MARGIN = 36
DARK = "#0e0b16"
PANEL = "#171223"
EDGE = "#2b2340"
LIGHT = "#f2ecff"
QUIET = "#9d92b8"

RAMP = ((26, 18, 48), (81, 18, 124), (150, 44, 128), (216, 69, 108), (250, 127, 94), (254, 191, 132), (252, 246, 190))
"""RGB from always lost to always won, in even steps; readable for the colour-blind."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the heat map."""

    rate: float
    tooltip: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The rates of one edition."""

    name: str
    rows: Sequence[str]
    columns: Sequence[int]
    cells: Mapping[tuple[str, int], Cell]

    @property
    def width(self) -> int:
        """Return the width in pixels."""
        return 2 * PADDING + LABEL_WIDTH + len(self.columns) * (CELL_WIDTH + GAP) - GAP

    @property
    def height(self) -> int:
        """Return the height in pixels."""
        return PADDING + HEAD_HEIGHT + len(self.rows) * (CELL_HEIGHT + GAP) - GAP


def draw_heatmap(panels: Sequence[Panel], *, title: str, subtitle: str, across: int = 2) -> str:
    """Return the panels, at most *across* side by side, as SVG."""
    across = min(across, len(panels))
    width = max(panel.width for panel in panels)
    parts, top = [], 128
    for first in range(0, len(panels), across):
        row = panels[first : first + across]
        for at, panel in enumerate(row):
            parts.append(_panel(panel, MARGIN + at * (width + MARGIN), top))
        top += max(panel.height for panel in row) + MARGIN
    whole = MARGIN + across * (width + MARGIN)
    head = _text(MARGIN, 58, title, size=27, weight=600) + _text(MARGIN, 88, subtitle, size=14.5, fill=QUIET)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {top + 52}" width="{whole}" height="{top + 52}"'
        " font-family=\"Inter, 'Segoe UI', 'DejaVu Sans', sans-serif\">"
        f'<rect width="100%" height="100%" fill="{DARK}"/>{head}{"".join(parts)}{_legend(whole, top)}</svg>\n'
    )


def _panel(panel: Panel, x: int, y: int) -> str:
    parts = [
        f'<g transform="translate({x} {y})">',
        f'<rect width="{panel.width}" height="{panel.height}" rx="16" fill="{PANEL}" stroke="{EDGE}"/>',
        _text(PADDING, 42, panel.name, size=19, weight=600),
    ]
    left = PADDING + LABEL_WIDTH
    for at, column in enumerate(panel.columns):
        middle = left + at * (CELL_WIDTH + GAP) + CELL_WIDTH / 2
        parts.append(_text(middle, HEAD_HEIGHT - 14, f"{column} players", size=12, fill=QUIET, anchor="middle"))
    for down, row in enumerate(panel.rows):
        top = HEAD_HEIGHT + down * (CELL_HEIGHT + GAP)
        label = row.replace("_", " ")
        parts.append(_text(left - 14, top + CELL_HEIGHT / 2 + 5, label, size=14, anchor="end"))
        for at, column in enumerate(panel.columns):
            parts.append(_cell(panel.cells[row, column], left + at * (CELL_WIDTH + GAP), top))
    return "".join([*parts, "</g>"])


def _cell(cell: Cell, x: int, y: int) -> str:
    ink = DARK if cell.rate > 0.55 else LIGHT
    text = _text(
        x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2 + 6, f"{cell.rate:.0%}", size=17, fill=ink, anchor="middle", weight=600
    )
    return (
        f'<g><title>{escape(cell.tooltip)}</title><rect x="{x}" y="{y}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}"'
        f' rx="9" fill="{colour(cell.rate)}"/>{text}</g>'
    )


def _legend(whole: int, top: int) -> str:
    width, steps = 280, len(RAMP) - 1
    stops = "".join(f'<stop offset="{at / steps:.3f}" stop-color="{colour(at / steps)}"/>' for at in range(steps + 1))
    x, y = whole - MARGIN - width, top - 6
    ends = _text(x - 12, y + 12, "always lost", size=13, fill=QUIET, anchor="end")
    return (
        f'<defs><linearGradient id="ramp">{stops}</linearGradient></defs>{ends}'
        f'<rect x="{x}" y="{y}" width="{width - 96}" height="14" rx="7" fill="url(#ramp)"/>'
        + _text(x + width - 84, y + 12, "always won", size=13, fill=QUIET)
    )


def _text(
    x: float, y: float, text: str, *, size: float, fill: str = LIGHT, anchor: str = "start", weight: int = 400
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="{weight}" fill="{fill}"'
        f' text-anchor="{anchor}">{escape(text)}</text>'
    )


def colour(rate: float) -> str:
    """Return the colour of a rate between 0 and 1, as #rrggbb."""
    steps = len(RAMP) - 1
    at = min(int(rate * steps), steps - 1)
    part = rate * steps - at
    mixed = (round(low + (high - low) * part) for low, high in zip(RAMP[at], RAMP[at + 1], strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)
