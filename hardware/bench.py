"""The bench: operates every device in turn and says what should happen, for whoever has just wired a board."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.live import Live

from hardware.board import Board, LampWiring
from hardware.body import Body
from hardware.buttons import Press
from hardware.clock import LedClock, explain_missing_lamps
from hardware.header import describe_pin_key, hour_name
from hardware.lamp_device import LampDevice
from hardware.psychic_lights import LightState
from hardware.rhythm import NO, YES
from hardware.terminal_view import render_body
from hardware.virtual import VirtualPinFactory

Wait = Callable[[float], None]
"""Waits for so many seconds."""
Demonstration = tuple[str, float]
"""What should be seen, and for how many seconds."""

JUST_KNOCKED_S = 0.25
"""Seconds for which a knock is shown."""
USUAL_HOURS = 7
"""Hours that most nights have."""
LIGHT_LOOKS = (
    (LightState.WAITING, "the first light winks"),
    (LightState.SERVED, "the second breathes"),
    (LightState.CHOSEN, "the third is steady"),
)


def run_bench(
    body: Body, console: Console, *, listen: float, hours: int = USUAL_HOURS, wait: Wait = time.sleep
) -> None:
    """Demonstrate every device of *body* for a night of *hours*, then show every press for *listen* seconds."""
    if (clock := explain_missing_lamps(len(body.clock), hours)) is not None:
        console.print(clock, soft_wrap=True)
    knocked_at = [float("-inf")]
    presses: list[str] = []
    body.knocker.when_knocked = lambda _: knocked_at.append(body.compositor.now())
    body.buttons.when_pressed = lambda press: presses.append(_describe(press))
    body.buttons.when_held = lambda name, held: presses.append(f"{name}, {'held' if held else 'let go'}")
    body.mute.when_switched = body.mute.show
    body.mute.show(body.mute.wanted)

    def refresh() -> None:
        just_knocked = body.compositor.now() - knocked_at[-1] < JUST_KNOCKED_S
        line = f"{note} {' · '.join(presses[-4:])}"
        live.update(render_body(body.value, body.board, just_knocked=just_knocked, note=line), refresh=True)

    with Live(console=console, auto_refresh=False) as live:
        for note, seconds in _demonstrate(body, hours=hours, listen=listen):
            if not console.is_terminal:
                console.print(note)
            _refresh_for(seconds, refresh, wait)
        note = f"done: {body.knocker.count} knocks, {len(presses)} presses"
        refresh()
    for press in presses:
        console.print(f"pressed: {press}")


def _refresh_for(seconds: float, refresh: Callable[[], None], wait: Wait) -> None:
    """Call *refresh* ten times a second for *seconds*."""
    for _ in range(max(1, round(seconds * 10))):
        refresh()
        wait(0.1)


def _demonstrate(body: Body, *, hours: int, listen: float) -> Iterator[Demonstration]:
    """Operate each device that is there, one after another, and yield what should be seen of it."""
    board = body.board
    for name, device in (("clock", body.clock), ("bar", body.bar), ("lights", body.lights)):
        yield from _light_one_by_one(name, device, board.lamp_devices[name])
    if len(body.clock):
        yield from _strike_hours(body.clock, hours)
    if len(body.bar):
        body.bar.drain(16.0)
        yield "the bar drains, and its last ten seconds beat like a heart", 16.5
    if len(body.lights):
        looks = LIGHT_LOOKS[: len(body.lights)]
        body.lights.show_all([state for state, _ in looks])
        yield ", ".join(look for _, look in looks), 4.0
    if board.knocker:
        body.knocker.play(YES)
        yield "yes: one knock", 1.5
        body.knocker.play(NO)
        yield "no: two knocks", 1.8
    yield from _press_virtual_buttons(body)
    if requests := tuple(_requests(board)):
        yield "; ".join(requests), listen


def _strike_hours(clock: LedClock, hours: int) -> Iterator[Demonstration]:
    """Strike an hour that has a lamp of its own, and each that has none."""
    hour = min(3, len(clock), hours)
    clock.strike(hour)
    yield f"hour {hour_name(hour)} strikes: a light sweeps over, then {hour_name(hour)} breathes", 3.0
    for hour in range(len(clock) + 1, hours + 1):
        rounds, index = divmod(hour - 1, len(clock))
        clock.show(hour)
        yield f"hour {hour_name(hour)}: lamp {index + 1} winks {rounds + 1} times, the others are lit", 4.0


def _requests(board: Board) -> Iterator[str]:
    """Yield what to do with the buttons and the switch that are on *board*."""
    if names := tuple(board.buttons.pins):
        yield f"press {' and '.join([', '.join(names[:-1])] * (len(names) > 1) + [names[-1]])}, short and long"
    if board.mute:
        yield "turn the mute switch"


def _light_one_by_one(name: str, device: LampDevice, wiring: LampWiring) -> Iterator[Demonstration]:
    for index, output in enumerate(wiring.outputs):
        device.light_only(index)
        where = f"GPIO {output}" if wiring.driver == "pins" else f"{wiring.driver} {output}"
        yield f"{describe_pin_key(f'{name}.pins[{index}]')} alone: {where}", 0.3
    device.off()


def _press_virtual_buttons(body: Body) -> Iterator[Demonstration]:
    """Press each button of a virtual board, where nobody else can."""
    if not isinstance(body.pin_factory, VirtualPinFactory):
        return
    for name, pin in body.board.buttons.pins.items():
        body.pin_factory.press(pin)
        yield f"nobody presses {name}", 0.3
        body.pin_factory.release(pin)
        yield f"nobody lets go of {name}", 0.2


def _describe(press: Press) -> str:
    return f"{press.name}, {'long' if press.long else 'short'}"
