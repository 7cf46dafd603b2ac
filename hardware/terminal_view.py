"""A body's state as a picture in the terminal; it shows any body and touches none."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from hardware.board import Board
from hardware.body import BodyState
from hardware.header import ROMAN
from hardware.ring import Colour


def portrait(state: BodyState, board: Board, *, fresh_knock: bool = False, note: str = "") -> RenderableType:
    """Return the body as it stands; *fresh_knock* while one is still in the air, *note* beneath."""
    rows = [
        _row("clock", _lamps(ROMAN, state.clock, [board.clock.colour(i) for i in range(len(state.clock))])),
        _row("sand", _lamps("█" * len(state.bar), state.bar, [board.bar.colour(i) for i in range(len(state.bar))], "")),
        _row("lights", _lamps("●" * len(state.lights), state.light_levels, _light_colours(state, board))),
        _row("knocks", Text("◉ KNOCK" if fresh_knock or state.coil else f"○ {state.knocks}", "bold")),
        _row("buttons", _held(state, board)),
        _row("mute", Text("■ muted" if state.muted else "□ open", "red" if state.mute_led else "dim")),
    ]
    if note:
        rows.append(Text(note, "italic"))
    draw = f"{state.current_ma:.0f} of {board.power.budget_ma:.0f} mA"
    return Panel(Group(*rows), title=f"board '{board.name}'", subtitle=draw, width=64)


def _row(name: str, what: Text) -> Text:
    return Text.assemble((f"{name:>8}  ", "dim"), what)


def _lamps(signs: Sequence[str], levels: Sequence[float], colours: Sequence[Colour], gap: str = " ") -> Text:
    """Return one sign per lamp, as bright as it is; a dark one can still be seen."""
    text = Text()
    for sign, level, colour in zip(signs, levels, colours, strict=False):
        red, green, blue = (round(40 + (channel - 40) * min(1.0, level)) for channel in colour)
        text.append(sign + gap, f"rgb({red},{green},{blue})")
    return text if levels else Text("none", "dim")


def _light_colours(state: BodyState, board: Board) -> list[Colour]:
    return [board.lights.colour(i) for i in range(len(state.lights))]


def _held(state: BodyState, board: Board) -> Text:
    text = Text()
    for name in board.buttons.pins:
        text.append(name, "bold reverse" if name in state.held else "dim")
        text.append("  ")
    return text if board.buttons.pins else Text("none", "dim")
