"""A sheet of SVG with lines, boxes and text.

Sizes suit a phone held upright: 600 units wide, and no text smaller than 15.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

WIDTH = 600
BLACK = "#1a1a1a"
GREY = "#5a5a5a"
PALE = "#e8e4da"
RED = "#b3261e"
BLUE = "#1f4e9c"
GREEN = "#1b6e3c"
VIOLET = "#6d2c91"
AMBER = "#8a5a00"

Point = tuple[float, float]


class Sheet:
    """A drawing of a given height on a white background, which can be printed and read at night."""

    def __init__(self, title: str, height: float) -> None:
        self._title, self._height = title, height
        self._parts: list[str] = []
        self.text(WIDTH / 2, 34, title, size=22, bold=True, anchor="middle")

    def line(self, *points: Point, colour: str = BLACK, width: float = 2.5, dashed: bool = False) -> None:
        """Draw a line through *points*."""
        dash = ' stroke-dasharray="6 5"' if dashed else ""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dash}/>')

    def box(self, x: float, y: float, width: float, height: float, *, fill: str = "none", colour: str = BLACK) -> None:
        """Draw a box whose upper left corner is at *x*, *y*."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" '
            f'fill="{fill}" stroke="{colour}" stroke-width="2"/>'
        )

    def dot(self, x: float, y: float, radius: float = 4.5, *, fill: str = BLACK, colour: str = BLACK) -> None:
        """Draw a dot around *x*, *y*."""
        self._parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
        )

    def shape(self, *points: Point, fill: str = BLACK) -> None:
        """Draw a filled shape with corners at *points*."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._parts.append(f'<polygon points="{path}" fill="{fill}" stroke="{BLACK}" stroke-width="2"/>')

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 17,
        bold: bool = False,
        anchor: str = "start",
        colour: str = BLACK,
    ) -> None:
        """Write *words* with their baseline at *y*."""
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"{weight}>'
            f"{escape(words)}</text>"
        )

    def lines(self, x: float, y: float, rows: Iterable[str], *, size: float = 16, colour: str = BLACK) -> float:
        """Write *rows* beneath each other and return the y of the next one."""
        for row in rows:
            self.text(x, y, row, size=size, colour=colour)
            y += size * 1.45
        return y

    def svg(self) -> str:
        """Return the drawing as the text of an SVG file."""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self._height:g}" '
                'font-family="DejaVu Sans, Verdana, Arial, sans-serif">',
                f"<title>{escape(self._title)}</title>",
                f'<rect width="{WIDTH}" height="{self._height:g}" fill="#ffffff"/>',
                *self._parts,
                "</svg>\n",
            ]
        )
