"""Replaying a recorded night at the terminal, as one seat saw it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from seance.codec import event_fields
from seance.journal import Entry, Night
from seance.plain_text import strip_controls
from seance.replay.event_text import describe_event
from seance.rules import Event, GhostView, RoomView, Seat, heard, view


class Replay:
    """Replays nights on a console."""

    def __init__(self, console: Console, *, seat: Seat, names: Mapping[str, str]) -> None:
        self._console = console
        self._seat = seat
        self._names = names

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
            self._console.print("Here the night was interrupted.", style="italic")

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
            fields = msgspec.to_builtins(event_fields(event))
            yield describe_event(fields) or _describe_secret(fields)

    def _print_table(self, seen: RoomView | GhostView) -> None:
        room = seen.room if isinstance(seen, GhostView) else seen
        title = f"hour {room.hour} of 7 · {room.phase.replace('_', ' ')} · crows {room.crows_left}"
        table = Table(box=SIMPLE_HEAD, title=title)
        for column in ("psychic", "searches", "visions", "chose", "found", "track", "tokens"):
            table.add_column(column)
        for psychic in room.psychics:
            cells = (psychic.visions, psychic.intuition, psychic.found, psychic.clairvoyancy, psychic.tokens_left)
            name = self._names.get(psychic.colour, psychic.colour)
            table.add_row(Text(f"{psychic.colour} ({strip_controls(name)})"), psychic.searching, *map(_cell, cells))
        self._console.print(table)
        for group in room.groups:
            self._console.print(
                f"group {group.group}: {_cell(group.cards)} ({group.psychic or 'nobody'})", highlight=False
            )
        if isinstance(seen, GhostView):
            self._print_secrets(seen)

    def _print_secrets(self, seen: GhostView) -> None:
        for psychic, trio in (seen.secret or {}).items():
            self._console.print(f"[dim]secret of {psychic}: {_cell(trio.cards())}[/]", highlight=False)
        if seen.hand is not None:
            self._console.print(f"[dim]hand: {_cell(seen.hand)}[/]", highlight=False)
        if seen.culprit is not None:
            self._console.print(f"[dim]culprit: group {seen.culprit}[/]", highlight=False)


def _describe_secret(fields: Mapping[str, Any]) -> str:
    """Return an event that only the ghost hears, with its fields as on the wire."""
    values = ", ".join(f"{name} {value}" for name, value in fields.items() if name != "event")
    return f"({fields['event'].replace('_', ' ')}{': ' if values else ''}{values})"


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "-"
    return "-" if value is None else str(value)
