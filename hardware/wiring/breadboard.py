"""Draws LEDs and resistors as they sit in a breadboard, one LED every third row."""

from __future__ import annotations

from hardware.board import Board
from hardware.header import describe_pin_key, header_pin_names
from hardware.wiring.ink import BLACK, BLUE, GREEN, GREY, PALE, RED, Sheet

TOP = 150
"""The y of the first row."""
PITCH = 15
"""The distance from one row to the next."""
LEFT = (290, 308, 326, 344, 362)
"""The x of columns a to e."""
RIGHT = (402, 420, 438, 456, 474)
"""The x of columns f to j."""
MINUS = 524
"""The x of the minus rail."""
PLUS = 546
"""The x of the plus rail."""
LED_COLOURS = {"clock": "#ffb03a", "bar": "#ffe08a", "lights": "#8fc7ff"}


def header_position(pin: int) -> int:
    """Return the number of a GPIO's pin on the header, 1 to 40."""
    return next(number for number, name in header_pin_names().items() if name == f"GPIO{pin}")


def draw_breadboard(board: Board) -> Sheet:
    """Draw every LED of *board* that has a GPIO of its own."""
    lamps = [(key, pin) for pin, key in board.used_pins() if ".pins[" in key]
    rows = 3 * len(lamps)
    bottom = TOP + rows * PITCH
    sheet = Sheet(f"Board '{board.name}': LEDs", bottom + 150)
    sheet.text(20, 76, "wire from the Pi", size=16, bold=True)
    sheet.text(20, 98, "GPIO, (pin)", size=15, colour=GREY)
    sheet.text(382, 76, "470 Ω", size=16, anchor="middle")
    sheet.text(496, 76, "LED", size=16, anchor="middle")
    _draw_empty(sheet, rows)
    for index, (key, pin) in enumerate(lamps):
        _draw_led(sheet, 3 * index + 1, key, pin)
    sheet.line((MINUS, bottom), (MINUS, bottom + 30), (420, bottom + 30), colour=BLACK, width=3)
    sheet.text(410, bottom + 36, "ground: Pi, pin 6", size=16, anchor="end")
    total = len(lamps) * board.power.led_ma
    sheet.lines(
        20,
        bottom + 78,
        [
            "Long leg of each LED in column j, short leg in the blue rail (−).",
            f"All lit: {len(lamps)} × {board.power.led_ma:g} mA = {total:g} mA of {board.power.budget_ma:g} mA.",
        ],
    )
    return sheet


def _draw_empty(sheet: Sheet, rows: int) -> None:
    """Draw the breadboard with its holes."""
    sheet.box(258, TOP - 46, 314, rows * PITCH + 56, fill=PALE, colour=GREY)
    for names, columns in (("abcde", LEFT), ("fghij", RIGHT)):
        for name, x in zip(names, columns, strict=True):
            sheet.text(x, TOP - 22, name, size=15, anchor="middle", colour=GREY)
    sheet.text(MINUS, TOP - 22, "−", size=17, bold=True, anchor="middle", colour=BLUE)
    sheet.text(PLUS, TOP - 22, "+", size=17, bold=True, anchor="middle", colour=RED)
    sheet.line((MINUS + 9, TOP - 12), (MINUS + 9, TOP + rows * PITCH), colour=BLUE, width=1.5)
    sheet.line((PLUS + 12, TOP - 12), (PLUS + 12, TOP + rows * PITCH), colour=RED, width=1.5)
    for row in range(rows):
        y = TOP + row * PITCH
        for x in (*LEFT, *RIGHT, MINUS, PLUS):
            sheet.dot(x, y, 1.5, fill=GREY, colour=GREY)


def _draw_led(sheet: Sheet, row: int, key: str, pin: int) -> None:
    y = TOP + (row - 1) * PITCH
    sheet.text(20, y + 6, describe_pin_key(key), size=17, bold=True, colour=GREEN)
    sheet.text(120, y + 6, f"{pin} ({header_position(pin)})", size=16)
    sheet.line((200, y), (LEFT[0], y), colour=GREEN, width=3)
    sheet.dot(LEFT[0], y, 4, fill=GREEN, colour=GREEN)
    sheet.text(276, y - 5, str(row), size=15, anchor="middle", colour=GREY)
    sheet.line((LEFT[4], y), (RIGHT[0], y))
    sheet.box(368, y - 6, 28, 12, fill="#d9b38c")
    sheet.line((RIGHT[4], y), (MINUS, y))
    sheet.dot(499, y, 11, fill=LED_COLOURS[key.split(".")[0]])
    for x in (LEFT[4], RIGHT[0], RIGHT[4], MINUS):
        sheet.dot(x, y, 3.5)
