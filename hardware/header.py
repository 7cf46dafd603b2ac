"""The 40-pin header of a Raspberry Pi with the uses of a board, as a table."""

from __future__ import annotations

from gpiozero.pins.pi import PiBoardInfo
from rich.table import Table
from rich.text import Text

from hardware.board import Board

_PI_4B_REVISION = 0xC03114
_POWER_STYLES = {"3V3": "bold yellow", "5V": "bold red", "GND": "bold blue"}

ROMAN_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def hour_name(hour: int) -> str:
    """Return *hour*, from 1, as a Roman numeral where a clock face has one."""
    return ROMAN_NUMERALS[hour - 1] if 1 <= hour <= len(ROMAN_NUMERALS) else str(hour)


def header_pin_names() -> dict[int, str]:
    """Return the name of each of the 40 pins, such as GPIO17, 5V or GND, by its number on the header."""
    pins = PiBoardInfo.from_revision(_PI_4B_REVISION).headers["J8"].pins
    return {number: str(info.name) for number, info in pins.items()}


def pin_uses(board: Board) -> dict[int, str]:
    """Return a description of what *board* has on each GPIO that it uses."""
    return {pin: describe_pin_key(key) for pin, key in board.used_pins()}


def describe_pin_key(key: str) -> str:
    """Return the key of a pin as a person would say it: clock.pins[2] is clock III."""
    device, _, rest = key.partition(".")
    if rest.startswith("pins["):
        index = int(rest[5:-1])
        return f"{device} {hour_name(index + 1) if device == 'clock' else index + 1}"
    return "coil" if key == "knocker.pin" else key.replace("buttons.", "button ").replace(".", " ")


def header_table(board: Board) -> Table:
    """Return the header, seen with the USB sockets at the bottom, and what *board* has on each pin."""
    names, uses = header_pin_names(), pin_uses(board)
    table = Table(title=f"board '{board.name}': {board.title}", show_header=False, box=None, pad_edge=False)
    for _ in range(3):
        table.add_column(justify="right")
    for odd in range(1, 41, 2):
        left, right = _describe_pin(names[odd], uses), _describe_pin(names[odd + 1], uses)
        table.add_row(left[1], left[0], Text(f"({odd})", "dim"), Text(f"({odd + 1})", "dim"), right[0], right[1])
    return table


def _describe_pin(name: str, uses: dict[int, str]) -> tuple[Text, Text]:
    """Return a pin's name and its use."""
    if not name.startswith("GPIO"):
        return Text(name, _POWER_STYLES.get(name, "")), Text("")
    number = int(name[4:])
    if number in (0, 1):
        return Text(name, "dim"), Text("for plug-on boards", "dim")
    if number not in uses:
        return Text(name), Text("free", "dim")
    style = "magenta" if uses[number].startswith("sound") else "green"
    return Text(name), Text(uses[number], style)
