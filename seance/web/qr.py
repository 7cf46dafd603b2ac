"""An address as a QR code in letters, for a phone that is held before a terminal."""

import segno

QUIET = 2
"""Empty modules around it; a phone needs some."""
_HALVES = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
"""Two modules, one above the other, light on a dark screen: 0 is a light one."""


def qr(text: str) -> tuple[str, ...]:
    """Return the lines of a code for *text*, to be shown in a light colour on a dark ground."""
    code = segno.make(text, error="l", micro=False)
    rows = [list(row) for row in code.matrix_iter(border=QUIET)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    halves = (zip(upper, lower, strict=True) for upper, lower in zip(rows[::2], rows[1::2], strict=True))
    return tuple("".join(_HALVES[int(bool(above)), int(bool(below))] for above, below in row) for row in halves)
