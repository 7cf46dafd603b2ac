"""The bench for a person with a screwdriver: every device in turn, and what should be seen; nothing is decided here."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.live import Live

from hardware.body import Body
from hardware.buttons import Press
from hardware.header import in_words
from hardware.lamp_device import LampDevice
from hardware.psychic_lights import LightState
from hardware.rhythm import NO, YES
from hardware.terminal_view import portrait
from hardware.virtual import VirtualPinFactory

Wait = Callable[[float], None]
"""How seconds pass at the bench."""
Step = tuple[str, float]
"""What is to be seen, and for how many seconds."""


def run_bench(body: Body, console: Console, *, listen: float, wait: Wait = time.sleep) -> None:
    """Show every device of *body*, then every press for *listen* seconds."""
    knocked = [float("-inf")]
    presses: list[str] = []
    body.knocker.when_knocked = lambda _: knocked.append(body.compositor.now())
    body.buttons.when_pressed = lambda press: presses.append(_told(press))
    body.mute.when_switched = body.mute.show
    body.mute.show(body.mute.wanted)

    def look() -> None:
        fresh = body.compositor.now() - knocked[-1] < 0.25
        told = f"{note} {' · '.join(presses[-4:])}"
        live.update(portrait(body.value, body.board, fresh_knock=fresh, note=told), refresh=True)

    with Live(console=console, auto_refresh=False) as live:
        for note, seconds in _steps(body, listen):
            if not console.is_terminal:
                console.print(note)
            _watch(look, seconds, wait)
        note = f"done: {body.knocker.count} knocks, {len(presses)} presses"
        look()
    for press in presses:
        console.print(f"pressed: {press}")


def _watch(look: Callable[[], None], seconds: float, wait: Wait) -> None:
    """Look ten times a second for so long."""
    for _ in range(max(1, round(seconds * 10))):
        look()
        wait(0.1)


def _steps(body: Body, listen: float) -> Iterator[Step]:
    """Do one thing after another, and yield what is to be seen of each."""
    board = body.board
    for name, device in (("clock", body.clock), ("bar", body.bar), ("lights", body.lights)):
        yield from _one_by_one(name, device, board.strips[name].source, board.strips[name].places)
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
    yield from _ghostly_hand(body)
    if board.buttons.pins or board.mute:
        yield "press the buttons, short and long; turn the mute switch", listen


def _one_by_one(name: str, device: LampDevice, source: str, places: tuple[int, ...]) -> Iterator[Step]:
    for index, place in enumerate(places):
        device.light_only(index)
        where = f"GPIO {place}" if source == "pins" else f"{source} {place}"
        yield f"{in_words(f'{name}.pins[{index}]')} alone: {where}", 0.3
    device.off()


def _ghostly_hand(body: Body) -> Iterator[Step]:
    """Press the buttons where no human hand can."""
    if not isinstance(body.pin_factory, VirtualPinFactory):
        return
    for name, pin in body.board.buttons.pins.items():
        body.pin_factory.press(pin)
        yield f"nobody presses {name}", 0.3
        body.pin_factory.release(pin)
        yield f"nobody lets go of {name}", 0.2


def _told(press: Press) -> str:
    return f"{press.name}, {'long' if press.long else 'short'}"
