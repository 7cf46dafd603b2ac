"""The body: all devices of a board in one object."""

from __future__ import annotations

import contextlib
import logging
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hardware.animations import Levels
from hardware.board import BUTTONS_TO_HOLD, Board, load_board
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

SWEEP_S = 0.8
"""Seconds that a light takes to run over all lamps."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BodyState:
    """The state of all devices at one moment."""

    hour: int
    """From 1; 0 before the first hour."""
    clock: Levels
    sand: float
    """The fraction of the timer that is left, 0 to 1."""
    bar: Levels
    lights: tuple[LightState, ...]
    light_levels: Levels
    coil: bool
    knocks: int
    """How many knocks have been played."""
    held: frozenset[str]
    """The names of the buttons that are held."""
    muted: bool
    mute_led: bool
    current_ma: float
    """The highest current that the lamps can draw, in milliamperes."""


class Body:
    """Clock, bar, lights, knocker, buttons and mute of a board; devices that it lacks do nothing.

    >>> with open_body("virtual") as body:
    ...     body.clock.strike(1)
    ...     body.knocker.play(NO)
    """

    def __init__(
        self, board: Board, *, pin_factory: Any = None, timers: Timers | None = None, owns_pins: bool = False
    ) -> None:
        """Open the devices on the pins of *pin_factory*; *owns_pins* closes the factory with the body."""
        self.board = board
        self.pin_factory = pin_factory
        self._closing = contextlib.ExitStack()
        with contextlib.ExitStack() as stack:
            keep = stack.enter_context
            if owns_pins:
                stack.callback(pin_factory.close)
            # The coil comes first: it must be off before anything else can fail.
            self.knocker = keep(self._open_knocker(timers))
            if timers is None:
                timers = ThreadTimers("body")
                stack.callback(timers.close)
            self.compositor, segments = self._open_lights(timers)
            keep(self.compositor)
            self.clock = keep(LedClock(segments["clock"]))
            self.bar = keep(TimerBar(segments["bar"]))
            self.lights = keep(PsychicLights(segments["lights"]))
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
        """Whether it runs on virtual pins."""
        return isinstance(self.pin_factory, VirtualPinFactory)

    @property
    def value(self) -> BodyState:
        """The state of all devices now."""
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

    def sweep(self, seconds: float = SWEEP_S) -> float:
        """Run a light once over all lamps, as at start and stop, and return how many seconds it takes."""
        for device in (self.clock, self.bar, self.lights):
            device.sweep(seconds)
        return seconds

    def close(self) -> None:
        """Turn everything off and release the pins; safe to call twice."""
        self._closing.close()

    def _open_knocker(self, timers: Timers | None) -> Knocker:
        coil = self.board.knocker
        with explain_errors("knocker"):
            if coil is None:
                return Knocker(timers=timers)
            return Knocker(coil.pin, duty=DutyLimit(share=coil.duty), timers=timers, pin_factory=self.pin_factory)

    def _open_lights(self, timers: Timers) -> tuple[LightCompositor, dict[str, Segment]]:
        """Join the lamps of all drivers into one row and return its compositor, with a segment for each device."""
        board, rows = self.board, list[Lamps]()
        first_index = dict[str, int]()
        try:
            for driver in ("pins", "register", "expander", "ring"):
                first_index[driver] = sum(len(row.loads) for row in rows)
                if any(driver in wiring.drivers for wiring in board.lamp_devices.values()):
                    with explain_errors(f"the lights on {driver}"):
                        rows.append(self._open_lamps(driver))
        except BaseException:
            for row in rows:
                row.close()
            raise
        compositor = LightCompositor(
            LampRow(*rows), budget_ma=board.power.budget_ma, brightness=board.power.brightness, timers=timers
        )
        segments, pins_before = {}, 0
        for name, wiring in board.lamp_devices.items():
            outputs = wiring.outputs
            if wiring.driver == "pins":
                outputs = tuple(range(pins_before, pins_before + len(outputs)))
                pins_before += len(outputs)
            segments[name] = compositor.segment(first_index[wiring.driver] + output for output in outputs)
        return compositor, segments

    def _open_lamps(self, driver: str) -> Lamps:
        """Return all lamps of the board that *driver* drives, as one row."""
        board, pins = self.board, self.pin_factory
        wirings = [wiring for wiring in board.lamp_devices.values() if driver in wiring.drivers]
        count = 1 + max(output for wiring in wirings for output in wiring.outputs)
        if driver == "pins":
            numbers = [pin for wiring in wirings for pin in wiring.pins]
            return PinLamps(numbers, led_ma=board.power.led_ma, pin_factory=pins)
        if driver == "register":
            chips = board.register
            assert chips is not None  # noqa: S101 (the board was checked)
            return RegisterLamps(
                count,
                data=chips.data,
                clock=chips.clock,
                latch=chips.latch,
                led_ma=board.power.led_ma,
                pin_factory=pins,
            )
        if driver == "expander":
            chip = board.expander
            assert chip is not None  # noqa: S101 (the board was checked)
            return ExpanderLamps(open_i2c_chip(pins, chip.bus, chip.address), led_ma=board.power.led_ma)
        colours: list[Colour] = [(0, 0, 0)] * count
        for wiring in wirings:
            for index, output in enumerate(wiring.outputs):
                colours[output] = wiring.colour(index)
        return RingLamps(colours, open_ring_spi(pins))

    def _open_buttons(self, timers: Timers) -> Buttons:
        wiring = self.board.buttons
        with explain_errors("buttons"):
            return Buttons(
                wiring.pins,
                combinations={"shutdown": wiring.shutdown} if wiring.shutdown else {},
                to_hold=BUTTONS_TO_HOLD,
                long_press_s=wiring.long_press,
                combination_press_s=wiring.shutdown_press,
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
    board: Board | str | Path = "breadboard",
    *,
    stand_in: str | None = None,
    pin_factory: Any = None,
    timers: Timers | None = None,
) -> Body:
    """Return the body of *board* on this machine's pins; where there are none, log why and take virtual pins.

    On virtual pins the board *stand_in* takes the place of *board*, if it is given. Raise BadBoard for an invalid board
    and HardwareError for pins that cannot be used.
    """
    chosen = board if isinstance(board, Board) else load_board(board)
    opened = None
    if pin_factory is None and chosen.name != "virtual":
        try:
            opened = open_pins()
        except NoGPIOError as reason:
            if stand_in is None:
                log.warning("%s: board '%s' is on virtual pins", reason, chosen.name)
            else:
                log.warning("%s: the %s board stands in for '%s'", reason, stand_in, chosen.name)
                chosen = load_board(stand_in)
    if pin_factory is None:
        return Body(chosen, pin_factory=opened or VirtualPinFactory(), timers=timers, owns_pins=True)
    return Body(chosen, pin_factory=pin_factory, timers=timers)
