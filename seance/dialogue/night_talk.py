"""The talk while a night is under way: who is "I", what is asked first, what is undone; the rules decide the rest."""

from dataclasses import replace

from seance.dialogue import house_talk, setup_talk
from seance.dialogue import pending as p
from seance.dialogue import replies as r
from seance.dialogue.answers import playing
from seance.dialogue.card_places import by_number
from seance.dialogue.conversation_state import Conversation, Moment, Step
from seance.dialogue.grammar.sentences import Intent, Slot
from seance.dialogue.intent_commands import WHO, Lacks, Meant, meaning
from seance.dialogue.replies import Ask, AskBack, Doubt
from seance.rules import Psychic, RoomView, TakeBack


def said(conversation: Conversation, intent: Intent, at: Moment, room: RoomView) -> Step:
    """Return what follows from *intent* in the night that *room* shows."""
    match intent.name:
        case "yes" | "no" | "answer":
            return answered(conversation, intent, at, room)
        case "take_back":
            return _taken_back(conversation, at)
        case "setup":
            # The story is being told, and nobody wants to hear it.
            return conversation, (r.Hush() if intent.slots.get("story") is False else r.NotNeeded(),)
        case "call_time" if conversation.laying_out:
            return house_talk.still_laying_out(conversation, room)
    return _asked_of_the_rules(replace(conversation, tries=0), intent, at, room)


def _taken_back(conversation: Conversation, at: Moment) -> Step:
    """Undo the last thing said: a question that it led to, or what somebody did."""
    if conversation.pending is not None:
        return replace(conversation, pending=None), (r.Dropped(),)
    if not conversation.done:
        return conversation, (r.NothingToUndo(),)
    if not at.sure:
        return p.asked(conversation, AskBack(doubt=Doubt.MISHEARD, said=at.text), intent=Intent("take_back"))
    return replace(conversation, said=None), (TakeBack(psychic=conversation.done[-1].psychic),)


def answered(conversation: Conversation, intent: Intent, at: Moment, room: RoomView) -> Step:
    """Return what follows from a yes, a no or a bare word."""
    pending = conversation.pending
    if pending is None:
        return conversation, (r.NotNeeded(),)
    if intent.name == "answer":
        meant = p.filled(pending, intent)
        if meant is None:
            return p.asked_again(conversation)
        # What was hardly heard before the question is not heard any better after it.
        at = at if pending.sure else replace(at, sure=False, text=pending.text)
        return _asked_of_the_rules(conversation, meant, at, room)
    if intent.name == "no":
        return replace(conversation, pending=None), (r.Dropped(),)
    if pending.ask_back is None or pending.intent is None or not at.sure:
        return p.asked_again(conversation)
    if pending.intent.name == "take_back":
        return _taken_back(replace(conversation, pending=None), at)
    return _asked_of_the_rules(conversation, pending.intent, at, room, confirmed=pending.ask_back)


def _asked_of_the_rules(
    conversation: Conversation, intent: Intent, at: Moment, room: RoomView, confirmed: AskBack | None = None
) -> Step:
    """Return the commands that *intent* means, or what must be asked before."""
    intent = by_number(_with_speaker(conversation, intent, at, room), room)
    meant = meaning(intent, room, at.customs)
    match meant:
        case None:
            return conversation, (r.NotNeeded(),)
        case Lacks():
            asks = Ask(question=meant.question, psychic=meant.psychic, choices=meant.choices)
            conversation, asked = p.asked(conversation, asks, intent=intent, slot=meant.slot, at=at)
            return conversation, asked if meant.because is None else (meant.because, *asked)
        case Meant():
            doubt = meant.doubt or (None if at.sure else _misheard(intent, at))
            if doubt is not None and (confirmed is None or doubt != replace(confirmed, again=False)):
                return p.asked(conversation, doubt, intent=intent)
            conversation = replace(conversation, pending=None, asked=None, said=intent)
            if intent.name != "begin":
                return conversation, meant.commands
            conversation, questions = setup_talk.opened(conversation, intent.slots, at)
            return conversation, meant.commands + questions
    return replace(conversation, pending=None), (meant,)


def _with_speaker(conversation: Conversation, intent: Intent, at: Moment, room: RoomView) -> Intent:
    """Return *intent* with who "I" is: the psychic just asked, else the one whose voice it was, else nobody."""
    slot = WHO.get(intent.name)
    if slot is None or slot in intent.slots:
        return intent
    asks = conversation.pending and conversation.pending.ask
    who = (asks and asks.psychic) or conversation.asked or at.speaker
    if who is None or who not in playing(room):
        return intent
    return Intent(intent.name, {**intent.slots, slot: who.value})


def _misheard(intent: Intent, at: Moment) -> AskBack:
    """Return the question whether that was said."""

    def number(slot: Slot | None) -> int | None:
        return slot if isinstance(slot, int) else None

    slots = intent.slots
    who = slots.get("psychic") or slots.get("by")
    return AskBack(
        doubt=Doubt.MISHEARD,
        psychic=Psychic(str(who)) if who else None,
        card=number(slots.get("card")),
        group=number(slots.get("group")),
        said=at.text,
    )
