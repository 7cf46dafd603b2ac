"""Draws the solenoid's driver, whose one-shot ends a pulse that the program fails to end."""

from __future__ import annotations

from hardware.board import Board
from hardware.wiring import symbols
from hardware.wiring.ink import AMBER, GREEN, PALE, RED, Sheet

ONE_SHOT_OHM = 330e3
ONE_SHOT_FARAD = 1e-6
ONE_SHOT_S = 0.45 * ONE_SHOT_OHM * ONE_SHOT_FARAD
"""The longest pulse that the 74HCT123 lets through, in seconds; the factor 0.45 is from its data sheet."""


def draw_solenoid(boards: tuple[Board, ...]) -> Sheet:
    """Draw the circuit from the GPIO to the coil."""
    sheet = Sheet("The solenoid's driver", 1010)
    _draw_one_shot(sheet)
    _draw_switch(sheet)
    pins = [f"{board.name}: GPIO {board.knocker.pin}" for board in boards if board.knocker is not None]
    sheet.lines(
        20,
        862,
        [
            "Coil pin — " + ", ".join(pins) + ".",
            f"The one-shot: on while the GPIO is high, but never above {ONE_SHOT_S * 1000:.0f} ms",
            "(0.45 × 330 kΩ × 1 µF): a program that dies mid-knock burns nothing.",
            "Second half of the chip: legs 10 and 11 to ground, leg 9 to 5 V.",
            "MOSFET: logic level, such as IRLZ44N; not IRF520. Its ground and the",
            "Pi's ground are joined. The coil has a 5 V supply of its own.",
        ],
    )
    return sheet


def _draw_one_shot(sheet: Sheet) -> None:
    """Draw GPIO, pull-down and the 74HCT123 with its resistor and capacitor."""
    sheet.box(250, 110, 150, 270, fill=PALE)
    sheet.text(325, 200, "74HCT123", size=20, bold=True, anchor="middle")
    sheet.text(325, 226, "one-shot", size=16, anchor="middle")
    sheet.text(20, 256, "coil's GPIO", size=18, bold=True, colour=GREEN)
    sheet.line((20, 270), (250, 270), colour=GREEN)
    sheet.text(258, 276, "3 CLR", size=16, bold=True)
    sheet.line((140, 270), (140, 356))
    sheet.dot(140, 270)
    symbols.resistor(sheet, 140, 320, "10 kΩ", upright=True)
    symbols.ground(sheet, 140, 356)
    sheet.line((216, 330), (250, 330))
    sheet.text(258, 336, "1 A", size=16, bold=True)
    sheet.line((216, 330), (216, 398))
    symbols.ground(sheet, 216, 398)
    sheet.line((325, 380), (325, 398))
    sheet.text(333, 372, "8", size=16, bold=True)
    symbols.ground(sheet, 325, 398)
    sheet.line((150, 76), (560, 76), colour=RED, width=4)
    sheet.text(20, 82, "5 V, Pi pin 2", size=17, bold=True, colour=RED)
    sheet.line((325, 76), (325, 110), colour=RED)
    sheet.text(333, 130, "16", size=16, bold=True)
    sheet.line((216, 76), (216, 150), (250, 150), colour=RED)
    sheet.text(258, 156, "2 B", size=16, bold=True)
    sheet.line((490, 76), (490, 150), (400, 150))
    sheet.dot(490, 76, fill=RED, colour=RED)
    symbols.resistor(sheet, 490, 112, "330 kΩ", upright=True)
    sheet.text(392, 156, "15", size=16, bold=True, anchor="end")
    sheet.dot(450, 150)
    sheet.line((450, 150), (450, 250), (400, 250))
    symbols.capacitor(sheet, 450, 200, "1 µF")
    sheet.text(392, 256, "14", size=16, bold=True, anchor="end")
    sheet.text(392, 346, "13 Q", size=16, bold=True, anchor="end")


def _draw_switch(sheet: Sheet) -> None:
    """Draw the MOSFET, the coil, its diode and its supply."""
    sheet.line((400, 340), (540, 340), (540, 450), (60, 450), (60, 690), (262, 690), colour=GREEN)
    symbols.resistor(sheet, 120, 690, "100 Ω")
    sheet.line((190, 690), (190, 800))
    sheet.dot(190, 690)
    symbols.resistor(sheet, 190, 750, "10 kΩ", upright=True)
    sheet.text(120, 720, "gate", size=15, anchor="middle")
    symbols.mosfet(sheet, 310, 690)
    sheet.text(356, 680, "IRLZ44N", size=18, bold=True)
    sheet.text(356, 702, "drain up, source down", size=15)
    sheet.line((310, 730), (310, 800))
    sheet.line((190, 800), (560, 800), width=4)
    symbols.ground(sheet, 430, 804)
    sheet.line((310, 500), (310, 650))
    sheet.line((310, 500), (560, 500), colour=AMBER, width=4)
    sheet.line((230, 500), (310, 500), colour=AMBER, width=4)
    symbols.coil(sheet, 310, 570, "solenoid 5 V, 1 A")
    sheet.line((230, 500), (230, 634), (310, 634))
    sheet.dot(310, 634)
    symbols.diode_up(sheet, 230, 570, "1N4007")
    sheet.text(580, 490, "+5 V, a supply of its own, 2 A", size=16, colour=AMBER, bold=True, anchor="end")
    sheet.text(580, 790, "− of supply, and Pi pin 6", size=15, anchor="end")
