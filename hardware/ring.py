"""Driver of WS2812 pixels (a ring or strip) on the SPI bus.

Each bit of a pixel is sent as three bits of the bus at 2.4 MHz (100 for a zero, 110 for a one). So Python need not keep
microsecond timing, and a Pi 5 works as well as a Pi 4. The usual WS2812 libraries need a C compiler on the Pi and
cannot use mock pins; gpiozero's own SPI has neither problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardware.power import Dimming, LampLoad

SPI_RATE_HZ = 2_400_000
"""The bit rate of the bus."""
PIXEL_IDLE_MA = 1.0
"""The current of a dark pixel, in milliamperes."""
CHANNEL_MA = 12.0
"""The current of each of a pixel's three channels at full brightness, in milliamperes."""

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

_TRIPLETS = tuple(
    int("".join("110" if byte >> bit & 1 else "100" for bit in range(7, -1, -1)), 2).to_bytes(3, "big")
    for byte in range(256)
)
_BYTES = {triplet: byte for byte, triplet in enumerate(_TRIPLETS)}
_RESET = bytes(100)
"""Low for a third of a millisecond, after which the pixels show what they were sent."""


def encode_pixels(colours: Sequence[Colour]) -> bytes:
    """Return the bytes to send for *colours*; each pixel takes green, red, blue."""
    body = b"".join(_TRIPLETS[byte] for red, green, blue in colours for byte in (green, red, blue))
    return b"\0" + body + _RESET


def decode_pixels(sent: bytes) -> tuple[Colour, ...]:
    """Return the colours that pixels show after receiving *sent*."""
    body = sent[1 : len(sent) - len(_RESET)]
    channels = [_BYTES[body[start : start + 3]] for start in range(0, len(body), 3)]
    return tuple((channels[i + 1], channels[i], channels[i + 2]) for i in range(0, len(channels), 3))


def scale(colour: Colour, level: float) -> Colour:
    """Return *colour* at *level* (0 to 1), rounded down so that it never draws more current."""
    red, green, blue = (int(channel * level) for channel in colour)
    return red, green, blue


class RingLamps:
    """Pixels of a ring or strip, each with a fixed colour that is dimmed."""

    def __init__(self, colours: Sequence[Colour], spi: Any, *, channel_ma: float = CHANNEL_MA) -> None:
        self.loads = tuple(
            LampLoad(sum(colour) / 255 * channel_ma, Dimming.LINEAR, PIXEL_IDLE_MA) for colour in colours
        )
        self._colours = tuple(colours)
        self._spi: Any = spi
        self._shown: bytes | None = None
        self.write((0.0,) * len(colours))

    def write(self, levels: Sequence[float]) -> None:
        """Send all pixels if any of them has changed."""
        sent = encode_pixels([scale(colour, level) for colour, level in zip(self._colours, levels, strict=True)])
        if sent != self._shown:
            self._spi.write(list(sent))
            self._shown = sent

    def close(self) -> None:
        """Turn all pixels off and release the bus."""
        if self._spi is not None:
            self.write((0.0,) * len(self._colours))
            self._spi.close()
            self._spi = None
