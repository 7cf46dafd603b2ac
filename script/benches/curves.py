"""Draws curves over a common axis as SVG, each in its own panel, from zero."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10

WIDTH = 760
PANEL = 110
LEFT = 70
RIGHT = 20
TOP = 44
GAP = 34


@dataclass(frozen=True)
class Curve:
    """The curve of one panel."""

    title: str
    values: Sequence[float]


def draw_curves(title: str, axis: str, at: Sequence[float], curves: Sequence[Curve]) -> str:
    """Return an SVG of *curves*, whose values are at the places *at* of the axis."""
    height = TOP + len(curves) * (PANEL + GAP) + 14
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{LEFT}" y="20" font-size="15">{title}</text>',
    ]
    for number, curve in enumerate(curves):
        lines += _panel(curve, at, TOP + number * (PANEL + GAP))
    lines.append(
        f'<text x="{WIDTH - RIGHT}" y="{height - 8}" text-anchor="end">{axis}, {at[0]:.0f} to {at[-1]:.0f}</text>'
    )
    return "\n".join([*lines, "</svg>\n"])


def _panel(curve: Curve, at: Sequence[float], top: float) -> list[str]:
    highest = _round_up(max(curve.values) or 1.0)
    across, span = WIDTH - LEFT - RIGHT, (at[-1] - at[0]) or 1.0
    points = " ".join(
        f"{LEFT + (place - at[0]) / span * across:.1f},{top + PANEL * (1 - value / highest):.1f}"
        for place, value in zip(at, curve.values, strict=True)
    )
    return [
        f'<text x="{LEFT}" y="{top - 5}">{curve.title}</text>',
        f'<rect x="{LEFT}" y="{top}" width="{across}" height="{PANEL}" fill="none" stroke="#bbb"/>',
        f'<text x="{LEFT - 6}" y="{top + 10}" text-anchor="end">{highest:g}</text>',
        f'<text x="{LEFT - 6}" y="{top + PANEL}" text-anchor="end">0</text>',
        f'<polyline points="{points}" fill="none" stroke="#7a1f1f" stroke-width="1.6"/>',
    ]


def _round_up(value: float) -> float:
    """Return the next number of one digit, such as 300 for 268."""
    step = 10 ** (ceil(log10(value)) - 1)
    return ceil(value * 1.02 / step) * step
