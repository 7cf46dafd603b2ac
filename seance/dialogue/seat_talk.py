"""Who sits in the ghost's seat: the room is asked, beside whatever else it is being asked; only its word counts."""

from dataclasses import replace

from seance.dialogue import replies as r
from seance.dialogue.conversation_state import Conversation, Customs, Moment, Sitting, Step
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.pending import MOST_TIMES
from seance.dialogue.replies import AskBack, Doubt

_QUESTION = AskBack(doubt=Doubt.SEAT)


def asked(conversation: Conversation) -> Step:
    """Return what follows when a page wants to be the ghost's: the room is asked, if it can hear that."""
    if conversation.asleep:
        return conversation, (r.SeatRefused(answered=False),)
    return replace(conversation, sitting=Sitting()), (_QUESTION,)


def is_answered_by(conversation: Conversation, intent: Intent) -> bool:
    """Tell whether *intent* answers the question who sits there; the question that came last is answered first."""
    sitting = conversation.sitting
    return sitting is not None and sitting.foremost and intent.name in ("yes", "no")


def answered(conversation: Conversation, intent: Intent, at: Moment) -> Step:
    """Return what follows from yes or no."""
    if intent.name == "no":
        return _over(conversation, r.SeatRefused())
    if at.far and not at.customs.pages_only:
        return conversation, (r.SayAloud(),)
    return _over(conversation, r.SeatTaken()) if at.sure else _again(conversation)


def beside(before: Conversation, step: Step) -> Step:
    """Return *step* with the question who sits there behind one that has just been asked, and asked again after it."""
    conversation, answers = step
    sitting, pending = conversation.sitting, conversation.pending
    if sitting is None:
        return step
    if pending is not None and pending != before.pending:
        return replace(conversation, sitting=replace(sitting, foremost=False)), answers
    if pending is None and not sitting.foremost:
        return replace(conversation, sitting=replace(sitting, foremost=True)), (*answers, _QUESTION)
    return step


def waited(conversation: Conversation, seconds: float, customs: Customs) -> Step:
    """Return what follows when *seconds* more have passed in silence: it is asked again, and then left."""
    sitting = conversation.sitting
    if sitting is None:
        return conversation, ()
    sitting = replace(sitting, waited=sitting.waited + seconds)
    conversation = replace(conversation, sitting=sitting)
    return _again(conversation) if sitting.waited >= customs.answer_within else (conversation, ())


def freed(conversation: Conversation) -> Conversation:
    """Return the conversation without the question."""
    return replace(conversation, sitting=None)


def _again(conversation: Conversation) -> Step:
    sitting = conversation.sitting
    if sitting is None or sitting.times >= MOST_TIMES or conversation.asleep:
        return _over(conversation, r.SeatRefused(answered=False))
    asked = replace(sitting, times=sitting.times + 1, waited=0.0)
    return replace(conversation, sitting=asked), (replace(_QUESTION, again=True),)


def _over(conversation: Conversation, reply: r.Reply) -> Step:
    """Return what follows when it is decided: what was asked before is asked again."""
    pending = conversation.pending
    return freed(conversation), (reply,) if pending is None else (reply, pending.reply)
