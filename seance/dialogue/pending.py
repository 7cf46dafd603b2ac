"""Asking a question, asking it again, and filling its answer in."""

from dataclasses import replace

from seance.dialogue.conversation_state import Conversation, DialogueContext, DialogueStep, PendingQuestion
from seance.dialogue.grammar.sentences import Intent, Slot
from seance.dialogue.questions import Question
from seance.dialogue.replies import Ask, AskBack, LeftAlone, Summary

MAX_TIMES_ASKED = 2
"""After this many times a question is dropped."""

_ALWAYS_ANSWERED = frozenset({"vote", "name_eldest"})
"""Intents whose open question no other sentence closes: only an answer to it, or silence, does."""

_ANSWER_SLOTS = {
    Question.WHO_SPEAKS: "psychic",
    Question.ON_WHOM: "psychic",
    Question.WHO_IS_ELDEST: "psychic",
    Question.WHICH_CARD: "number",
    Question.WHICH_GROUP: "number",
}
"""The slot of the intent `answer` that answers each question of a night."""


def ask(
    conversation: Conversation,
    reply: Ask | AskBack | Summary,
    *,
    intent: Intent | None = None,
    slot: str = "",
    context: DialogueContext | None = None,
) -> DialogueStep:
    """Return the conversation with *reply* as its open question, asked again if it is open already."""
    before = conversation.pending
    if intent is not None:
        conversation = _forget_matter(conversation, intent)
    if before is not None and before.intent == intent and replace(before.reply, again=False) == reply:
        sure = before.sure or context is None or context.sure
        return ask_again(replace(conversation, pending=replace(before, sure=sure)))
    pending = PendingQuestion(
        ask=reply if isinstance(reply, Ask) else None,
        ask_back=reply if isinstance(reply, AskBack) else None,
        summary=reply if isinstance(reply, Summary) else None,
        intent=intent,
        slot=slot,
        times=1 + reply.again,
        sure=context is None or context.sure,
        text="" if context is None else context.text,
    )
    if before is not None and _outlasts(before, intent):
        conversation = replace(conversation, set_aside=(*conversation.set_aside, before))
    return replace(conversation, pending=pending), (reply,)


def close(conversation: Conversation, intent: Intent) -> Conversation:
    """Return the conversation after *intent*, which closes the open question unless only an answer may do so."""
    pending = conversation.pending
    kept = pending if pending is not None and _outlasts(pending, intent) else None
    return replace(_forget_matter(conversation, intent), pending=kept)


def take_answer(conversation: Conversation) -> Conversation:
    """Return the conversation with an open question closed that only an answer closes."""
    return replace(conversation, pending=None) if _is_always_answered(conversation.pending) else conversation


def ask_again(conversation: Conversation, *, is_silent: bool = False) -> DialogueStep:
    """Return the conversation with its open question asked once more, or dropped after MAX_TIMES_ASKED.

    A question that only an answer closes is dropped only when the room *is_silent*.
    """
    pending = conversation.pending
    may_drop = is_silent or not _is_always_answered(pending)
    if pending is None or (pending.times >= MAX_TIMES_ASKED and may_drop):
        return replace(conversation, pending=None), (LeftAlone(),)
    again = replace(
        pending,
        ask=pending.ask and replace(pending.ask, again=True),
        ask_back=pending.ask_back and replace(pending.ask_back, again=True),
        summary=pending.summary and replace(pending.summary, again=True),
        times=pending.times + 1,
    )
    return replace(conversation, pending=again), (again.reply,)


def ask_anew(conversation: Conversation, pending: PendingQuestion) -> DialogueStep:
    """Return the conversation with *pending* as its open question, asked as if for the first time."""
    anew = replace(
        pending,
        ask=pending.ask and replace(pending.ask, again=False),
        ask_back=pending.ask_back and replace(pending.ask_back, again=False),
        times=1,
    )
    return replace(conversation, pending=anew), (anew.reply,)


def fill_slot(pending: PendingQuestion, answer: Intent) -> Intent | None:
    """Return the intent of *pending* with its slot filled from *answer*; None if *answer* does not answer it."""
    if pending.intent is None:
        return None
    if pending.question is Question.WHICH_CARD and "place" in answer.slots:
        return Intent(pending.intent.name, {**pending.intent.slots, **answer.slots})
    value = _value(pending, answer)
    return None if value is None else Intent(pending.intent.name, {**pending.intent.slots, pending.slot: value})


def _is_always_answered(pending: PendingQuestion | None) -> bool:
    return pending is not None and pending.intent is not None and pending.intent.name in _ALWAYS_ANSWERED


def _outlasts(pending: PendingQuestion, intent: Intent | None) -> bool:
    """Return whether *pending* must still be answered after *intent*, which is about something else."""
    return _is_always_answered(pending) and not _is_same_matter(pending, intent)


def _is_same_matter(pending: PendingQuestion, intent: Intent | None) -> bool:
    """Return whether *intent* says anew what led to *pending*: the same psychic's vote, or who is the eldest."""
    if pending.intent is None or intent is None or pending.intent.name != intent.name:
        return False
    return pending.intent.slots.get("by") == intent.slots.get("by")


def _forget_matter(conversation: Conversation, intent: Intent) -> Conversation:
    """Return the conversation without the questions set aside that *intent* makes needless."""
    rest = tuple(each for each in conversation.set_aside if not _is_same_matter(each, intent))
    return replace(conversation, set_aside=rest)


def _value(pending: PendingQuestion, answer: Intent) -> Slot | None:
    if pending.ask is None:
        return None
    value = answer.slots.get(_ANSWER_SLOTS.get(pending.ask.question, ""))
    return value if not pending.ask.choices or value in pending.ask.choices else None
