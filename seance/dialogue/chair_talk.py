"""The question whether a guest has changed seats, which is asked once."""

from dataclasses import replace

from seance.dialogue import pending as p
from seance.dialogue import replies as r
from seance.dialogue import seat_replies as sr
from seance.dialogue.conversation_state import ChangeChair, Conversation, DialogueContext, DialogueStep
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.questions import Doubt
from seance.rules import Psychic

_CHANGE = "change_chair"
"""No sentence means this intent."""


def may_ask(conversation: Conversation) -> bool:
    """Return whether the room can be asked now, without another question being dropped or a story interrupted."""
    is_asked = conversation.pending is not None or conversation.sitting is not None
    is_busy = conversation.setting_up or conversation.laying_out or conversation.paused or conversation.asleep
    return not is_asked and not is_busy


def ask(conversation: Conversation, psychic: Psychic, direction_deg: float) -> DialogueStep:
    """Return the conversation with the question whether *psychic* sits in that direction now."""
    meant = Intent(_CHANGE, {"psychic": psychic.value, "direction_deg": round(direction_deg)})
    conversation, asked = p.ask(conversation, r.AskBack(doubt=Doubt.CHAIR, psychic=psychic), intent=meant)
    pending = conversation.pending
    # So that it is not asked again.
    return replace(conversation, pending=pending and replace(pending, times=p.MAX_TIMES_ASKED)), asked


def respond(conversation: Conversation, intent: Intent, context: DialogueContext) -> DialogueStep | None:
    """Return what follows from a yes or no to that question; None where something else is said."""
    pending = conversation.pending
    if pending is None or pending.intent is None or pending.intent.name != _CHANGE or intent.name not in ("yes", "no"):
        return None
    conversation = replace(conversation, pending=None)
    if intent.name == "no" or not context.sure:
        return conversation, (r.Dropped(),)
    psychic = Psychic(str(pending.intent.slots["psychic"]))
    direction = pending.intent.slots["direction_deg"]
    assert isinstance(direction, int)  # noqa: S101 - `ask` has put it there
    return conversation, (ChangeChair(psychic, direction), sr.ChairChanged(psychic))
