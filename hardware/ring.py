"""WS2812 pixels on an SPI bus: one line of data, three colours each; what they show is decided elsewhere.

A bit of a pixel is three bits of the bus at 2.4 MHz (100 for a zero, 110 for a one), so no microsecond is kept in
Python, and a Pi 5 serves as well as a Pi 4. The light libraries for it need a C compiler on the Pi and know no pins
but real ones; gpiozero's own SPI needs neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardware.power import Draw, Kind

SPI_RATE_HZ = 2_400_000
"""Bits a second on the bus."""
IDLE_MILLIAMPERES = 1.0
CHANNEL_MILLIAMPERES = 12.0
"""Of each of the three colours of a pixel, at its brightest."""

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

_TRIPLETS = tuple(
    int("".join("110" if byte >> bit & 1 else "100" for bit in range(7, -1, -1)), 2).to_bytes(3, "big")
    for byte in range(256)
)
_BYTES = {triplet: byte for byte, triplet in enumerate(_TRIPLETS)}
_REST = bytes(100)
"""Low for a third of a millisecond: the pixels show what they were sent."""


def encode(colours: Sequence[Colour]) -> bytes:
    """Return what the bus must send for *colours*; a pixel takes green first."""
    body = b"".join(_TRIPLETS[byte] for red, green, blue in colours for byte in (green, red, blue))
    return b"\0" + body + _REST


def decode(sent: bytes) -> tuple[Colour, ...]:
    """Return the colours that pixels would show after *sent*."""
    body = sent[1 : len(sent) - len(_REST)]
    channels = [_BYTES[body[start : start + 3]] for start in range(0, len(body), 3)]
    return tuple((channels[i + 1], channels[i], channels[i + 2]) for i in range(0, len(channels), 3))


def scaled(colour: Colour, level: float) -> Colour:
    """Return *colour* at *level*, rounded down so that it never draws more."""
    red, green, blue = (int(channel * level) for channel in colour)
    return red, green, blue


class RingLamps:
    """Pixels of a ring or strip, each of one colour that is dimmed."""

    def __init__(
        self, colours: Sequence[Colour], spi: Any, *, channel_milliamperes: float = CHANNEL_MILLIAMPERES
    ) -> None:
        self.draws = tuple(
            Draw(sum(colour) / 255 * channel_milliamperes, Kind.METERED, IDLE_MILLIAMPERES) for colour in colours
        )
        self._colours = tuple(colours)
        self._spi: Any = spi
        self._shown: bytes | None = None
        self.write((0.0,) * len(colours))

    def write(self, levels: Sequence[float]) -> None:
        """Send all pixels, if one of them changes."""
        sent = encode([scaled(colour, level) for colour, level in zip(self._colours, levels, strict=True)])
        if sent != self._shown:
            self._spi.write(list(sent))
            self._shown = sent

    def close(self) -> None:
        """Let all be dark and let go of the bus."""
        if self._spi is not None:
            self.write((0.0,) * len(self._colours))
            self._spi.close()
            self._spi = None
