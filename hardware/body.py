"""All devices of a board as one thing, always there to be used; what they are told is decided elsewhere."""

from __future__ import annotations

import contextlib
import logging
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hardware import board as files
from hardware.animations import Levels
from hardware.board import Board
from hardware.buttons import Buttons
from hardware.clock import LedClock
from hardware.duty import DutyLimit
from hardware.knocker import Knocker
from hardware.lamps import ExpanderLamps, LampRow, Lamps, PinLamps, RegisterLamps
from hardware.light_compositor import LightCompositor, Segment
from hardware.mute import Mute
from hardware.pins import NoGPIOError, explain_errors, open_i2c_chip, open_pins, open_ring_spi
from hardware.psychic_lights import LightState, PsychicLights
from hardware.ring import Colour, RingLamps
from hardware.timer_bar import TimerBar
from hardware.timers import ThreadTimers, Timers
from hardware.virtual import VirtualPinFactory

SWEEP = 0.8
"""Seconds in which a light runs over all lamps."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BodyState:
    """How the whole body stands at one moment, for a view or a page."""

    hour: int
    """From 1; 0 before the first."""
    clock: Levels
    sand: float
    """The fraction that is left, 0 to 1."""
    bar: Levels
    lights: tuple[LightState, ...]
    light_levels: Levels
    coil: bool
    knocks: int
    """How many there were so far."""
    held: frozenset[str]
    """Buttons that are held."""
    muted: bool
    mute_led: bool
    current_ma: float
    """What the lamps draw at most."""


class Body:
    """Clock, bar, lights, knocker, buttons and mute of a board; a device that it lacks takes all and shows nothing.

    >>> with open_body("virtual") as body:
    ...     body.clock.strike(1)
    ...     body.knocker.play(NO)
    """

    def __init__(
        self, board: Board, *, pin_factory: Any = None, timers: Timers | None = None, owns_pins: bool = False
    ) -> None:
        """Use the pins of *pin_factory*, and close it with the body if that *owns_pins*."""
        self.board = board
        self.pin_factory = pin_factory
        self._closing = contextlib.ExitStack()
        with contextlib.ExitStack() as stack:
            keep = stack.enter_context
            if owns_pins:
                stack.callback(pin_factory.close)
            # The coil first: it must be off before anything else can fail.
            self.knocker = keep(self._open_knocker(timers))
            if timers is None:
                timers = ThreadTimers("body")
                stack.callback(timers.close)
            self.compositor, strips = self._open_lights(timers)
            keep(self.compositor)
            self.clock = keep(LedClock(strips["clock"]))
            self.bar = keep(TimerBar(strips["bar"]))
            self.lights = keep(PsychicLights(strips["lights"]))
            self.buttons = keep(self._open_buttons(timers))
            self.mute = keep(self._open_mute(timers))
            self._closing = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Body on board '{self.board.name}'>"

    @property
    def is_virtual(self) -> bool:
        """Whether there is no copper beneath."""
        return isinstance(self.pin_factory, VirtualPinFactory)

    @property
    def value(self) -> BodyState:
        """How it stands now."""
        return BodyState(
            hour=self.clock.value,
            clock=self.clock.levels,
            sand=self.bar.value,
            bar=self.bar.levels,
            lights=self.lights.value,
            light_levels=self.lights.levels,
            coil=self.knocker.value,
            knocks=self.knocker.count,
            held=self.buttons.value,
            muted=self.mute.value,
            mute_led=self.mute.led,
            current_ma=self.compositor.current_ma,
        )

    def sweep(self, seconds: float = SWEEP) -> float:
        """Let a light run once over all lamps, as the house wakes or says good night; return how long it takes."""
        for device in (self.clock, self.bar, self.lights):
            device.sweep(seconds)
        return seconds

    def close(self) -> None:
        """Let all be dark and off; a second time does nothing."""
        self._closing.close()

    def _open_knocker(self, timers: Timers | None) -> Knocker:
        coil = self.board.knocker
        with explain_errors("knocker"):
            if coil is None:
                return Knocker(timers=timers)
            return Knocker(coil.pin, duty=DutyLimit(share=coil.duty), timers=timers, pin_factory=self.pin_factory)

    def _open_lights(self, timers: Timers) -> tuple[LightCompositor, dict[str, Segment]]:
        """Make the lamps of all devices one row, and give each device its part."""
        board, parts = self.board, list[Lamps]()
        first = dict[str, int]()
        try:
            for source in ("pins", "register", "expander", "ring"):
                first[source] = sum(len(part.loads) for part in parts)
                if any(source in strip.sources for strip in board.strips.values()):
                    with explain_errors(f"the lights on {source}"):
                        parts.append(self._open_lamps(source))
        except BaseException:
            for part in parts:
                part.close()
            raise
        power = board.power
        compositor = LightCompositor(
            LampRow(*parts), budget_ma=power.budget_ma, brightness=power.brightness, timers=timers
        )
        strips, pins_before = {}, 0
        for name, lights in board.strips.items():
            places = lights.places
            if lights.source == "pins":
                places = tuple(range(pins_before, pins_before + len(places)))
                pins_before += len(places)
            strips[name] = compositor.segment(first[lights.source] + place for place in places)
        return compositor, strips

    def _open_lamps(self, source: str) -> Lamps:
        board, pins = self.board, self.pin_factory
        strips = [strip for strip in board.strips.values() if source in strip.sources]
        outputs = 1 + max(place for strip in strips for place in strip.places)
        if source == "pins":
            wanted = [pin for strip in strips for pin in strip.pins]
            return PinLamps(wanted, led_ma=board.power.led_ma, pin_factory=pins)
        if source == "register":
            chips = board.register
            assert chips is not None  # noqa: S101 (the board was checked)
            return RegisterLamps(
                outputs,
                data=chips.data,
                clock=chips.clock,
                latch=chips.latch,
                led_ma=board.power.led_ma,
                pin_factory=pins,
            )
        if source == "expander":
            chip = board.expander
            assert chip is not None  # noqa: S101 (the board was checked)
            return ExpanderLamps(open_i2c_chip(pins, chip.bus, chip.address), led_ma=board.power.led_ma)
        colours: list[Colour] = [(0, 0, 0)] * outputs
        for strip in strips:
            for index, place in enumerate(strip.places):
                colours[place] = strip.colour(index)
        return RingLamps(colours, open_ring_spi(pins))

    def _open_buttons(self, timers: Timers) -> Buttons:
        contacts = self.board.buttons
        with explain_errors("buttons"):
            return Buttons(
                contacts.pins,
                combinations={"shutdown": contacts.shutdown} if contacts.shutdown else {},
                long_press_s=contacts.long_press,
                combination_press_s=contacts.shutdown_press,
                timers=timers,
                pin_factory=self.pin_factory,
            )

    def _open_mute(self, timers: Timers) -> Mute:
        mute = self.board.mute
        with explain_errors("mute"):
            if mute is None:
                return Mute(timers=timers)
            return Mute(mute.switch, led=mute.led, timers=timers, pin_factory=self.pin_factory)


def open_body(
    board: Board | str | Path = "breadboard", *, pin_factory: Any = None, timers: Timers | None = None
) -> Body:
    """Return the body of *board* on this machine's pins; where there are none, the virtual one, saying why.

    Raise BadBoard for a board that cannot be, HardwareError for pins that cannot be used.
    """
    chosen = board if isinstance(board, Board) else files.load(board)
    found = None
    if pin_factory is None and chosen.name != "virtual":
        try:
            found = open_pins()
        except NoGPIOError as reason:
            log.warning("%s: the virtual board stands in for '%s'", reason, chosen.name)
            chosen = files.load("virtual")
    if pin_factory is None:
        return Body(chosen, pin_factory=found or VirtualPinFactory(), timers=timers, owns_pins=True)
    return Body(chosen, pin_factory=pin_factory, timers=timers)
