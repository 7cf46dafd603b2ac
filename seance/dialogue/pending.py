"""A question that is open, and its answer; what the answer leads to is decided by whoever asked."""

from dataclasses import replace

from seance.dialogue.conversation_state import Conversation, Moment, Pending, Step
from seance.dialogue.grammar.sentences import Intent, Slot
from seance.dialogue.replies import Ask, AskBack, LeftAlone, Question, Summary

MOST_TIMES = 2
"""How often a thing is asked before it is left."""

_ANSWERED_BY = {
    Question.WHO_SPEAKS: "psychic",
    Question.ON_WHOM: "psychic",
    Question.WHO_IS_ELDEST: "psychic",
    Question.WHICH_CARD: "number",
    Question.WHICH_GROUP: "number",
}
"""The slot of a bare answer that answers a question of the night."""


def asked(
    conversation: Conversation,
    reply: Ask | AskBack | Summary,
    *,
    intent: Intent | None = None,
    slot: str = "",
    at: Moment | None = None,
) -> Step:
    """Return the conversation with *reply* open; what led to the question that is open already asks it again."""
    before = conversation.pending
    if before is not None and before.intent == intent and replace(before.reply, again=False) == reply:
        sure = before.sure or at is None or at.sure
        return asked_again(replace(conversation, pending=replace(before, sure=sure)))
    pending = Pending(
        ask=reply if isinstance(reply, Ask) else None,
        ask_back=reply if isinstance(reply, AskBack) else None,
        summary=reply if isinstance(reply, Summary) else None,
        intent=intent,
        slot=slot,
        times=1 + reply.again,
        sure=at is None or at.sure,
        text="" if at is None else at.text,
    )
    return replace(conversation, pending=pending), (reply,)


def asked_again(conversation: Conversation) -> Step:
    """Return the conversation with its open question asked once more, or left when that was done."""
    pending = conversation.pending
    if pending is None or pending.times >= MOST_TIMES:
        return replace(conversation, pending=None), (LeftAlone(),)
    again = replace(
        pending,
        ask=pending.ask and replace(pending.ask, again=True),
        ask_back=pending.ask_back and replace(pending.ask_back, again=True),
        summary=pending.summary and replace(pending.summary, again=True),
        times=pending.times + 1,
    )
    return replace(conversation, pending=again), (again.reply,)


def filled(pending: Pending, answer: Intent) -> Intent | None:
    """Return what was meant, with *answer* in the place that was asked for; None where it does not answer."""
    if pending.intent is None:
        return None
    if pending.question is Question.WHICH_CARD and "place" in answer.slots:
        return Intent(pending.intent.name, {**pending.intent.slots, **answer.slots})
    value = _value(pending, answer)
    return None if value is None else Intent(pending.intent.name, {**pending.intent.slots, pending.slot: value})


def _value(pending: Pending, answer: Intent) -> Slot | None:
    if pending.ask is None:
        return None
    value = answer.slots.get(_ANSWERED_BY.get(pending.ask.question, ""))
    return value if not pending.ask.choices or value in pending.ask.choices else None
