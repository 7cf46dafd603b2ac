"""Board files: which device is on which pin, read from TOML and checked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from hardware.board_schema import board_keys, type_of, valid_keys
from hardware.ring import Colour
from seance.text_files import (
    BadTextFile,
    KeySchema,
    at_line,
    expand_path,
    key_parts,
    line_of,
    parse_toml,
    read_text,
    validation_error,
)

Pin = Annotated[int, msgspec.Meta(ge=2, le=27)]
"""A GPIO of the 40-pin header by its BCM number; 0 and 1 are reserved for plug-on boards."""
OutputIndex = Annotated[int, msgspec.Meta(ge=0, le=255)]
"""The number of an output of a register, or of a pixel of a ring."""
HexColour = Annotated[str, msgspec.Meta(pattern="^[0-9a-fA-F]{6}$", description='text of six hex digits, "RRGGBB"')]
Positive = Annotated[float, msgspec.Meta(gt=0)]

BUTTON_NAMES = ("visions", "yes", "no", "crow", "talk")
BUTTONS_TO_HOLD = ("talk",)
"""The buttons of which it matters how long they are held."""
SOUND_BOARD_PINS: dict[str, dict[int, str]] = {
    "none": {},
    "i2s": {18: "bit clock", 19: "frame", 20: "in", 21: "out"},
    "respeaker": {
        2: "control", 3: "control", 7: "its LEDs", 8: "its LEDs", 9: "its LEDs", 10: "its LEDs", 11: "its LEDs",
        12: "its socket", 13: "its socket", 17: "its button", 18: "bit clock", 19: "frame", 20: "in", 21: "out",
    },
}  # fmt: skip
"""The pins that each sound board occupies, and what for."""
SPI_PINS = {7: "no wire", 8: "no wire", 9: "no wire", 10: "data", 11: "no wire"}
"""All pins that the Pi's SPI bus occupies while it is on; a ring is wired to the data pin alone."""
I2C_PINS = {2: "data", 3: "clock"}
PULLED_DOWN_AT_BOOT = range(9, 28)
"""The GPIO that are low until a program starts; the others are pulled up, which would switch a coil on."""


class BadBoard(BadTextFile):
    """A board file cannot be used; the message names the file, the line and the key."""


class PowerBudget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The current and the brightness of the lamps."""

    budget_ma: Positive
    """Milliamperes that all lamps together may draw."""
    brightness: Annotated[float, msgspec.Meta(gt=0, le=1)] = 1.0
    led_ma: Positive = 3.0
    """Milliamperes that one LED with its resistor draws."""


class LampWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lamps of one device, in order: GPIO pins, or outputs of a register, an expander or a ring."""

    pins: tuple[Pin, ...] = ()
    register: tuple[OutputIndex, ...] = ()
    expander: tuple[Annotated[int, msgspec.Meta(ge=0, le=15)], ...] = ()
    ring: tuple[OutputIndex, ...] = ()
    colours: tuple[HexColour, ...] = ()
    """One colour for all lamps or one for each, as RRGGBB in hex; a ring and the terminal show them."""

    @property
    def driver(self) -> str:
        """What drives the lamps: pins, register, expander or ring."""
        return next(iter(self.drivers), "pins")

    @property
    def drivers(self) -> tuple[str, ...]:
        """All drivers that the file names; a valid file names at most one."""
        return tuple(name for name in ("pins", "register", "expander", "ring") if getattr(self, name))

    @property
    def outputs(self) -> tuple[int, ...]:
        """The GPIO pins, or the outputs of the driver, in order."""
        outputs: tuple[int, ...] = getattr(self, self.driver)
        return outputs

    def colour(self, index: int) -> Colour:
        """Return the colour of the lamp at *index*, by default that of candle light."""
        text = self.colours[index % len(self.colours)] if self.colours else "ff9329"
        return int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16)


class RegisterWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chain of 74HC595 shift registers on three GPIO pins."""

    data: Pin
    clock: Pin
    latch: Pin


class ExpanderWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An MCP23017 expander on an I2C bus."""

    address: Annotated[int, msgspec.Meta(ge=0x20, le=0x27)] = 0x20
    bus: Annotated[int, msgspec.Meta(ge=0)] = 1


class KnockerWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The knocker's solenoid."""

    pin: Pin
    duty: Annotated[float, msgspec.Meta(gt=0, le=0.25)] = 0.1
    """The share of any ten seconds for which the coil may be on."""


class ButtonWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ghost's buttons, and the table's to talk; a button that is left out does not exist."""

    visions: Pin | None = None
    yes: Pin | None = None
    no: Pin | None = None
    crow: Pin | None = None
    talk: Pin | None = None
    """The house listens while it is held."""
    shutdown: tuple[Literal["visions", "yes", "no", "crow"], ...] = ()
    """The buttons that shut the machine down when they are held together."""
    long_press: Annotated[float, msgspec.Meta(ge=0.3, le=5)] = 0.8
    """Seconds after which a press is long."""
    shutdown_press: Annotated[float, msgspec.Meta(ge=2, le=15)] = 3.0
    """Seconds for which the shutdown buttons must be held."""

    @property
    def pins(self) -> dict[str, int]:
        """The pin of each button that exists, by name."""
        pins = {name: getattr(self, name) for name in BUTTON_NAMES}
        return {name: pin for name, pin in pins.items() if pin is not None}


class MuteWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The microphone's mute switch and its LED."""

    switch: Pin
    led: Pin | None = None


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which device is on which pin; a device that is left out does not exist."""

    power: PowerBudget
    title: str = ""
    sound: Literal["none", "i2s", "respeaker"] = "none"
    """The sound board on the same header; its pins cannot be used."""
    clock: LampWiring = LampWiring()
    bar: LampWiring = LampWiring()
    lights: LampWiring = LampWiring()
    register: RegisterWiring | None = None
    expander: ExpanderWiring | None = None
    knocker: KnockerWiring | None = None
    buttons: ButtonWiring = ButtonWiring()
    mute: MuteWiring | None = None
    name: str = ""
    """The name of the file, which is not written in it."""

    @property
    def lamp_devices(self) -> dict[str, LampWiring]:
        """The lamps of each lamp device, by the device's name."""
        return {"clock": self.clock, "bar": self.bar, "lights": self.lights}

    def used_pins(self) -> Iterator[tuple[int, str]]:
        """Yield every pin that is in use, with the key that uses it."""
        for pin, use in SOUND_BOARD_PINS[self.sound].items():
            yield pin, f"sound ({use})"
        if any(lamps.ring for lamps in self.lamp_devices.values()):
            yield from ((pin, f"ring ({use})") for pin, use in SPI_PINS.items())
        if self.expander is not None:
            yield from ((pin, f"expander ({use})") for pin, use in I2C_PINS.items())
        for name, lamps in self.lamp_devices.items():
            yield from ((pin, f"{name}.pins[{index}]") for index, pin in enumerate(lamps.pins))
        if self.register is not None:
            yield from ((getattr(self.register, key), f"register.{key}") for key in ("data", "clock", "latch"))
        if self.knocker is not None:
            yield self.knocker.pin, "knocker.pin"
        yield from ((pin, f"buttons.{name}") for name, pin in self.buttons.pins.items())
        if self.mute is not None:
            yield self.mute.switch, "mute.switch"
            if self.mute.led is not None:
                yield self.mute.led, "mute.led"


BOARD_KEYS = board_keys(Board)
"""Every key of a board file."""


def board_names() -> tuple[str, ...]:
    """Return the names of the built-in boards."""
    files = resources.files("hardware").joinpath("boards").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def load_board(board: str | Path) -> Board:
    """Return the built-in board of that name or the one in the file of that path; raise BadBoard."""
    if isinstance(board, str) and board in board_names():
        text = resources.files("hardware").joinpath("boards", f"{board}.toml").read_text(encoding="utf-8")
        return parse_board(text, f"boards/{board}.toml")
    try:
        path = expand_path(str(board))
    except ValueError as error:
        raise BadBoard(f"{error}") from None
    if path.suffix != ".toml":
        raise BadBoard(f"there is no board '{board}': one of {', '.join(board_names())}, or the path of a .toml file")
    return parse_board(read_text(path, BadBoard), str(path))


def parse_board(text: str, source: str) -> Board:
    """Return the board in the TOML *text*; raise BadBoard, which names *source*, the line and the key."""
    tree = parse_toml(text, source, BadBoard)
    try:
        board = msgspec.convert(tree | {"name": Path(source).stem}, type=Board)
    except msgspec.ValidationError as error:
        schema = KeySchema(partial(valid_keys, BOARD_KEYS), partial(type_of, BOARD_KEYS))
        raise BadBoard(validation_error(str(error), text, source, "board", schema=schema)) from None
    for key, problem in _find_problems(board):
        raise BadBoard(f"{at_line(source, line_of(text, key_parts(key)))}: {key}: {problem}")
    return board


def _find_problems(board: Board) -> Iterator[tuple[str, str]]:
    """Yield the key and a description of each problem that the types do not catch."""
    users: dict[int, str] = {}
    for pin, key in board.used_pins():
        if pin in users:
            yield key, f"GPIO {pin} is used by {users[pin]} already"
        users[pin] = key
    for name, lamps in board.lamp_devices.items():
        yield from _find_lamp_problems(board, name, lamps)
    if board.knocker is not None and board.knocker.pin not in PULLED_DOWN_AT_BOOT:
        yield "knocker.pin", f"GPIO {board.knocker.pin} is high while the Pi starts: a coil takes one of 9 to 27"
    for member in board.buttons.shutdown:
        if member not in board.buttons.pins:
            yield "buttons.shutdown", f"there is no button '{member}' on this board"
    if len(board.buttons.shutdown) == 1:
        yield "buttons.shutdown", "one button alone is pressed by accident: name two or more"


def _find_lamp_problems(board: Board, name: str, lamps: LampWiring) -> Iterator[tuple[str, str]]:
    if len(lamps.drivers) > 1:
        yield name, f"lamps are on {' and '.join(lamps.drivers)}: choose one"
    if lamps.driver in ("register", "expander") and getattr(board, lamps.driver) is None:
        yield f"{name}.{lamps.driver}", f"there is no [{lamps.driver}] on this board"
    if len(lamps.colours) not in (0, 1, len(lamps.outputs)):
        yield f"{name}.colours", f"{len(lamps.colours)} colours for {len(lamps.outputs)} lamps: one, or one each"
    taken = [
        (output, f"{other_name}.{lamps.driver}")
        for other_name, other_lamps in board.lamp_devices.items()
        if other_name < name and other_lamps.driver == lamps.driver != "pins"
        for output in other_lamps.outputs
    ]
    for index, output in enumerate(lamps.outputs if lamps.driver != "pins" else ()):
        for used, key in taken:
            if used == output:
                yield f"{name}.{lamps.driver}[{index}]", f"output {output} is used by {key} already"
        taken.append((output, f"{name}.{lamps.driver}[{index}]"))
