"""A whole night at the terminal, typed: it talks to the engine as any other program does, over the wire."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from seance.codec import NotACommand
from seance.engine import Engine
from seance.rules import Edition
from seance.telling import told
from seance.typed import EXAMPLES, command_of

HELP = "also: table, ghost (everybody else looks away), help, quit"


class Rehearsal:
    """One terminal at which everybody types, the ghost too."""

    def __init__(
        self, engine: Engine, console: Console, *, names: Mapping[str, str], read: Callable[[str], str]
    ) -> None:
        self._engine = engine
        self._console = console
        self._names = names
        self._read = read

    def hold(self, begin: Mapping[str, Any]) -> None:
        """Play from set-up to verdict; a line that cannot be done says why, and nothing is lost."""
        self._say(f"[bold]A rehearsal.[/] Type what happens. {HELP}.")
        self._command({"command": "begin", **begin})
        self._show_table()
        while (view := self._view("room"))["outcome"] is None:
            text = self._read(f"{view['phase']} {view['hour']}> ")
            try:
                if not self._aside(text):
                    self._command(command_of(text, view))
            except (NotACommand, _Refused) as refusal:
                self._say(f"[yellow]{escape(str(refusal))}[/]")
            except _Left:
                self._say("The night is left unfinished.")
                return

    def _aside(self, text: str) -> bool:
        """Do what *text* asks if it asks nothing of the rules, and return whether it was so."""
        match text.strip().lower():
            case "":
                pass
            case "help" | "?":
                self._show_help()
            case "table":
                self._show_table()
            case "ghost":
                self._show_ghost()
            case "quit" | "exit":
                raise _Left
            case _:
                return False
        return True

    def _command(self, command: Mapping[str, Any]) -> None:
        for event in self._ask(command, "events"):
            if words := told(event):
                self._say(words)

    def _view(self, seat: str) -> Any:
        return self._ask({"view": seat}, "view")

    def _ask(self, asked: Mapping[str, Any], wanted: str) -> Any:
        """Return what the engine answers, as any program outside would get it."""
        answer = msgspec.json.decode(self._engine.answer(msgspec.json.encode(asked)))
        if not answer["ok"]:
            raise _Refused(answer["message"])
        return answer[wanted]

    def _show_help(self) -> None:
        for seat in ("ghost", "room"):
            legal = self._ask({"legal": seat}, "legal")
            examples = "; ".join(f"[bold]{EXAMPLES[name]}[/]" for name in legal)
            self._say(f"{'The ghost' if seat == 'ghost' else 'Psychics'} may now type: {examples}")
        self._say(HELP)

    def _show_table(self) -> None:
        view = self._view("room")
        table = Table(
            box=SIMPLE_HEAD,
            title=f"{view['edition']} · {view['phase']} · {view['hour']} of 7 · crows {view['crows_left']}",
        )
        for column in ("psychic", "searches", "visions", "chose", "found", "track", "tokens"):
            table.add_column(column)
        for psychic in view["psychics"]:
            table.add_row(
                f"{psychic['colour']} ({self._names[psychic['colour']]})",
                psychic["searching"],
                *(_cell(psychic[key]) for key in ("visions", "intuition", "found", "clairvoyancy", "tokens_left")),
            )
        self._console.print(table)
        for kind, cards in view["table"].items():
            if cards:
                self._say(f"{kind}s: {_cell(cards)}")
        for bet in view["bets"]:
            self._say(f"{bet['by']} {'agrees' if bet['agrees'] else 'disagrees'} with {bet['on']}")
        for group in view["groups"]:
            self._say(f"group {group['group']}: {_cell(group['cards'])} ({group['psychic'] or 'nobody'})")

    def _show_ghost(self) -> None:
        view = self._view("ghost")
        for psychic, trio in (view["secret"] or {}).items():
            self._say(f"{psychic}: character {trio['character']}, location {trio['location']}, object {trio['object']}")
        if view["secret"] is None:
            self._say("the cards were dealt by hand: only you know")
        if view["hand"] is not None:
            self._say(f"hand: {_cell(view['hand'])}")
        if view["culprit"] is not None:
            self._say(f"culprit: group {view['culprit']}")

    def _say(self, words: str) -> None:
        self._console.print(words, highlight=False)


class _Refused(Exception):
    """The engine said no."""


class _Left(Exception):
    """Somebody left the table."""


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return "-" if value is None else str(value)


def ask_setup(
    read: Callable[[str], str], editions: Mapping[str, Edition], defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """Ask edition, players and level, each once more until it can be understood; a bare return takes the default."""
    edition = _ask(read, f"edition: {', '.join(editions)}", str(defaults["edition"]), tuple(editions))
    variants = ("none", *editions[edition].variants)
    variant = _ask(read, f"variant: {', '.join(variants)}", "none", variants) if len(variants) > 1 else "none"
    players = _ask(read, "players, the ghost included: 2 to 7", str(defaults["players"]), tuple("234567"))
    levels = tuple(editions[edition].levels)
    level = defaults["level"] if defaults["level"] in levels else levels[0]
    return {
        "edition": edition,
        "variant": None if variant == "none" else variant,
        "players": int(players),
        "level": _ask(read, f"level: {', '.join(levels)}", level, levels),
        "visions": _ask(read, "visions: table (real cards), dealt (as numbers)", "table", ("table", "dealt")),
        "deal": _ask(read, "secrets: manor (dealt here), hand (the ghost deals)", "manor", ("manor", "hand")),
    }


def _ask(read: Callable[[str], str], question: str, default: str, answers: tuple[str, ...]) -> str:
    while (answer := read(f"{question} [{default}]> ").strip().lower() or default) not in answers:
        pass
    return answer
