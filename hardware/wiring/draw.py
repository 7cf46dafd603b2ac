"""Draws the wiring from the board files: `python -m hardware.wiring.draw` writes every drawing beside this file."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from hardware.board import Board, load_board
from hardware.header import describe_pin_key, header_pin_names, pin_uses
from hardware.wiring import symbols
from hardware.wiring.array_table import draw_array_on_table
from hardware.wiring.breadboard import draw_breadboard, header_position
from hardware.wiring.driver import draw_solenoid
from hardware.wiring.ink import AMBER, BLACK, BLUE, GREEN, GREY, PALE, RED, VIOLET, WIDTH, Sheet

FOLDER = Path(__file__).parent
REGISTER_PINS = ("15 QA", "1 QB", "2 QC", "3 QD", "4 QE", "5 QF", "6 QG", "7 QH")
"""The number and name of each output leg of a 74HC595."""


def draw_header(board: Board) -> Sheet:
    """Draw the 40 pins and what *board* has on each."""
    sheet = Sheet(f"Board '{board.name}': the header", 960)
    names, used = header_pin_names(), pin_uses(board)
    sheet.text(WIDTH / 2, 62, "as seen from above; pin 1 is at the corner of the Pi", size=15, anchor="middle")
    sheet.box(252, 78, 96, 20 * 41 + 6, fill=PALE)
    for number, name in names.items():
        row, right = (number - 1) // 2, number % 2 == 0
        x, y = (322 if right else 278), 101 + row * 41
        sheet.dot(x, y, 17, fill=_pin_colour(name))
        sheet.text(x, y + 6, str(number), size=16, bold=True, anchor="middle", colour="#ffffff")
        words, colour = _label(name, used)
        anchor, edge = ("start", 358) if right else ("end", 242)
        if name.startswith("GPIO") and words:
            sheet.text(edge, y - 2, words, size=18, bold=True, anchor=anchor, colour=colour)
            sheet.text(edge, y + 16, name.replace("GPIO", "GPIO "), size=15, anchor=anchor, colour=GREY)
        else:
            sheet.text(edge, y + 6, name.replace("GPIO", "GPIO "), size=16, anchor=anchor, colour=_pin_colour(name))
    sheet.text(20, 938, "red 5 V · amber 3.3 V · black ground · green ours · violet the sound board", size=15)
    return sheet


def draw_buttons(boards: tuple[Board, ...]) -> Sheet:
    """Draw the ghost's buttons, the one to talk, the mute switch and its LED, with the pins of each board."""
    first = boards[0]
    sheet = Sheet("The buttons and the mute switch", 260 + 92 * (len(first.buttons.pins) + 1))
    y, right = 110.0, 500.0
    top = y
    for name, pin in first.buttons.pins.items():
        sheet.text(20, y - 8, name, size=18, bold=True, colour=GREEN)
        sheet.text(20, y + 16, _describe_gpio(pin), size=16)
        sheet.line((190, y), (302, y))
        symbols.contact(sheet, 330, y)
        sheet.line((358, y), (right, y))
        y += 92
    if first.mute is not None:
        sheet.text(20, y - 8, "mute", size=18, bold=True, colour=GREEN)
        sheet.text(20, y + 16, _describe_gpio(first.mute.switch), size=16)
        sheet.line((190, y), (302, y))
        symbols.contact(sheet, 330, y, push=False)
        sheet.text(330, y + 26, "slide switch", size=15, anchor="middle")
        sheet.line((358, y), (right, y))
        y += 92
        if first.mute.led is not None:
            sheet.text(20, y - 8, "mute LED", size=18, bold=True, colour=GREEN)
            sheet.text(20, y + 16, _describe_gpio(first.mute.led), size=16)
            sheet.line((190, y), (right, y))
            symbols.resistor(sheet, 270, y, "470 Ω")
            symbols.led(sheet, 390, y, "#e05545")
    sheet.line((right, top), (right, y + 40), width=4)
    symbols.ground(sheet, right, y + 40)
    sheet.text(right + 22, y + 46, "ground", size=16)
    pull = "No resistors at the contacts: the Pi pulls each pin up by itself."
    sheet.lines(20, y + 80, [pull, *_list_pins(boards)])
    return sheet


