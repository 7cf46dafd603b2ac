"""Draws rows of bars side by side as SVG: a panel for each figure, with a line at its goal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH_PX = 920
LABELS_PX = 310
ROW_PX = 24
TOP_PX = 66
GAP_PX = 46
"""Between panels; the number beside the longest bar stands there."""


@dataclass(frozen=True)
class Panel:
    """One figure of each row."""

    title: str
    key: str
    goal: float | None = None
    digits: int = 0


def draw_bars(title: str, rows: Mapping[str, Mapping[str, float]], panels: Sequence[Panel], goal_row: str) -> str:
    """Return an SVG with a bar for each row and panel; the goals hold for *goal_row*, which is printed bold."""
    height = TOP_PX + ROW_PX * len(rows) + 20
    width = (WIDTH_PX - LABELS_PX) / len(panels) - GAP_PX
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH_PX} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH_PX}" height="{height}" fill="#fff"/>',
        f'<text x="10" y="22" font-size="15">{escape(title)}</text>',
    ]
    for number, name in enumerate(rows):
        weight = ' font-weight="bold"' if name == goal_row else ""
        lines.append(
            f'<text x="{LABELS_PX - 10}" y="{TOP_PX + number * ROW_PX + 16}" text-anchor="end"{weight}>{escape(name)}</text>'
        )
    for place, panel in enumerate(panels):
        lines += _panel(panel, rows, LABELS_PX + place * (width + GAP_PX), width)
    return "\n".join([*lines, "</svg>\n"])


def _panel(panel: Panel, rows: Mapping[str, Mapping[str, float]], left: float, width: float) -> list[str]:
    highest = max(*(row[panel.key] for row in rows.values()), panel.goal or 0.0)
    lines = [f'<text x="{left:.0f}" y="{TOP_PX - 24}" font-weight="bold">{escape(panel.title)}</text>']
    for number, row in enumerate(rows.values()):
        value, top = row[panel.key], TOP_PX + number * ROW_PX
        length = width * value / highest
        lines += [
            f'<rect x="{left:.1f}" y="{top + 4}" width="{length:.1f}" height="{ROW_PX - 8}" fill="#7a1f1f"/>',
            f'<text x="{left + length + 5:.1f}" y="{top + 16}">{value:.{panel.digits}f}</text>',
        ]
    if panel.goal is not None:
        x, bottom = left + width * panel.goal / highest, TOP_PX + ROW_PX * len(rows)
        lines += [
            f'<line x1="{x:.1f}" y1="{TOP_PX - 4}" x2="{x:.1f}" y2="{bottom}" stroke="#1f5a7a" stroke-dasharray="4 3"/>',
            f'<text x="{x:.1f}" y="{TOP_PX - 8}" text-anchor="middle" fill="#1f5a7a">goal {panel.goal:g}</text>',
        ]
    return lines
