"""Draws the state of a body in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from hardware.board import Board
from hardware.body import BodyState
from hardware.header import hour_name
from hardware.ring import Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewLabels:
    """The words in the picture of a body."""

    clock: str = "clock"
    sand: str = "sand"
    lights: str = "lights"
    knocks: str = "knocks"
    buttons: str = "buttons"
    mute: str = "mute"
    knock: str = "KNOCK"
    muted: str = "muted"
    open: str = "open"
    none: str = "none"
    title: str = "board '{board}'"
    current: str = "{now} of {most} mA"
    button_names: Mapping[str, str] = field(default_factory=dict)
    """What a button is called, if not as on its board."""


def render_body(
    state: BodyState,
    board: Board,
    *,
    labels: ViewLabels = ViewLabels(),
    just_knocked: bool = False,
    note: str = "",
) -> RenderableType:
    """Return a panel of the body's state, with *note* beneath; *just_knocked* shows a knock after the coil is off."""
    clock_colours = [board.clock.colour(i) for i in range(len(state.clock))]
    bar_colours = [board.bar.colour(i) for i in range(len(state.bar))]
    rows = [
        _row(labels.clock, _lamps(_hours(state), state.clock, clock_colours, none=labels.none)),
        _row(labels.sand, _lamps("█" * len(state.bar), state.bar, bar_colours, gap="", none=labels.none)),
        _row(
            labels.lights,
            _lamps("●" * len(state.lights), state.light_levels, _light_colours(state, board), none=labels.none),
        ),
        _row(labels.knocks, Text(f"◉ {labels.knock}" if just_knocked or state.coil else f"○ {state.knocks}", "bold")),
        _row(labels.buttons, _buttons(state, board, labels)),
        _row(labels.mute, _mute(state, board, labels)),
    ]
    if note:
        rows.append(Text(note, "italic"))
    current = labels.current.format(now=f"{state.current_ma:.0f}", most=f"{board.power.budget_ma:.0f}")
    return Panel(Group(*rows), title=labels.title.format(board=board.name), subtitle=current, width=64)


def _row(name: str, content: Text) -> Text:
    return Text.assemble((f"{name:>8}  ", "dim"), content)


def _lamps(
    signs: Sequence[str], levels: Sequence[float], colours: Sequence[Colour], *, none: str, gap: str = " "
) -> Text:
    """Return one sign per lamp, as bright as the lamp but never too dark to be seen."""
    text = Text()
    for sign, level, colour in zip(signs, levels, colours, strict=False):
        red, green, blue = (round(40 + (channel - 40) * min(1.0, level)) for channel in colour)
        text.append(sign + gap, f"rgb({red},{green},{blue})")
    return text if levels else Text(none, "dim")


def _hours(state: BodyState) -> list[str]:
    return [hour_name(index + 1) for index in range(len(state.clock))]


def _mute(state: BodyState, board: Board, labels: ViewLabels) -> Text:
    if board.mute is None:
        return Text(labels.none, "dim")
    return Text(f"■ {labels.muted}" if state.muted else f"□ {labels.open}", "red" if state.mute_led else "dim")


def _light_colours(state: BodyState, board: Board) -> list[Colour]:
    return [board.lights.colour(i) for i in range(len(state.lights))]


def _buttons(state: BodyState, board: Board, labels: ViewLabels) -> Text:
    text = Text()
    for name in board.buttons.pins:
        text.append(labels.button_names.get(name, name), "bold reverse" if name in state.held else "dim")
        text.append("  ")
    return text if board.buttons.pins else Text(labels.none, "dim")
