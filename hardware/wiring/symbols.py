"""The symbols of a circuit diagram."""

from __future__ import annotations

from hardware.wiring.ink import BLACK, GREY, Sheet


def resistor(sheet: Sheet, x: float, y: float, words: str = "", *, upright: bool = False) -> None:
    """Draw a resistor 46 units long, centred at *x*, *y*."""
    if upright:
        sheet.box(x - 9, y - 23, 18, 46, fill="#ffffff")
        sheet.text(x + 16, y + 6, words, size=16)
    else:
        sheet.box(x - 23, y - 9, 46, 18, fill="#ffffff")
        sheet.text(x, y - 16, words, size=15, anchor="middle")


def led(sheet: Sheet, x: float, y: float, colour: str = "#ffb03a") -> None:
    """Draw a LED from left to right, centred at *x*, *y*."""
    sheet.shape((x - 12, y - 13), (x - 12, y + 13), (x + 12, y), fill=colour)
    sheet.line((x + 12, y - 13), (x + 12, y + 13))
    for shift in (0, 9):
        sheet.line((x - 2 + shift, y - 16), (x + 6 + shift, y - 26), colour=GREY, width=2)


def diode_up(sheet: Sheet, x: float, y: float, words: str = "") -> None:
    """Draw a diode that conducts upwards, centred at *x*, *y*."""
    sheet.shape((x - 13, y + 12), (x + 13, y + 12), (x, y - 12))
    sheet.line((x - 13, y - 12), (x + 13, y - 12), width=3.5)
    sheet.text(x - 20, y + 6, words, size=16, anchor="end")


def capacitor(sheet: Sheet, x: float, y: float, words: str = "") -> None:
    """Draw an upright capacitor, centred at *x*, *y*."""
    sheet.box(x - 16, y - 6, 32, 12, fill="#ffffff", colour="#ffffff")
    sheet.line((x - 16, y - 6), (x + 16, y - 6), width=3.5)
    sheet.line((x - 16, y + 6), (x + 16, y + 6), width=3.5)
    sheet.text(x + 24, y + 6, words, size=16)


def ground(sheet: Sheet, x: float, y: float) -> None:
    """Draw the ground symbol below *x*, *y*."""
    for half, down in ((14, 0), (9, 6), (4, 12)):
        sheet.line((x - half, y + down), (x + half, y + down))


def contact(sheet: Sheet, x: float, y: float, *, push: bool = True) -> None:
    """Draw an open contact from left to right, centred at *x*, *y*: a push button, or a switch."""
    sheet.dot(x - 24, y, 4, fill="#ffffff")
    sheet.dot(x + 24, y, 4, fill="#ffffff")
    if push:
        sheet.line((x - 26, y - 13), (x + 26, y - 13))
        sheet.line((x, y - 13), (x, y - 26))
        sheet.line((x - 10, y - 26), (x + 10, y - 26))
    else:
        sheet.line((x - 21, y - 2), (x + 20, y - 18))


def coil(sheet: Sheet, x: float, y: float, words: str = "") -> None:
    """Draw an upright coil 70 units long, centred at *x*, *y*."""
    sheet.box(x - 16, y - 35, 32, 70, fill="#f2d9b8")
    for row in range(-2, 3):
        sheet.line((x - 16, y + row * 13 + 5), (x + 16, y + row * 13 - 5), width=2)
    sheet.text(x + 26, y + 6, words, size=16)


def mosfet(sheet: Sheet, x: float, y: float) -> None:
    """Draw an n-channel MOSFET: its gate at (x - 40, y), drain at (x, y - 40), source at (x, y + 40)."""
    sheet.dot(x - 8, y, 34, fill="#ffffff", colour=GREY)
    sheet.line((x - 40, y), (x - 24, y))
    sheet.line((x - 24, y - 18), (x - 24, y + 18), width=3.5)
    for piece in (-16, 0, 16):
        sheet.line((x - 16, y + piece - 6), (x - 16, y + piece + 6), width=3.5)
    sheet.line((x - 16, y - 16), (x, y - 16), (x, y - 40))
    sheet.line((x - 16, y + 16), (x, y + 16), (x, y + 40))
    sheet.line((x - 16, y), (x, y), (x, y + 16))
    sheet.shape((x - 14, y), (x - 5, y - 5), (x - 5, y + 5), fill=BLACK)
