"""The evening for its pages: what they show, in one value; they themselves are served elsewhere."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from seance.daemon.evening import Evening
from seance.daemon.loop import Inbox
from seance.daemon.signals import Asked, Controlled, Heard, SatDown, Signal, Stop, Typed, Watching, Wished, Written
from seance.dialogue.grammar.sentences import Intent
from seance.narration.cues import Cue, Knock, Say, ShowPsychics, ShowTable, Whisper
from seance.rules import Edition, Phase, Seat, State, Visions, legal
from seance.web.callbacks import Calls
from seance.web.latest import Board
from seance.web.page_state import Chair, KnockShown, Manners, Numbered, Shown
from seance.web.requests import GHOSTS, Do

LINES, KNOCKS, WHISPERS = 6, 8, 8
"""How many of the last ones a page gets."""


class Pages:
    """Puts what happens where the pages find it; nothing here waits for them."""

    def __init__(self, *, language: str, pace: str, edition: Edition, chronicle: bool = False) -> None:
        """Show *edition*'s manners until a night begins."""
        first = Shown(chair=Chair(key=""), language=language, pace=pace, manners=manners_of(edition, None))
        self.board = Board(replace(first, chronicle=chronicle))

    def show(self, evening: Evening) -> None:
        """Show how it stands with *evening*; on the thread that owns it."""
        state, paused = evening.state, evening.conversation.paused
        manners = None if state is None else manners_of(state.setup.edition, state)
        self.board.change(
            lambda shown: replace(
                shown,
                chair=evening.seat.chair,
                present=evening.room,
                ghost=evening.ghost,
                may=() if paused or state is None else _may(state),
                dealt=state is not None and state.setup.visions is Visions.DEALT,
                manners=manners or shown.manners,
                sand=evening.sand,
                paused=paused,
                pace=evening.pace,
            )
        )

    def perceive(self, cue: Cue) -> None:
        """Show what the room perceives of *cue* just now; on the thread that performs."""
        self.board.change(lambda shown: _perceived(shown, cue))

    def hear(self, signal: Signal) -> None:
        """Show what was said to the house, if *signal* is that: neither the table's talk nor the ghost's words are."""
        match signal:
            case Heard(intent=Intent()) | Written():
                text = signal.text
            case Typed() if not signal.words.lower().startswith("ghost"):
                text = signal.words
            case _:
                return
        self.board.change(lambda shown: replace(shown, heard=Numbered(shown.heard.n + 1 if shown.heard else 1, text)))


def calls(inbox: Inbox, board: Board, words: Mapping[str, str], **more: Any) -> Calls:
    """Return what is done with what the pages ask for: it goes into *inbox* like everything else."""

    def do(wish: Do) -> str | None:
        if wish.do != "language":
            inbox.put(Wished(wish.do, wish.value))
        elif _is_under_way(board.shown):
            return words["language_not_now"]
        elif wish.value != board.shown.language:
            inbox.put(Stop(language=wish.value))
        return None

    return Calls(
        say=lambda text, here: inbox.put(Written(text, here)),
        sit=lambda device: inbox.put(SatDown(device)),
        tried=lambda: inbox.put(SatDown(None)),
        ask=lambda device, command: inbox.put(Asked(command, device)),
        control=lambda device, wish: inbox.put(Controlled(device, wish == "pause")),
        present=lambda device, watches: inbox.put(Watching(device, watches)),
        do=do,
        **more,
    )


def _is_under_way(shown: Shown) -> bool:
    return shown.present is not None and shown.present.outcome is None


def manners_of(edition: Edition, state: State | None) -> Manners:
    """Return what of *edition* the pages must know."""
    track = state.setup.track if state else None
    return Manners(
        unit="day" if edition.verdict is Phase.ACCUSATION else "hour",
        order=tuple(str(kind) for kind in edition.order),
        track=(track.intermediate, track.high) if track else None,
        crow_takes_hand=edition.crow_takes_whole_hand,
    )


def _may(state: State) -> tuple[str, ...]:
    return tuple(name for name in legal(state, Seat.GHOST) if name in GHOSTS)


def _perceived(shown: Shown, cue: Cue) -> Shown:
    match cue:
        case Say():
            return replace(shown, said=_numbered(shown.said, cue.text, LINES))
        case Whisper():
            return replace(shown, whispers=_numbered(shown.whispers, cue.text, WHISPERS))
        case Knock():
            n = shown.knocks[-1].n + 1 if shown.knocks else 1
            knocks = (*shown.knocks, KnockShown(n, cue.says, cue.count))
            return replace(shown, knocks=knocks[-KNOCKS:])
        case ShowPsychics():
            return replace(shown, lights={str(psychic): str(light) for psychic, light in cue.lights.items()})
        case ShowTable():
            over = cue.room.outcome is not None
            return replace(shown, night=cue.room, chronicle=shown.chronicle or over)
    return shown


def _numbered(lines: tuple[Numbered, ...], text: str, most: int) -> tuple[Numbered, ...]:
    n = lines[-1].n + 1 if lines else 1
    return (*lines, Numbered(n, text))[-most:]
