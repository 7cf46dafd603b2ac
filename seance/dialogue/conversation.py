"""The conversation: how the house responds to an intent, to events, to a refusal and to silence."""

from collections.abc import Iterable
from dataclasses import replace

from seance.dialogue import chair_talk, draw_talk, house_talk, night_talk, seat_talk, setup_talk
from seance.dialogue import pending as p
from seance.dialogue import replies as r
from seance.dialogue.conversation_state import (
    DEFAULTS,
    Conversation,
    Defaults,
    DialogueAction,
    DialogueContext,
    DialogueStep,
    EnrolVoice,
    PendingQuestion,
)
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.intent_commands import SPEAKER_SLOTS
from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import Ask
from seance.dialogue.tried_cards import update_tried_cards
from seance.dialogue.undo import update_undo_steps
from seance.dialogue.what_next import what_next
from seance.permissions import Permission
from seance.rules import Event, Phase, Psychic, Refusal, RoomView, refusals
from seance.rules import events as e

__all__ = [
    "DEFAULTS",
    "Conversation",
    "Defaults",
    "DialogueAction",
    "EnrolVoice",
    "respond_to_intent",
    "respond_to_refusal",
    "respond_to_silence",
    "respond_to_unrecognised",
    "update_after_events",
]

_OUTLAST_A_PHASE = (Doubt.END, Doubt.BEGIN_ANEW, Doubt.BREAK_SILENCE)
_PSYCHICS_ACT = (Phase.INTERPRETATION, Phase.VOTE, Phase.ACCUSATION)


def respond_to_intent(
    conversation: Conversation,
    intent: Intent,
    room: RoomView | None,
    *,
    speaker: Psychic | None = None,
    sand: float | None = None,
    sure: bool = True,
    text: str = "",
    permission: Permission = Permission.ALLOWED,
    defaults: Defaults = DEFAULTS,
) -> DialogueStep:
    """Return the conversation after *intent*, and the commands, replies and enrolments that follow, in order."""
    if conversation.asleep and intent.name != "wake":
        return conversation, ()
    context = DialogueContext(
        room=room, defaults=defaults, speaker=speaker, sand=sand, sure=sure, text=text, permission=permission
    )
    conversation = replace(conversation, quiet=0.0, unheard=0)
    if seat_talk.is_answered_by(conversation, intent):
        return seat_talk.respond(conversation, intent, context)
    step = night_talk.reopen_question(_respond(conversation, intent, context), context)
    return seat_talk.order_questions(conversation, step)


def _respond(conversation: Conversation, intent: Intent, context: DialogueContext) -> DialogueStep:
    """Return what follows from *intent*, unless it answers the question about the ghost's seat."""
    if (step := house_talk.respond(conversation, intent, context)) is not None:
        return step
    if conversation.paused and not _ends_the_night(conversation, intent):
        return conversation, (r.Paused(already=True),)
    if (step := chair_talk.respond(conversation, intent, context)) is not None:
        return step
    if intent.name == "enrol":
        return _enrol(conversation, Psychic(str(intent.slots["psychic"])), context)
    if context.night is None or conversation.setting_up:
        return setup_talk.respond(conversation, intent, context)
    return night_talk.respond(conversation, intent, context, context.night)


def update_after_events(conversation: Conversation, events: Iterable[Event], room: RoomView) -> Conversation:
    """Return the conversation after *events*, which left the table as *room* shows it."""
    events = tuple(events)
    if not events:
        return conversation
    kinds = {type(event) for event in events}
    conversation = replace(conversation, quiet=0.0, asked=None, done=update_undo_steps(conversation.done, events))
    if e.NightBegun in kinds:
        conversation = replace(conversation, setting_up=False, pending=None, set_aside=(), tried=())
    conversation = replace(conversation, tried=update_tried_cards(conversation.tried, events))
    if kinds & {e.NightBegun, e.NightEnded}:
        conversation = replace(conversation, paused=False, said=None)
    if room.phase is not conversation.phase or e.HourStruck in kinds:
        still_open = _still_open(conversation, room)
        conversation = replace(conversation, reminded=0, tries=0, pending=still_open, set_aside=())
    if e.EldestNeeded in kinds:
        asks = Ask(question=Question.WHO_IS_ELDEST, choices=room.eldest_of or ())
        conversation, _ = p.ask(conversation, asks, intent=Intent("name_eldest"), slot="psychic")
    return replace(conversation, phase=room.phase, laying_out=e.NightBegun in kinds)


def respond_to_refusal(
    conversation: Conversation, refusal: Refusal, room: RoomView | None = None, *, defaults: Defaults = DEFAULTS
) -> DialogueStep:
    """Return what follows from *refusal*: another card, group or psychic is asked for, or what is next is told."""
    said, tries = conversation.said, conversation.tries + 1
    conversation = replace(conversation, quiet=0.0, tries=tries)
    if isinstance(refusal, refusals.NightUnderWay):
        return replace(conversation, setting_up=False, pending=None), ()
    if isinstance(refusal, refusals.NotNow):
        return conversation, (r.WhatNext(what_next(conversation, room, defaults)),)
    found = next((wrong for kind, wrong in _ASK_FOR_ANOTHER.items() if isinstance(refusal, kind)), None)
    if found is None or said is None or found[1] not in said.slots:
        return conversation, ()
    if tries > p.MAX_TIMES_ASKED:
        return replace(conversation, pending=None), (r.LeftAlone(),)
    question, slot = found
    rest = Intent(said.name, {name: value for name, value in said.slots.items() if name != slot})
    who = rest.slots.get(SPEAKER_SLOTS.get(said.name, ""))
    asks = Ask(question=question, psychic=Psychic(str(who)) if who else None, again=tries > 1)
    return p.ask(conversation, asks, intent=rest, slot=slot)


