"""Draws the state of a body in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from hardware.board import Board
from hardware.body import BodyState
from hardware.header import hour_name
from hardware.ring import Colour


def render_body(state: BodyState, board: Board, *, just_knocked: bool = False, note: str = "") -> RenderableType:
    """Return a panel of the body's state, with *note* beneath; *just_knocked* shows a knock after the coil is off."""
    rows = [
        _row("clock", _lamps(_hours(state), state.clock, [board.clock.colour(i) for i in range(len(state.clock))])),
        _row("sand", _lamps("█" * len(state.bar), state.bar, [board.bar.colour(i) for i in range(len(state.bar))], "")),
        _row("lights", _lamps("●" * len(state.lights), state.light_levels, _light_colours(state, board))),
        _row("knocks", Text("◉ KNOCK" if just_knocked or state.coil else f"○ {state.knocks}", "bold")),
        _row("buttons", _buttons(state, board)),
        _row("mute", _mute(state, board)),
    ]
    if note:
        rows.append(Text(note, "italic"))
    current = f"{state.current_ma:.0f} of {board.power.budget_ma:.0f} mA"
    return Panel(Group(*rows), title=f"board '{board.name}'", subtitle=current, width=64)


def _row(name: str, content: Text) -> Text:
    return Text.assemble((f"{name:>8}  ", "dim"), content)


def _lamps(signs: Sequence[str], levels: Sequence[float], colours: Sequence[Colour], gap: str = " ") -> Text:
    """Return one sign per lamp, as bright as the lamp but never too dark to be seen."""
    text = Text()
    for sign, level, colour in zip(signs, levels, colours, strict=False):
        red, green, blue = (round(40 + (channel - 40) * min(1.0, level)) for channel in colour)
        text.append(sign + gap, f"rgb({red},{green},{blue})")
    return text if levels else Text("none", "dim")


def _hours(state: BodyState) -> list[str]:
    return [hour_name(index + 1) for index in range(len(state.clock))]


def _mute(state: BodyState, board: Board) -> Text:
    if board.mute is None:
        return Text("none", "dim")
    return Text("■ muted" if state.muted else "□ open", "red" if state.mute_led else "dim")


def _light_colours(state: BodyState, board: Board) -> list[Colour]:
    return [board.lights.colour(i) for i in range(len(state.lights))]


def _buttons(state: BodyState, board: Board) -> Text:
    text = Text()
    for name in board.buttons.pins:
        text.append(name, "bold reverse" if name in state.held else "dim")
        text.append("  ")
    return text if board.buttons.pins else Text("none", "dim")
