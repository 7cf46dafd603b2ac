"""What the room may know becomes cues; no secret has a way in: only room views and what the room may hear."""

from collections.abc import Iterable
from typing import NamedTuple

from seance.dialogue.replies import Reply
from seance.narration import staged_questions, staged_search, staged_verdict
from seance.narration.act import Act
from seance.narration.cues import Cue, Knock, Knocks, Say, ShowTable
from seance.narration.scene import Opening, Pace, Scene, Stage, lights
from seance.narration.script import Memory
from seance.narration.staged_refusals import tell_refusal
from seance.narration.staged_replies import tell_reply
from seance.rules import Event, Phase, Refusal, RoomView, Seat, heard

__all__ = [
    "Memory",
    "Opening",
    "Pace",
    "Stage",
    "Staged",
    "stage_events",
    "stage_refusal",
    "stage_reply",
    "stage_wait",
    "with_table",
]

TELLERS = (staged_questions, staged_search, staged_verdict)
"""The modules that say how replies and events are told; to import them is to register them."""

WAITING = frozenset([Phase.VISIONS, Phase.MANIFESTATION, Phase.LINEUP, Phase.SHARED_VISION])
"""When the ghost is busy, and silence may be filled."""


class Staged(NamedTuple):
    """Cues, in the order in which the room perceives them, and what to remember for the next."""

    cues: tuple[Cue, ...]
    memory: Memory


def stage_events(
    stage: Stage, memory: Memory, events: Iterable[Event], before: RoomView | None, room: RoomView
) -> Staged:
    """Return what the room perceives of the *events* that one command led to; what it may not hear is left out."""
    before = before if before and before.phase is not Phase.OVER else None
    act = Act(stage, memory, heard(events, Seat.ROOM), before, room)
    act.tell_all()
    act.light(lights(room))
    return Staged(tuple(act.cues), act.memory)


def with_table(cues: tuple[Cue, ...], room: RoomView) -> tuple[Cue, ...]:
    """Return *cues* with the table as it lies after them: a page shows an answer when it is knocked, and not before."""
    answers = [at for at, cue in enumerate(cues) if isinstance(cue, Knock) and cue.says in (Knocks.YES, Knocks.NO)]
    at = answers[-1] + 1 if answers else 0
    return (*cues[:at], ShowTable(room), *cues[at:])


def stage_refusal(stage: Stage, memory: Memory, refusal: Refusal, room: RoomView | None) -> Staged:
    """Return what the room perceives when the rules refuse what it asked."""
    scene = Scene(stage, memory, room, before=room)
    tell_refusal(refusal, scene)
    return Staged(tuple(scene.cues), scene.memory)


def stage_reply(stage: Stage, memory: Memory, reply: Reply, room: RoomView | None) -> Staged:
    """Return what the room perceives of a reply."""
    scene = Scene(stage, memory, room)
    tell_reply(reply, scene)
    return Staged(tuple(scene.cues), scene.memory)


def stage_wait(stage: Stage, memory: Memory, room: RoomView) -> Staged:
    """Return the next piece of the story, to fill the silence while the ghost is busy; often nothing."""
    if stage.pace is not Pace.FULL or room.phase not in WAITING:
        return Staged((), memory)
    text, after = stage.script.next_of("waiting", memory, room.edition)
    if text is not None:
        return Staged((Say(text, "tales.waiting", idle=True),), after)
    text, after = stage.script.say("waiting.after", memory, room.edition)
    return Staged((Say(text, "waiting.after", idle=True),), after)
