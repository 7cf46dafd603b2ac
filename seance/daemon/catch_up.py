"""Catch-up after a restart: stages the steps that were written to the journal but not told to the room."""

from collections.abc import Sequence
from dataclasses import replace

from seance.daemon.night_log import LoggedStep
from seance.dialogue.replies import FirstTurn
from seance.narration.cues import Cue, Say
from seance.narration.script import Memory
from seance.narration.staging import NarrationStyle, Opening, StagedCues, stage_events, stage_reply, with_table
from seance.rules import room_view


def stage_untold_steps(
    style: NarrationStyle, memory: Memory, steps: Sequence[LoggedStep], *, laying_out: bool
) -> StagedCues:
    """Return *steps* as cues, one after the other: no line is urgent, and the opening story is skipped.

    The first turn begins after the first step, unless the table is still *laying_out*.
    """
    style, cues = replace(style, opening=Opening.SKIPPED), list[Cue]()
    for step in steps:
        before = None if step.before is None else room_view(step.before)
        staged = stage_events(style, memory, step.events, before, room_view(step.after))
        step_cues = with_table(staged.cues, room_view(step.after))
        cues += (replace(cue, urgent=False) if isinstance(cue, Say) else cue for cue in step_cues)
        memory = staged.memory
        if step.before is None and not laying_out:
            staged = stage_reply(style, memory, FirstTurn(is_called=False), room_view(step.after))
            cues, memory = [*cues, *staged.cues], staged.memory
    return StagedCues(tuple(cues), memory)