def respond_to_unrecognised(conversation: Conversation) -> DialogueStep:
    """Return what follows when something was said to the house and not understood."""
    if conversation.asleep or conversation.paused:
        return conversation, ()
    conversation = replace(conversation, quiet=0.0)
    if conversation.pending is not None:
        return setup_talk.repeat_question(conversation)
    times = conversation.unheard + 1
    conversation = replace(conversation, unheard=times)
    if times > p.MAX_TIMES_ASKED:
        return conversation, (r.LeftAlone(),) if times == p.MAX_TIMES_ASKED + 1 else ()
    return conversation, (r.NotUnderstood(),)


def respond_to_silence(
    conversation: Conversation, seconds: float, room: RoomView | None, *, defaults: Defaults = DEFAULTS
) -> DialogueStep:
    """Return what follows when neither the room nor the house has said anything for *seconds* more."""
    context = DialogueContext(room=room, defaults=defaults)
    if conversation.asleep or conversation.paused:
        return seat_talk.respond_to_silence(conversation, seconds, defaults)
    conversation = replace(conversation, quiet=conversation.quiet + seconds)
    if conversation.sitting is not None and conversation.sitting.foremost:
        return seat_talk.respond_to_silence(conversation, seconds, defaults)
    step = night_talk.reopen_question(_remind_or_wait(conversation, context), context)
    return seat_talk.order_questions(conversation, step)


def _remind_or_wait(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    defaults = context.defaults
    if draw_talk.row_asked(conversation.pending) is not None:
        return draw_talk.remind(conversation, context)
    if conversation.pending is not None:
        if conversation.quiet < defaults.answer_within:
            return conversation, ()
        return setup_talk.answer_by_default(replace(conversation, quiet=0.0), context)
    if context.night is None or conversation.setting_up or _sand_runs(context.night, defaults):
        return conversation, ()
    if conversation.quiet < defaults.remind_after * 2**conversation.reminded:
        return conversation, ()
    return _remind(conversation, context.night, defaults)


def _remind(conversation: Conversation, room: RoomView, defaults: Defaults) -> DialogueStep:
    step = what_next(conversation, room, defaults)
    asked = step.psychics[0] if len(step.psychics) == 1 and room.phase in _PSYCHICS_ACT else None
    nth = conversation.reminded + 1
    return replace(conversation, quiet=0.0, reminded=nth, asked=asked), (r.Reminder(step, nth),)


def _sand_runs(room: RoomView, defaults: Defaults) -> bool:
    is_timed = defaults.edition_of(room).sand_seconds is not None and not defaults.sand.is_turned_by_house
    return room.phase is Phase.INTERPRETATION and is_timed


def _ends_the_night(conversation: Conversation, intent: Intent) -> bool:
    """Return whether *intent* ends the night or answers whether to end it, which a pause allows too."""
    asked = conversation.pending.ask_back if conversation.pending else None
    is_asked = asked is not None and asked.doubt is Doubt.END
    return intent.name == "end" or (is_asked and intent.name in ("yes", "no"))


def _enrol(conversation: Conversation, psychic: Psychic, context: DialogueContext) -> DialogueStep:
    """Enrol the voice that spoke as *psychic*, which may also answer the question who spoke."""
    follows: tuple[DialogueAction, ...] = (EnrolVoice(psychic),)
    pending = conversation.pending
    if context.night is not None and pending is not None and pending.question is Question.WHO_SPEAKS:
        named = Intent("answer", {"psychic": psychic.value})
        conversation, more = night_talk.respond_to_answer(conversation, named, context, context.night)
    else:
        conversation, more = setup_talk.enrol_psychic(conversation, psychic, context)
    return conversation, follows + more


def _still_open(conversation: Conversation, room: RoomView) -> PendingQuestion | None:
    """Return the open question, or None where it was about a phase that is over."""
    pending = conversation.pending
    if pending is None or conversation.setting_up:
        return pending
    outlasts = pending.ask_back is not None and pending.ask_back.doubt in _OUTLAST_A_PHASE
    return pending if outlasts and room.outcome is None else None


_ASK_FOR_ANOTHER = {
    refusals.CardNotOnTable: (Question.WHICH_CARD, "card"),
    refusals.WrongCategory: (Question.WHICH_CARD, "card"),
    refusals.NoSuchGroup: (Question.WHICH_GROUP, "group"),
    refusals.NotACandidate: (Question.WHO_IS_ELDEST, "psychic"),
}
"""Refusals of one slot only: the question that is asked, and the slot that its answer fills."""