def draw_ring(board: Board) -> Sheet:
    """Draw the ring with the lamp at each pixel, and its wires."""
    sheet = Sheet(f"Board '{board.name}': one ring for all lights", 900)
    pixels = {
        output: (name, wiring.colour(i), i)
        for name, wiring in board.lamp_devices.items()
        for i, output in enumerate(wiring.ring)
    }
    count = max(pixels) + 1
    for output in range(count):
        angle = 2 * math.pi * output / count - math.pi / 2
        x, y = 300 + 205 * math.cos(angle), 310 + 205 * math.sin(angle)
        name, (red, green, blue), index = pixels.get(output, ("free", (200, 200, 200), 0))
        light = 0.3 * red + 0.6 * green + 0.1 * blue
        sheet.dot(x, y, 23, fill=f"#{red:02x}{green:02x}{blue:02x}")
        words = describe_pin_key(f"{name}.pins[{index}]").split()[-1]
        sheet.text(x, y + 6, words, size=17, bold=True, anchor="middle", colour=BLACK if light > 110 else "#ffffff")
    y = 250.0
    for name, wiring in board.lamp_devices.items():
        span = f"pixels {wiring.ring[0] + 1} to {wiring.ring[-1] + 1}"
        sheet.text(300, y, f"{name}: {span}", size=18, bold=True, anchor="middle")
        y += 34
    sheet.text(300, y + 6, "pixel 1 is where DIN is", size=16, anchor="middle")
    sheet.text(300, y + 30, "(at the top), then clockwise", size=16, anchor="middle")
    _draw_ring_wires(sheet, 590, board)
    return sheet


def _draw_ring_wires(sheet: Sheet, y: float, board: Board) -> None:
    sheet.box(20, y, 146, 130, fill=PALE)
    sheet.text(93, y + 26, "Pi", size=18, bold=True, anchor="middle")
    sheet.text(28, y + 62, f"GPIO 10 · pin {header_position(10)}", size=15)
    sheet.text(28, y + 112, "ground · pin 20", size=15)
    sheet.box(220, y + 20, 110, 76, fill=PALE)
    sheet.text(275, y + 40, "74AHCT125", size=15, bold=True, anchor="middle")
    sheet.text(228, y + 62, "2", size=15)
    sheet.text(322, y + 62, "3", size=15, anchor="end")
    sheet.text(267, y + 90, "14", size=15)
    sheet.line((166, y + 57), (220, y + 57), colour=GREEN)
    sheet.line((330, y + 57), (470, y + 57), colour=GREEN)
    symbols.resistor(sheet, 400, y + 57, "330 Ω")
    sheet.box(470, y, 110, 230, fill=PALE)
    for words, down in (("DIN", 62), ("5 V", 172), ("GND", 216)):
        sheet.text(480, y + down, words, size=17, bold=True)
    sheet.text(572, y + 26, "ring", size=18, bold=True, anchor="end")
    sheet.box(20, y + 150, 146, 80, fill=PALE)
    sheet.text(93, y + 176, "5 V supply", size=16, bold=True, anchor="middle")
    sheet.text(93, y + 200, f"{max(1.0, board.power.budget_ma / 500):.0f} A or more", size=15, anchor="middle")
    sheet.line((166, y + 166), (470, y + 166), colour=RED)
    sheet.line((275, y + 96), (275, y + 166), colour=RED)
    sheet.dot(275, y + 166, fill=RED, colour=RED)
    sheet.line((166, y + 210), (470, y + 210))
    sheet.line((166, y + 106), (190, y + 106), (190, y + 210))
    sheet.dot(190, y + 210)
    sheet.line((420, y + 166), (420, y + 210))
    symbols.capacitor(sheet, 420, y + 188)
    sheet.text(395, y + 194, "1000 µF", size=15, anchor="end")
    sheet.lines(
        20,
        y + 262,
        [
            "74AHCT125 lifts 3.3 V to 5 V; its legs 1 and 7 go to ground, too.",
            f"Budget {board.power.budget_ma:g} mA at brightness {board.power.brightness:g}; SPI must be on.",
        ],
    )


