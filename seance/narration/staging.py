"""Staging: events, refusals and replies become cues, from room views and the events that the room may hear alone."""

from collections.abc import Iterable
from typing import NamedTuple

from seance.dialogue.opening import Opening
from seance.dialogue.replies import Reply
from seance.narration import (
    staged_chairs,
    staged_guests,
    staged_layout,
    staged_questions,
    staged_search,
    staged_verdict,
)
from seance.narration.cue_builder import CueBuilder, NarrationStyle, Pace, psychic_lights
from seance.narration.cues import Cue, Knock, KnockMeaning, Say, ShowTable
from seance.narration.event_cues import EventCueBuilder
from seance.narration.script import Memory
from seance.narration.staged_refusals import tell_refusal
from seance.narration.staged_replies import tell_reply
from seance.rules import Event, Phase, Refusal, RoomView, Seat, heard

__all__ = [
    "Memory",
    "NarrationStyle",
    "Opening",
    "Pace",
    "StagedCues",
    "stage_events",
    "stage_refusal",
    "stage_reply",
    "stage_wait",
    "with_table",
]

TELLERS = (staged_chairs, staged_guests, staged_layout, staged_questions, staged_search, staged_verdict)
"""Imported for what they register with `tell_reply` and `tell_event`."""

GHOST_IS_BUSY = frozenset([Phase.VISIONS, Phase.MANIFESTATION, Phase.LINEUP, Phase.SHARED_VISION])
"""Phases in which the room waits for the ghost, so that a tale may fill the silence."""


class StagedCues(NamedTuple):
    """Cues in the order in which the room perceives them, and the memory after them."""

    cues: tuple[Cue, ...]
    memory: Memory


def stage_events(
    style: NarrationStyle, memory: Memory, events: Iterable[Event], before: RoomView | None, room: RoomView
) -> StagedCues:
    """Return what the room perceives of the *events* of one command, as far as it may hear them."""
    before = before if before and before.phase is not Phase.OVER else None
    builder = EventCueBuilder(style, memory, heard(events, Seat.ROOM), before, room)
    builder.tell_all()
    builder.show_lights(psychic_lights(room))
    return StagedCues(tuple(builder.cues), builder.memory)


def with_table(cues: tuple[Cue, ...], room: RoomView) -> tuple[Cue, ...]:
    """Return *cues* with the table as it lies after them, placed so that no page shows anything before it is told.

    An answer follows its knock, a ballot its line, and the outcome of a night everything that is said of it.
    """
    revealing = [at for at, cue in enumerate(cues, start=1) if _reveals(cue)]
    at = len(cues) if room.outcome is not None else revealing[-1] if revealing else 0
    return (*cues[:at], ShowTable(room), *cues[at:])


def _reveals(cue: Cue) -> bool:
    """Tell whether *cue* tells something that nobody in the room could know before."""
    if isinstance(cue, Knock):
        return cue.says in (KnockMeaning.YES, KnockMeaning.NO)
    return isinstance(cue, Say) and cue.key == "event.ballot_read"


def stage_refusal(style: NarrationStyle, memory: Memory, refusal: Refusal, room: RoomView | None) -> StagedCues:
    """Return what the room perceives of *refusal*."""
    builder = CueBuilder(style, memory, room, before=room)
    tell_refusal(refusal, builder)
    return StagedCues(tuple(builder.cues), builder.memory)


def stage_reply(style: NarrationStyle, memory: Memory, reply: Reply, room: RoomView | None) -> StagedCues:
    """Return what the room perceives of *reply*."""
    builder = CueBuilder(style, memory, room)
    tell_reply(reply, builder)
    return StagedCues(tuple(builder.cues), builder.memory)


def stage_wait(style: NarrationStyle, memory: Memory, room: RoomView) -> StagedCues:
    """Return a portrait or the next interlude at full pace while the ghost is busy, else no cue; each is told once."""
    if style.pace is not Pace.FULL or room.phase not in GHOST_IS_BUSY:
        return StagedCues((), memory)
    script = style.script
    if room.hour == 1 and style.opening is not Opening.SKIPPED:
        for psychic in (each.colour for each in room.psychics):
            key = script.key(f"portrait.{psychic}", room.edition)
            if not memory.times(key):
                name = script.inflection.names[psychic]
                text, memory = script.say(key, memory, room.edition, psychic=psychic, name=name)
                return StagedCues((Say(text, key, idle=True),), memory)
    piece, memory = script.next_of("waiting", memory, room.edition)
    if piece is not None:
        return StagedCues((Say(piece, "tales.waiting", idle=True),), memory)
    if memory.times("waiting.after") >= len(script.lines["waiting.after"]):
        return StagedCues((), memory)
    text, memory = script.say("waiting.after", memory, room.edition)
    return StagedCues((Say(text, "waiting.after", idle=True),), memory)
