"""The talk while a night is under way: who "I" is, what is asked back first, what is undone."""

from dataclasses import replace

from seance.dialogue import house_talk, setup_talk
from seance.dialogue import pending as p
from seance.dialogue import replies as r
from seance.dialogue.ballots import psychics_playing
from seance.dialogue.card_places import resolve_place
from seance.dialogue.conversation_state import (
    Conversation,
    Defaults,
    DialogueContext,
    DialogueStep,
    PendingQuestion,
)
from seance.dialogue.corrections import corrected_intent
from seance.dialogue.grammar.sentences import Intent, Slot
from seance.dialogue.intent_commands import SPEAKER_SLOTS, CommandPlan, MissingSlot, resolve_intent
from seance.dialogue.opening import Opening
from seance.dialogue.questions import Doubt
from seance.dialogue.replies import Ask, AskBack
from seance.dialogue.sand_mode import SandMode
from seance.rules import Abandon, Category, Phase, Psychic, RoomView, TakeBack


def respond(conversation: Conversation, intent: Intent, context: DialogueContext, room: RoomView) -> DialogueStep:
    """Return what follows from *intent* in the night that *room* shows."""
    if conversation.laying_out and _is_about_layout(intent, conversation):
        return house_talk.respond_to_ready(conversation, context, ready=intent.name != "no")
    match intent.name:
        case "yes" | "no" | "answer":
            return respond_to_answer(conversation, intent, context, room)
        case "take_back":
            return _take_back(conversation, context)
        case "correct_choice":
            corrected = corrected_intent(conversation, intent, context.speaker, room)
            if corrected is None:
                return conversation, (r.NotUnderstood(),)
            intent = corrected
        case "setup":
            # Somebody who says "without the story" while it is being told does not want to hear it.
            skips = intent.slots.get("story") == Opening.SKIPPED
            return conversation, (r.SkipStory() if skips else r.NotNeeded(),)
        case "turn_sand" if may_start_sand(room, context):
            return conversation, (r.SandStarted(context.defaults.edition_of(room).sand_seconds or 0),)
        case "ask_hands":
            return conversation, (r.HandsAnswer(str(intent.slots["topic"])),)
        case "ask_row":
            return conversation, (house_talk.row_reply(room, Category(str(intent.slots["kind"]))),)
        case "guest_leaves" | "guest_returns":
            return conversation, (_guest_reply(intent, room, context),)
    return _command_or_ask(replace(conversation, tries=0), intent, context, room)


def reopen_question(step: DialogueStep, context: DialogueContext) -> DialogueStep:
    """Return *step* with the latest question that was set aside asked again, if no other is open now."""
    conversation, actions = step
    room = context.night
    if room is None or any(isinstance(action, Abandon) for action in actions):
        return step
    while conversation.pending is None and conversation.set_aside:
        *earlier, last = conversation.set_aside
        conversation = replace(conversation, set_aside=tuple(earlier))
        if _is_still_open(last, room, context.defaults):
            conversation, asked = p.ask_anew(conversation, last)
            return conversation, (*actions, *asked)
    return conversation, actions


def _is_still_open(question: PendingQuestion, room: RoomView, defaults: Defaults) -> bool:
    """Return whether what led to *question* would be asked back or completed now, too."""
    meant = None if question.intent is None else resolve_intent(question.intent, room, defaults)
    is_misheard = question.ask_back is not None and question.ask_back.doubt is Doubt.MISHEARD
    return isinstance(meant, MissingSlot) or (isinstance(meant, CommandPlan) and (is_misheard or bool(meant.doubt)))


def may_start_sand(room: RoomView, context: DialogueContext) -> bool:
    """Return whether the sand runs only on request and may be asked for now."""
    defaults = context.defaults
    is_timed = defaults.sand is SandMode.ON_REQUEST and defaults.edition_of(room).sand_seconds is not None
    return is_timed and room.phase is Phase.INTERPRETATION and context.sand is None


def _is_about_layout(intent: Intent, conversation: Conversation) -> bool:
    """Return whether *intent* says that the table is laid, or that it is not, while it is being laid."""
    if intent.name in ("yes", "no"):
        return conversation.pending is None
    return intent.name in ("ready", "call_time") or (intent.name == "begin" and not intent.slots)


def _guest_reply(intent: Intent, room: RoomView, context: DialogueContext) -> r.Reply:
    """Return how the others go on when whoever plays a psychic leaves or comes (the rules do not change)."""
    psychic, playing = Psychic(str(intent.slots["psychic"])), psychics_playing(room)
    if psychic not in playing:
        return r.NotNeeded()
    if intent.name == "guest_returns":
        return r.GuestBack(psychic)
    edition, seat = context.defaults.edition_of(room), playing.index(psychic)
    after = (*range(seat + 1, len(playing)), *range(seat))
    player = edition.player_of(seat, room.players)
    heirs = (playing[at] for at in after if edition.player_of(at, room.players) != player)
    return r.GuestLeft(psychic, next(heirs, None))


