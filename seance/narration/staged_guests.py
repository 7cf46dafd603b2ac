"""Cues for replies about what guests have drawn, whom they mean, and whether they stay."""

from seance.dialogue import guest_replies as r
from seance.narration.cue_builder import CueBuilder
from seance.narration.cues import Earcon, Sound
from seance.narration.staged_refusals import tell_refusal
from seance.narration.staged_replies import tell_reply


@tell_reply.register
def _tell_guest_left(reply: r.GuestLeft, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.UNDERSTOOD))
    if reply.heir is None:
        cues.say("reply.guest_left_alone", psychic=reply.psychic)
    else:
        cues.say("reply.guest_left", psychic=reply.psychic, other=reply.heir)


@tell_reply.register
def _tell_guest_back(reply: r.GuestBack, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.UNDERSTOOD))
    cues.say("reply.guest_back", psychic=reply.psychic)


@tell_reply.register
def _tell_story(reply: r.TellStory, cues: CueBuilder) -> None:
    cues.tell_of(reply.edition)
    script = cues.style.script
    cues.add(Earcon(Sound.UNDERSTOOD))
    if reply.psychic is not None:
        cues.say(f"portrait.{reply.psychic}", psychic=reply.psychic, name=script.inflection.names[reply.psychic])
        return
    names = [part.name for part in script.opening(reply.edition)]
    asked = [part for part in script.opening(reply.edition) if part.name.startswith(reply.part)]
    if asked and not cues.is_silent:
        cues.tell_parts(asked, idle=True)
    elif not asked:
        known = [key.removeprefix(_PART) for key in script.lines if key.startswith(_PART)]
        here = [key for key in known if any(name.startswith(key) for name in names)]
        cues.say("refusal.no_such_part", choices=tuple(script.first_phrase(_PART + key) for key in here))


_PART = "phrase.part."
"""How the keys of the sentences begin that ask for a part of the story; the rest is the beginning of its name."""


@tell_reply.register
def _tell_not_a_suspect(reply: r.NotASuspect, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.REFUSED))
    cues.say("refusal.not_among_suspects", card=reply.card)


@tell_reply.register
def _tell_wrong_row(reply: r.WrongRow, cues: CueBuilder) -> None:
    tell_refusal(reply.refusal, cues)
