"""The bench: operates every device in turn and says what should happen, for whoever has just wired a board."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.live import Live

from hardware.board import LampWiring
from hardware.body import Body
from hardware.buttons import Press
from hardware.header import describe_pin_key
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


def run_bench(body: Body, console: Console, *, listen: float, wait: Wait = time.sleep) -> None:
    """Demonstrate every device of *body*, then show every press for *listen* seconds."""
    knocked_at = [float("-inf")]
    presses: list[str] = []
    body.knocker.when_knocked = lambda _: knocked_at.append(body.compositor.now())
    body.buttons.when_pressed = lambda press: presses.append(_describe(press))
    body.mute.when_switched = body.mute.show
    body.mute.show(body.mute.wanted)

    def refresh() -> None:
        just_knocked = body.compositor.now() - knocked_at[-1] < JUST_KNOCKED_S
        line = f"{note} {' · '.join(presses[-4:])}"
        live.update(render_body(body.value, body.board, just_knocked=just_knocked, note=line), refresh=True)

    with Live(console=console, auto_refresh=False) as live:
        for note, seconds in _demonstrate(body, listen):
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


def _demonstrate(body: Body, listen: float) -> Iterator[Demonstration]:
    """Operate one device after another, and yield what should be seen of each."""
    board = body.board
    for name, device in (("clock", body.clock), ("bar", body.bar), ("lights", body.lights)):
        yield from _light_one_by_one(name, device, board.lamp_devices[name])
    if len(body.clock):
        body.clock.strike(3)
        yield "hour III strikes: a light sweeps over, then III breathes", 3.0
    if len(body.bar):
        body.bar.drain(16.0)
        yield "the bar drains, and its last ten seconds beat like a heart", 16.5
    if len(body.lights):
        body.lights.show_all((LightState.WAITING, LightState.SERVED, LightState.CHOSEN))
        yield "the first light winks, the second breathes, the third is steady", 4.0
    where = "" if board.knocker else " (no coil on this board)"
    body.knocker.play(YES)
    yield f"yes: one knock{where}", 1.5
    body.knocker.play(NO)
    yield f"no: two knocks{where}", 1.8
    yield from _press_virtual_buttons(body)
    if board.buttons.pins or board.mute:
        yield "press the buttons, short and long; turn the mute switch", listen


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