def _is_confirmed(doubt: AskBack, confirmed: AskBack | None) -> bool:
    """Return whether *confirmed* asked about *doubt*; earlier versions stored an accusation without a card."""
    if confirmed is None:
        return False
    if doubt.doubt is Doubt.ACCUSE:
        doubt, confirmed = replace(doubt, card=None), replace(confirmed, card=None)
    return doubt == replace(confirmed, again=False)


def _take_back(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    """Undo the last thing said: drop the question that it led to, or take back what a psychic did."""
    if conversation.pending is not None:
        return replace(conversation, pending=None), (r.Dropped(),)
    if not conversation.done:
        return conversation, (r.NothingToUndo(),)
    if not context.sure:
        return p.ask(conversation, AskBack(doubt=Doubt.MISHEARD, said=context.text), intent=Intent("take_back"))
    return replace(conversation, said=None), (TakeBack(psychic=conversation.done[-1].psychic),)


def respond_to_answer(
    conversation: Conversation, intent: Intent, context: DialogueContext, room: RoomView
) -> DialogueStep:
    """Return what follows from a yes, a no or a bare word."""
    pending = conversation.pending
    if pending is None:
        return conversation, (r.NotNeeded(),)
    if intent.name == "answer":
        meant = p.fill_slot(pending, intent)
        if meant is None:
            return p.ask_again(conversation)
        # Words that were uncertain before the question are as uncertain after it.
        context = context if pending.sure else replace(context, sure=False, text=pending.text)
        return _command_or_ask(p.take_answer(conversation), meant, context, room)
    if intent.name == "no":
        return replace(conversation, pending=None), (r.Dropped(),)
    if pending.ask_back is None or pending.intent is None or not context.sure:
        return p.ask_again(conversation)
    if pending.intent.name == "ready":
        return house_talk.begin_first_turn(conversation)
    if pending.intent.name == "take_back":
        return _take_back(replace(conversation, pending=None), context)
    return _command_or_ask(p.take_answer(conversation), pending.intent, context, room, confirmed=pending.ask_back)


def _command_or_ask(
    conversation: Conversation,
    intent: Intent,
    context: DialogueContext,
    room: RoomView,
    confirmed: AskBack | None = None,
) -> DialogueStep:
    """Return the commands that *intent* resolves to, or the question that must be answered first."""
    intent = resolve_place(_with_speaker(conversation, intent, context, room), room)
    meant = resolve_intent(intent, room, context.defaults)
    match meant:
        case None:
            return conversation, (r.NotNeeded(),)
        case MissingSlot():
            asks = Ask(question=meant.question, psychic=meant.psychic, choices=meant.choices)
            conversation, asked = p.ask(conversation, asks, intent=intent, slot=meant.slot, context=context)
            return conversation, asked if meant.because is None else (meant.because, *asked)
        case CommandPlan():
            doubt = meant.doubt or (None if context.sure else _ask_if_misheard(intent, context))
            if doubt is not None and not _is_confirmed(doubt, confirmed):
                return p.ask(conversation, doubt, intent=intent)
            conversation = replace(p.close(conversation, intent), asked=None, said=intent)
            if intent.name != "begin":
                return conversation, meant.commands
            conversation, questions = setup_talk.open_setup(conversation, intent.slots, context)
            return conversation, meant.commands + questions
    return p.close(conversation, intent), (meant,)


def _with_speaker(conversation: Conversation, intent: Intent, context: DialogueContext, room: RoomView) -> Intent:
    """Return *intent* with "I" filled in: the psychic who was just asked, or else whose voice it was."""
    slot = SPEAKER_SLOTS.get(intent.name)
    if slot is None or slot in intent.slots:
        return intent
    asks = conversation.pending and conversation.pending.ask
    who = (asks and asks.psychic) or conversation.asked or context.speaker
    if who is None or who not in psychics_playing(room):
        return intent
    return Intent(intent.name, {**intent.slots, slot: who.value})


def _ask_if_misheard(intent: Intent, context: DialogueContext) -> AskBack:
    """Return the question whether *intent* is what was said."""

    def number(slot: Slot | None) -> int | None:
        return slot if isinstance(slot, int) else None

    slots = intent.slots
    who = slots.get("psychic") or slots.get("by")
    return AskBack(
        doubt=Doubt.MISHEARD,
        psychic=Psychic(str(who)) if who else None,
        card=number(slots.get("card")),
        group=number(slots.get("group")),
        said=context.text,
    )
