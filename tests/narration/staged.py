"""Commands as the room perceives them: cues, and what is said in them."""

from collections.abc import Iterable

from seance.narration.cues import (
    Cue,
    Say,
)
from seance.narration.staging import (
    Memory,
    NarrationStyle,
    stage_events,
)
from seance.rules import (
    Command,
    Manifest,
    State,
    apply,
    room_view,
)


def staged(
    style: NarrationStyle, state: State | None, command: Command, memory: Memory | None = None
) -> tuple[Cue, ...]:
    """Return the cues of *command*."""
    before = room_view(state) if state else None
    now, events = apply(state, command)
    return stage_events(style, memory or Memory(), events, before, room_view(now)).cues


def said(cues: Iterable[Cue]) -> list[str]:
    return [cue.text for cue in cues if isinstance(cue, Say)]


def keys(cues: Iterable[Cue]) -> list[str]:
    return [cue.key for cue in cues if isinstance(cue, Say)]


def turn(style: NarrationStyle, state: State) -> list[str]:
    """Return the keys of the lines when the ghost answers everybody."""
    told: list[str] = []
    for search in list(state.searching()):
        told += keys(staged(style, state, Manifest(psychic=search.psychic)))
        state, _ = apply(state, Manifest(psychic=search.psychic))
    return told
