"""Replaying a recorded night at the terminal, as one seat saw it."""

from collections.abc import Callable, Iterable, Mapping

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from seance.codec import event_fields
from seance.journal import Entry, Night
from seance.plain_text import strip_controls
from seance.replay.event_text import EventText
from seance.rules import Event, GhostView, RoomView, Seat, heard, view

COLUMNS = ("psychic", "searches", "visions", "chose", "found", "track", "tokens")


class Replay:
    """Replays nights on a console."""

    def __init__(self, console: Console, *, seat: Seat, names: Mapping[str, str], event_text: EventText) -> None:
        self._console = console
        self._seat = seat
        self._names = names
        self._event_text = event_text
        self._texts, self._colours = event_text.texts, event_text.colours

    def play(self, night: Night, *, pause: Callable[[], object] | None = None) -> None:
        """Print *night* from its beginning; with *pause*, show the table and call it after each step."""
        hour = 0
        for step, (entry, state) in enumerate(night.states(), start=1):
            seen = view(state, self._seat)
            self._print_step(step, entry)
            if pause is not None or state.hour != hour or state.outcome is not None:
                self._print_table(seen)
                hour = state.hour
            if pause is not None:
                pause()
        if night.outcome is None:
            self._console.print(self._texts("interrupted"), style="italic")

    def _print_step(self, step: int, entry: Entry) -> None:
        """Print the events of *entry* that the seat could hear."""
        minutes, seconds = divmod(int(entry.played), 60)
        lines = Table.grid(padding=(0, 2))
        lines.add_column(justify="right", style="dim", min_width=4)
        lines.add_column(justify="right", style="dim", min_width=6)
        told = (strip_controls(line) for line in self._describe(heard(entry.events, self._seat)))
        lines.add_row(str(step), f"{minutes}:{seconds:02}", Text("\n".join(told)))
        self._console.print(lines, highlight=False)

    def _describe(self, events: Iterable[Event]) -> Iterable[str]:
        for event in events:
            yield self._event_text.describe(msgspec.to_builtins(event_fields(event)))

    def _print_table(self, seen: RoomView | GhostView) -> None:
        room, texts = seen.room if isinstance(seen, GhostView) else seen, self._texts
        phase = texts(f"phases.{room.phase}")
        turn = self._event_text.turn(room.hour)
        title = texts("table.title", turn=turn, phase=phase, crows=room.crows_left)
        table = Table(box=SIMPLE_HEAD, title=title)
        for column in COLUMNS:
            table.add_column(texts(f"table.{column}"))
        for psychic in room.psychics:
            cells = (psychic.visions, psychic.intuition, psychic.found, psychic.clairvoyancy, psychic.tokens_left)
            name = self._names.get(psychic.colour, psychic.colour)
            called = Text(f"{self._colours[psychic.colour]} ({strip_controls(name)})")
            table.add_row(called, texts(f"searches.{psychic.searching}"), *map(_cell, cells))
        self._console.print(table)
        for group in room.groups:
            owner = self._colours[group.psychic] if group.psychic else texts("table.nobody")
            self._print(texts("table.group", group=group.group, cards=_cell(group.cards), psychic=owner))
        if isinstance(seen, GhostView):
            self._print_secrets(seen)

    def _print_secrets(self, seen: GhostView) -> None:
        for psychic, trio in (seen.secret or {}).items():
            called = self._colours[psychic]
            self._print(self._texts("table.secret", psychic=called, cards=_cell(trio.cards())), style="dim")
        if seen.hand is not None:
            self._print(self._texts("table.hand", cards=_cell(seen.hand)), style="dim")
        if seen.culprit is not None:
            self._print(self._texts("table.culprit", group=seen.culprit), style="dim")

    def _print(self, line: str, style: str = "") -> None:
        self._console.print(line, style=style or None, highlight=False, markup=False)


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "-"
    return "-" if value is None else str(value)
