"""What was written down and never told to its end, told after all; nothing happens by it."""

from collections.abc import Iterable
from dataclasses import replace

from seance.daemon.night_log import Step
from seance.narration.cues import Cue, Say
from seance.narration.script import Memory
from seance.narration.staging import NarrationStyle, Opening, StagedCues, stage_events, with_table
from seance.rules import room_view


def told_at_last(stage: NarrationStyle, memory: Memory, steps: Iterable[Step]) -> StagedCues:
    """Return *steps* as they are told, one after the other: no line gives way to a later one, no story begins anew."""
    stage, cues = replace(stage, opening=Opening.SKIPPED), list[Cue]()
    for step in steps:
        before = None if step.before is None else room_view(step.before)
        staged = stage_events(stage, memory, step.events, before, room_view(step.after))
        told = with_table(staged.cues, room_view(step.after))
        cues += (replace(cue, urgent=False) if isinstance(cue, Say) else cue for cue in told)
        memory = staged.memory
    return StagedCues(tuple(cues), memory)
