"""QR codes, to be scanned from a terminal or a page."""

import segno

QUIET_ZONE_MODULES = 2
"""Width of the empty border that scanners need."""
_HALF_BLOCKS = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
"""A character for two modules, one above the other; 1 is a dark module."""


def qr_lines(text: str) -> tuple[str, ...]:
    """Return a QR code of *text* as lines, for a light foreground on a dark background."""
    code = segno.make(text, error="l", micro=False)
    rows = [list(row) for row in code.matrix_iter(border=QUIET_ZONE_MODULES)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = (zip(upper, lower, strict=True) for upper, lower in zip(rows[::2], rows[1::2], strict=True))
    return tuple("".join(_HALF_BLOCKS[int(bool(above)), int(bool(below))] for above, below in row) for row in pairs)


def qr_path(text: str) -> tuple[int, str]:
    """Return the width of a QR code of *text* in modules, and an SVG path of its dark ones."""
    rows = list(segno.make(text, error="l", micro=False).matrix_iter(border=QUIET_ZONE_MODULES))
    dark = ((x, y) for y, row in enumerate(rows) for x, module in enumerate(row) if module)
    return len(rows), "".join(f"M{x} {y}h1v1h-1z" for x, y in dark)