def draw_registers(board: Board) -> Sheet:
    """Draw the chain of shift registers with the LED on each output."""
    chain = board.register
    if chain is None:
        raise ValueError(f"board '{board.name}' has no [register]")
    lamps = {
        output: describe_pin_key(f"{name}.pins[{i}]")
        for name, wiring in board.lamp_devices.items()
        for i, output in enumerate(wiring.register)
    }
    chips = max(lamps) // 8 + 1
    sheet = Sheet(f"Board '{board.name}': shift registers", 250 + chips * 240)
    y = 80.0
    for chip in range(chips):
        sheet.box(190, y, 150, 210, fill=PALE)
        sheet.text(198, y + 28, "74HC595", size=16, bold=True)
        sheet.text(198, y + 52, f"chip {chip + 1}", size=16)
        source = f"GPIO {chain.data}, pin {header_position(chain.data)}" if chip == 0 else f"chip {chip}, leg 9"
        legs = (
            (f"{source} →", "14"),
            (f"GPIO {chain.clock}, pin {header_position(chain.clock)} →", "11"),
            (f"GPIO {chain.latch}, pin {header_position(chain.latch)} →", "12"),
        )
        for row, (words, leg) in enumerate(legs):
            sheet.text(182, y + 94 + row * 34, words, size=15, anchor="end", colour=GREEN)
            sheet.text(198, y + 94 + row * 34, leg, size=16, bold=True)
        for output, leg in enumerate(REGISTER_PINS):
            down = y + 26 + output * 25
            sheet.text(332, down, leg, size=15, anchor="end")
            sheet.line((342, down - 5), (372, down - 5), width=2)
            sheet.text(380, down, lamps.get(chip * 8 + output, "free"), size=17, bold=True, colour=GREEN)
        y += 240
    symbols.ground(sheet, 500, y + 34)
    sheet.line((60, y + 20), (500, y + 20), (500, y + 34))
    sheet.text(20, y + 26, "leg", size=16)
    symbols.resistor(sheet, 190, y + 20, "470 Ω")
    symbols.led(sheet, 330, y + 20)
    sheet.lines(
        20,
        y + 84,
        [
            "Each output feeds one LED through 470 Ω, long leg to the resistor.",
            "Each chip: leg 16 and leg 10 to 3.3 V, leg 8 and leg 13 to ground,",
            "100 nF from 16 to 8. Legs 11 and 12 of all chips are joined.",
            f"All lit: {len(lamps)} × {board.power.led_ma:g} mA = {len(lamps) * board.power.led_ma:g} mA "
            f"of {board.power.budget_ma:g} mA.",
        ],
    )
    return sheet


def draw_all() -> dict[str, str]:
    """Return every drawing as SVG text, by the name of its file."""
    boards = {name: load_board(name) for name in ("breadboard", "ring", "respeaker")}
    every = tuple(boards.values())
    makers: dict[str, Callable[[], Sheet]] = {
        "array": draw_array_on_table,
        "breadboard": lambda: draw_breadboard(boards["breadboard"]),
        "buttons": lambda: draw_buttons(every),
        "registers": lambda: draw_registers(boards["respeaker"]),
        "ring": lambda: draw_ring(boards["ring"]),
        "solenoid": lambda: draw_solenoid(every),
    }
    makers |= {f"header-{name}": lambda board=board: draw_header(board) for name, board in boards.items()}  # type: ignore[misc]
    return {f"{name}.svg": make().svg() for name, make in makers.items()}


def main() -> None:
    """Write every drawing to its file."""
    for name, text in draw_all().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def _label(name: str, used: dict[int, str]) -> tuple[str, str]:
    """Return the text for a pin of the header, and its colour."""
    number = int(name[4:]) if name.startswith("GPIO") else -1
    words = used.get(number, "")
    if words.startswith("sound"):
        return words.removeprefix("sound (").removesuffix(")"), VIOLET
    return words, GREEN


def _pin_colour(name: str) -> str:
    return {"5V": RED, "3V3": AMBER, "GND": BLACK}.get(name, BLUE if name.startswith("GPIO") else GREY)


def _describe_gpio(pin: int) -> str:
    return f"GPIO {pin}, pin {header_position(pin)}"


def _list_pins(boards: tuple[Board, ...]) -> list[str]:
    """Return a line that names the boards with the pins of the first one, and one for each other with its own pins."""
    first, lines = boards[0], []
    same = [board.name for board in boards if (board.buttons, board.mute) == (first.buttons, first.mute)]
    lines.append(f"Pins of: {', '.join(same)}.")
    for board in boards:
        if board.name not in same:
            own = dict(board.buttons.pins.items() - first.buttons.pins.items())
            lines.append(f"{board.name}: {', '.join(f'{name} on {_describe_gpio(own[name])}' for name in sorted(own))}")
    return lines


if __name__ == "__main__":
    main()
