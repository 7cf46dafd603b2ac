"""Cues for the replies about who sits where around a microphone array."""

from seance.dialogue import seat_replies as sr
from seance.narration.cue_builder import CueBuilder
from seance.narration.cues import Earcon, Sound
from seance.narration.staged_replies import tell_reply


@tell_reply.register
def _tell_chair_changed(reply: sr.ChairChanged, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.UNDERSTOOD))
    cues.say("reply.chair_changed", psychic=reply.psychic)


@tell_reply.register
def _tell_ghost_heard(_reply: sr.GhostHeard, cues: CueBuilder) -> None:
    cues.say("reply.ghost_heard")
