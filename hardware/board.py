"""Which device is on which pin, read from a TOML file; no pin is touched here."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from hardware.ring import Colour

Pin = Annotated[int, msgspec.Meta(ge=2, le=27)]
"""A GPIO of the 40-pin header by its BCM number; 0 and 1 belong to plug-on boards."""
Place = Annotated[int, msgspec.Meta(ge=0)]
Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-fA-F]{6}$")]
Positive = Annotated[float, msgspec.Meta(gt=0)]

BUTTONS = ("visions", "yes", "no", "crow")
SOUND_BOARDS: dict[str, dict[int, str]] = {
    "none": {},
    "i2s": {18: "bit clock", 19: "frame", 20: "in", 21: "out"},
    "respeaker": {
        2: "control", 3: "control", 7: "its LEDs", 8: "its LEDs", 9: "its LEDs", 10: "its LEDs", 11: "its LEDs",
        12: "its socket", 13: "its socket", 17: "its button", 18: "bit clock", 19: "frame", 20: "in", 21: "out",
    },
}  # fmt: skip
"""What boards for sound need, by pin."""
SPI_PINS = {7: "no wire", 8: "no wire", 9: "no wire", 10: "data", 11: "no wire"}
"""All that the Pi gives to its SPI bus when it is on; a ring needs one of them."""
I2C_PINS = {2: "data", 3: "clock"}
PULLED_DOWN_AT_BOOT = range(9, 28)
"""GPIO below are pulled up until a program starts, which is nothing for a coil."""


class BadBoard(ValueError):
    """A board file cannot be used; the message names file and key."""


class Power(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the lamps may draw."""

    budget_ma: Positive
    """Milliamperes of all lamps together."""
    brightness: Annotated[float, msgspec.Meta(gt=0, le=1)] = 1.0
    led_ma: Positive = 3.0
    """Milliamperes of one LED with its resistor."""


class Lights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lamps in order: on pins of their own, or outputs of a register, an expander or a ring."""

    pins: tuple[Pin, ...] = ()
    register: tuple[Place, ...] = ()
    expander: tuple[Annotated[int, msgspec.Meta(ge=0, le=15)], ...] = ()
    ring: tuple[Place, ...] = ()
    colours: tuple[Hex, ...] = ()
    """One for all or one each, as red, green and blue in hex; only a ring needs them."""

    @property
    def source(self) -> str:
        """Where the lamps are: pins, register, expander or ring."""
        return next(iter(self.sources), "pins")

    @property
    def sources(self) -> tuple[str, ...]:
        """All that are named; a good file names one."""
        return tuple(name for name in ("pins", "register", "expander", "ring") if getattr(self, name))

    @property
    def places(self) -> tuple[int, ...]:
        """The pins or outputs, in order."""
        places: tuple[int, ...] = getattr(self, self.source)
        return places

    def colour(self, index: int) -> Colour:
        """Return the colour of a lamp; candle light without one."""
        text = self.colours[index % len(self.colours)] if self.colours else "ff9329"
        return int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16)


class Register(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """74HC595 shift registers in a chain, on three GPIO."""

    data: Pin
    clock: Pin
    latch: Pin


class Expander(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A MCP23017 on the I2C bus."""

    address: Annotated[int, msgspec.Meta(ge=0x20, le=0x27)] = 0x20
    bus: Annotated[int, msgspec.Meta(ge=0)] = 1


