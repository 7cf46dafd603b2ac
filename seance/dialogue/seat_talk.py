"""The question who has a seat, or whether to free the ghost's, which may be open beside any other question."""

from dataclasses import replace

from seance.dialogue import replies as r
from seance.dialogue import seat_replies as sr
from seance.dialogue.conversation_state import Conversation, Defaults, DialogueContext, DialogueStep, SeatQuestion
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.pending import MAX_TIMES_ASKED
from seance.dialogue.replies import AskBack
from seance.permissions import Action, Permission, intent_action
from seance.rules import Psychic


def ask(conversation: Conversation, psychic: Psychic | None = None) -> DialogueStep:
    """Return what follows when a page asks for the seat of *psychic*, or the ghost's: the room is asked.

    A house that is asleep refuses.
    """
    sitting = SeatQuestion(psychic=psychic)
    if conversation.asleep:
        return conversation, (_refusal(sitting, answered=False),)
    return replace(conversation, sitting=sitting), (_question(sitting),)


def free(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    """Return what follows when somebody wants the seat to be free: where that is not allowed, it is asked back."""
    if context.permission is Permission.ALLOWED:
        return drop_question(conversation), (sr.SeatFreed(),)
    if conversation.sitting is not None:
        return conversation, (_not_from_a_page(context),)
    sitting = SeatQuestion(freeing=True)
    return replace(conversation, sitting=sitting), (_question(sitting),)


def is_answered_by(conversation: Conversation, intent: Intent) -> bool:
    """Return whether *intent* answers the question about the seat, which must be the last that was asked."""
    sitting = conversation.sitting
    return sitting is not None and sitting.foremost and intent.name in ("yes", "no")


def intended_action(conversation: Conversation, intent: Intent) -> Action:
    """Return the action that *intent* wishes, which may be an answer to the question about the seat."""
    return Action.CONFIRM_SEAT if is_answered_by(conversation, intent) else intent_action(intent.name)


def respond(conversation: Conversation, intent: Intent, context: DialogueContext) -> DialogueStep:
    """Return what follows when the question is answered with yes or no."""
    if intent.name == "no":
        return _close(conversation, _refusal(conversation.sitting))
    if context.permission is not Permission.ALLOWED:
        return conversation, (_not_from_a_page(context),)
    return confirm(conversation) if context.sure else ask_again(conversation)


def confirm(conversation: Conversation) -> DialogueStep:
    """Return what follows when the question is answered with yes by whoever may."""
    sitting = conversation.sitting or SeatQuestion()
    if sitting.psychic is not None:
        return _close(conversation, sr.PsychicSeated((sitting.psychic,)))
    return _close(conversation, sr.SeatFreed() if sitting.freeing else sr.SeatTaken())


def order_questions(before: Conversation, step: DialogueStep) -> DialogueStep:
    """Return *step* with the seat's question put behind one that was just asked, and asked again after that one."""
    conversation, answers = step
    sitting, pending = conversation.sitting, conversation.pending
    if sitting is None:
        return step
    if pending is not None and pending != before.pending:
        return replace(conversation, sitting=replace(sitting, foremost=False)), answers
    if pending is None and not sitting.foremost:
        return replace(conversation, sitting=replace(sitting, foremost=True)), (*answers, _question(sitting))
    return step


def respond_to_silence(conversation: Conversation, seconds: float, defaults: Defaults) -> DialogueStep:
    """Return what follows after *seconds* more of silence: the question is asked again, and then dropped."""
    sitting = conversation.sitting
    if sitting is None:
        return conversation, ()
    sitting = replace(sitting, waited=sitting.waited + seconds)
    conversation = replace(conversation, sitting=sitting)
    return ask_again(conversation) if sitting.waited >= defaults.answer_within else (conversation, ())


def ask_again(conversation: Conversation) -> DialogueStep:
    """Return the conversation with the question asked once more, or closed after MAX_TIMES_ASKED."""
    sitting = conversation.sitting
    if sitting is None or sitting.times >= MAX_TIMES_ASKED or conversation.asleep:
        return _close(conversation, _refusal(sitting, answered=False))
    asked = replace(sitting, times=sitting.times + 1, waited=0.0)
    return replace(conversation, sitting=asked), (replace(_question(asked), again=True),)


def repeat_question(conversation: Conversation) -> DialogueStep:
    """Return the conversation with the open question put once more, as it must now be answered in another way."""
    sitting = conversation.sitting
    if sitting is None or not sitting.foremost:
        return conversation, ()
    return replace(conversation, sitting=replace(sitting, waited=0.0)), (_question(sitting),)


def drop_question(conversation: Conversation) -> Conversation:
    """Return the conversation without the question about the seat."""
    return replace(conversation, sitting=None)


def _question(sitting: SeatQuestion) -> AskBack:
    return AskBack(doubt=sitting.doubt, psychic=sitting.psychic)


def _refusal(sitting: SeatQuestion | None, *, answered: bool = True) -> r.Reply:
    """Return the reply that seats stay as they are."""
    if sitting is not None and sitting.psychic is not None:
        return sr.PsychicSeatRefused(answered)
    return sr.SeatKept() if sitting is not None and sitting.freeing else sr.SeatRefused(answered)


def _not_from_a_page(context: DialogueContext) -> r.Reply:
    return sr.DigitsNeeded() if context.defaults.pages_only else sr.SayAloud()


def _close(conversation: Conversation, reply: r.Reply) -> DialogueStep:
    """Return the conversation with the question closed, and with *reply* before the other open question, if any."""
    pending = conversation.pending
    return drop_question(conversation), (reply,) if pending is None else (reply, pending.reply)
