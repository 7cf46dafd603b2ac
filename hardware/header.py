"""The 40-pin header with what goes where, as text; it touches no pin."""

from __future__ import annotations

from gpiozero.pins.pi import PiBoardInfo
from rich.table import Table
from rich.text import Text

from hardware.board import Board

_PI_4 = 0xC03114
_COLOURS = {"3V3": "bold yellow", "5V": "bold red", "GND": "bold blue"}

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def header_names() -> dict[int, str]:
    """Return what is on each of the 40 pins by the number printed on it, such as GPIO17, 5V or GND."""
    pins = PiBoardInfo.from_revision(_PI_4).headers["J8"].pins
    return {number: str(info.name) for number, info in pins.items()}


def uses(board: Board) -> dict[int, str]:
    """Return what *board* has on each GPIO, in words."""
    return {pin: in_words(key) for pin, key in board.claims()}


def in_words(key: str) -> str:
    """Return the key of a pin as a person says it: clock.pins[2] is clock III."""
    device, _, rest = key.partition(".")
    if rest.startswith("pins["):
        place = int(rest[5:-1])
        return f"{device} {ROMAN[place] if device == 'clock' and place < len(ROMAN) else place + 1}"
    return "coil" if key == "knocker.pin" else key.replace("buttons.", "button ").replace(".", " ")


def header_table(board: Board) -> Table:
    """Return the header as one sees it with the USB sockets below, and what *board* has on it."""
    names, used = header_names(), uses(board)
    table = Table(title=f"board '{board.name}': {board.title}", show_header=False, box=None, pad_edge=False)
    for _ in range(3):
        table.add_column(justify="right")
    for odd in range(1, 41, 2):
        left, right = _side(names[odd], used), _side(names[odd + 1], used)
        table.add_row(left[1], left[0], Text(f"({odd})", "dim"), Text(f"({odd + 1})", "dim"), right[0], right[1])
    return table


def _side(name: str, used: dict[int, str]) -> tuple[Text, Text]:
    """Return a pin's name and its use."""
    if not name.startswith("GPIO"):
        return Text(name, _COLOURS.get(name, "")), Text("")
    number = int(name[4:])
    if number in (0, 1):
        return Text(name, "dim"), Text("for plug-on boards", "dim")
    if number not in used:
        return Text(name), Text("free", "dim")
    style = "magenta" if used[number].startswith("sound") else "green"
    return Text(name), Text(used[number], style)