class Coil(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The knocker's solenoid."""

    pin: Pin
    duty: Annotated[float, msgspec.Meta(gt=0, le=0.25)] = 0.1
    """The share of any ten seconds in which it may be on."""


class Contacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The buttons; a button that is not there is left out."""

    visions: Pin | None = None
    yes: Pin | None = None
    no: Pin | None = None
    crow: Pin | None = None
    shutdown: tuple[Literal["visions", "yes", "no", "crow"], ...] = ()
    """Which of them, held together, shut the house down."""
    long_press: Annotated[float, msgspec.Meta(ge=0.3, le=5)] = 0.8
    """Seconds."""
    shutdown_press: Annotated[float, msgspec.Meta(ge=2, le=15)] = 3.0
    """Seconds."""

    @property
    def pins(self) -> dict[str, int]:
        """The buttons that are there."""
        pins = {name: getattr(self, name) for name in BUTTONS}
        return {name: pin for name, pin in pins.items() if pin is not None}


class MuteSwitch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The switch for the microphone, and its LED."""

    switch: Pin
    led: Pin | None = None


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which device is on which pin; whatever is left out is not there."""

    power: Power
    title: str = ""
    sound: Literal["none", "i2s", "respeaker"] = "none"
    """The board for sound on the same header, whose pins are not ours."""
    clock: Lights = Lights()
    bar: Lights = Lights()
    lights: Lights = Lights()
    register: Register | None = None
    expander: Expander | None = None
    knocker: Coil | None = None
    buttons: Contacts = Contacts()
    mute: MuteSwitch | None = None
    name: str = ""
    """Of the file; it is not written in it."""

    @property
    def strips(self) -> dict[str, Lights]:
        """The devices of lamps by name."""
        return {"clock": self.clock, "bar": self.bar, "lights": self.lights}

    def claims(self) -> Iterator[tuple[int, str]]:
        """Yield every pin that is used, with the key that uses it."""
        for pin, use in SOUND_BOARDS[self.sound].items():
            yield pin, f"sound ({use})"
        if any(strip.ring for strip in self.strips.values()):
            yield from ((pin, f"ring ({use})") for pin, use in SPI_PINS.items())
        if self.expander is not None:
            yield from ((pin, f"expander ({use})") for pin, use in I2C_PINS.items())
        for name, strip in self.strips.items():
            yield from ((pin, f"{name}.pins[{place}]") for place, pin in enumerate(strip.pins))
        if self.register is not None:
            yield from ((getattr(self.register, key), f"register.{key}") for key in ("data", "clock", "latch"))
        if self.knocker is not None:
            yield self.knocker.pin, "knocker.pin"
        yield from ((pin, f"buttons.{name}") for name, pin in self.buttons.pins.items())
        if self.mute is not None:
            yield self.mute.switch, "mute.switch"
            if self.mute.led is not None:
                yield self.mute.led, "mute.led"


def boards() -> tuple[str, ...]:
    """Return the names of the boards that are shipped."""
    files = resources.files("hardware").joinpath("boards").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def load(board: str | Path) -> Board:
    """Return the shipped board of that name, or the one in a file, or raise BadBoard."""
    if isinstance(board, str) and board in boards():
        text = resources.files("hardware").joinpath("boards", f"{board}.toml").read_text(encoding="utf-8")
        return parse(text, f"boards/{board}.toml")
    path = Path(board)
    if path.suffix != ".toml":
        raise BadBoard(f"there is no board '{board}': one of {', '.join(boards())}, or the path of a .toml file")
    try:
        return parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise BadBoard(f"{path}: cannot be read: {error}") from None


def parse(text: str, source: str) -> Board:
    """Return the board that *text* spells, or raise BadBoard naming *source* and key."""
    try:
        tree = tomllib.loads(f"{text}\n")
        board = msgspec.convert(tree | {"name": Path(source).stem}, type=Board)
    except tomllib.TOMLDecodeError as error:
        raise BadBoard(f"{source}: not TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise BadBoard(f"{source}: {_explained(str(error))}") from None
    for key, problem in _faults(board):
        raise BadBoard(f"{source}: {key}: {problem}")
    return board


def _faults(board: Board) -> Iterator[tuple[str, str]]:
    """Yield what the types cannot see, as key and problem."""
    users: dict[int, str] = {}
    for pin, key in board.claims():
        if pin in users:
            yield key, f"GPIO {pin} is used by {users[pin]} already"
        users[pin] = key
    for name, strip in board.strips.items():
        yield from _strip_faults(board, name, strip)
    if board.knocker is not None and board.knocker.pin not in PULLED_DOWN_AT_BOOT:
        yield "knocker.pin", f"GPIO {board.knocker.pin} is high while the Pi starts: a coil takes one of 9 to 27"
    for member in board.buttons.shutdown:
        if member not in board.buttons.pins:
            yield "buttons.shutdown", f"there is no button '{member}' on this board"
    if len(board.buttons.shutdown) == 1:
        yield "buttons.shutdown", "one button alone is pressed by accident: name two or more"


def _strip_faults(board: Board, name: str, strip: Lights) -> Iterator[tuple[str, str]]:
    if len(strip.sources) > 1:
        yield name, f"lamps are on {' and '.join(strip.sources)}: choose one"
    if strip.source in ("register", "expander") and getattr(board, strip.source) is None:
        yield f"{name}.{strip.source}", f"there is no [{strip.source}] on this board"
    if len(strip.colours) not in (0, 1, len(strip.places)):
        yield f"{name}.colours", f"{len(strip.colours)} colours for {len(strip.places)} lamps: one, or one each"
    taken = [
        (place, f"{other}.{strip.source}")
        for other, others in board.strips.items()
        if other < name and others.source == strip.source != "pins"
        for place in others.places
    ]
    for index, place in enumerate(strip.places if strip.source != "pins" else ()):
        for used, key in taken:
            if used == place:
                yield f"{name}.{strip.source}[{index}]", f"output {place} is used by {key} already"
        taken.append((place, f"{name}.{strip.source}[{index}]"))


def _explained(message: str) -> str:
    """Return a message of msgspec with the key first."""
    problem, _, path = message.partition(" - at `")
    key = path.strip("`$").lstrip(".")
    if unknown := re.search(r"unknown field `([^`]+)`", problem):
        key, problem = f"{key}.{unknown[1]}".lstrip("."), "there is no such key"
    elif missing := re.search(r"missing required field `([^`]+)`", problem):
        key, problem = f"{key}.{missing[1]}".lstrip("."), "is missing"
    return f"{key or 'board'}: {problem[0].lower()}{problem[1:]}"
