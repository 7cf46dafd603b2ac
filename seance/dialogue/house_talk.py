"""Responses to intents that are for the house itself, and to questions about the night."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from seance.dialogue import replies as r
from seance.dialogue import seat_talk
from seance.dialogue.answers import ANSWERS, options_reply
from seance.dialogue.conversation_state import Conversation, DialogueContext, DialogueStep
from seance.dialogue.draw_talk import row_asked
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.pending import ask
from seance.dialogue.questions import Doubt
from seance.dialogue.tried_cards import tried_reply
from seance.dialogue.what_next import what_next
from seance.rules import Category, Psychic, RoomView, Table


def respond(conversation: Conversation, intent: Intent, context: DialogueContext) -> DialogueStep | None:
    """Return what follows from *intent*, or None if it is not for the house."""
    name = intent.name
    if name in _HANDLERS:
        return _HANDLERS[name](conversation, context)
    if name in ("ask_options", "ask_missing") and conversation.laying_out and context.night is not None:
        return conversation, (r.AskReady(again=True),)
    if name == "ask_options":
        return conversation, (_options_reply(conversation, context),)
    if name == "tell_story":
        return conversation, (_story_reply(conversation, intent, context),)
    if name == "ask_tried":
        return conversation, (_tried_reply(conversation, intent, context),)
    if name in ANSWERS:
        return _answer_question(conversation, name, context)
    return None


def no_night_reply(conversation: Conversation, context: DialogueContext) -> r.Reply:
    """Return the reply to what needs a night: what the set-up asks, or how one begins."""
    if conversation.setting_up:
        return r.WhatNext(what_next(conversation, context.room, context.defaults))
    return r.NoNightYet()


def _answer_question(conversation: Conversation, name: str, context: DialogueContext) -> DialogueStep:
    """Return the answer to a question about the night."""
    if context.night is None or conversation.setting_up:
        return conversation, (no_night_reply(conversation, context),)
    answer = ANSWERS[name](context.night, context.defaults.edition_of(context.night))
    if isinstance(answer, r.Ask):
        return ask(replace(conversation, pending=None), answer, intent=Intent("name_eldest"), slot="psychic")
    return conversation, (answer,)


def _options_reply(conversation: Conversation, context: DialogueContext) -> r.Options:
    if context.night is not None and not conversation.setting_up:
        return options_reply(context.night, context.defaults)
    if row_asked(conversation.pending) is not None:
        return r.Options(None, ("draw_row", "take_back", "end"))
    return r.Options(None, ("setup", "begin", "end") if conversation.setting_up else ("begin",))


def _tell_what_next(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    return conversation, (r.WhatNext(what_next(conversation, context.room, context.defaults)),)


def _tried_reply(conversation: Conversation, intent: Intent, context: DialogueContext) -> r.Reply:
    """Return the wrong cards of the psychic that *intent* names."""
    if context.night is None or conversation.setting_up:
        return no_night_reply(conversation, context)
    return tried_reply(conversation.tried, Psychic(str(intent.slots["psychic"])), context.night)


def _story_reply(conversation: Conversation, intent: Intent, context: DialogueContext) -> r.TellStory:
    """Return the part of the story, or the portrait, that *intent* asks for."""
    edition = conversation.wishes.edition if conversation.setting_up else context.room and context.room.edition
    who = intent.slots.get("psychic")
    part, psychic = str(intent.slots.get("part", "")), None if who is None else Psychic(str(who))
    return r.TellStory(edition or context.defaults.edition, part, psychic)


def _tell_page_address(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    return conversation, (r.PageAt(context.defaults.pages_address),)


def _tell_time_left(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    if context.night is None:
        return conversation, (no_night_reply(conversation, context),)
    seconds = None if context.sand is None else max(0, round(context.sand))
    return conversation, (r.TimeLeft(seconds, conversation.paused),)


def _pause(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    if context.night is None:
        return conversation, (no_night_reply(conversation, context),)
    return replace(conversation, paused=True), (r.Paused(already=conversation.paused),)


def _resume(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    if context.night is None:
        return conversation, (no_night_reply(conversation, context),)
    return replace(conversation, paused=False), (r.Resumed(already=not conversation.paused),)


def _repeat(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    """Repeat the last line, or all cards to lay out while the table is being laid."""
    if context.night is None or not conversation.laying_out or conversation.pending is not None:
        return conversation, (r.SayAgain(),)
    return conversation, (*layout_replies(context.night), r.AskReady())


def layout_replies(room: RoomView) -> tuple[r.LayOut, ...]:
    """Return the replies that say which cards to lay out, one for each kind of card."""
    return tuple(r.LayOut(Table(**{kind: room.table.of(kind)})) for kind in Category)


def row_reply(room: RoomView, kind: Category) -> r.LayOut | r.NoCardThere:
    """Return the reply that says which cards of *kind* are on the table."""
    cards = room.table.of(kind)
    return r.LayOut(Table(**{kind: cards})) if cards else r.NoCardThere(kind, 1)


def respond_to_ready(conversation: Conversation, context: DialogueContext, *, ready: bool) -> DialogueStep:
    """Return what follows when the room says whether the table is laid."""
    if not ready:
        return conversation, (r.TakeYourTime(),)
    if not context.sure:
        return ask(conversation, r.AskBack(doubt=Doubt.MISHEARD, said=context.text), intent=Intent("ready"))
    return begin_first_turn(conversation)


def begin_first_turn(conversation: Conversation) -> DialogueStep:
    """Return what follows when everything is laid."""
    return replace(conversation, laying_out=False, pending=None, quiet=0.0, reminded=0), (r.FirstTurn(),)


def _sleep(conversation: Conversation, _: DialogueContext) -> DialogueStep:
    return replace(conversation, asleep=True), (r.Asleep(),)


def _wake(conversation: Conversation, _: DialogueContext) -> DialogueStep:
    return replace(conversation, asleep=False), (r.Awake(),)


def _always_reply(reply: r.Reply) -> "_Handler":
    return lambda conversation, _: (conversation, (reply,))


_Handler = Callable[[Conversation, DialogueContext], DialogueStep]

_HANDLERS: Mapping[str, _Handler] = {
    "ask_next": _tell_what_next,
    "ask_time": _tell_time_left,
    "ask_page": _tell_page_address,
    "pause": _pause,
    "resume": _resume,
    "repeat": _repeat,
    "louder": _always_reply(r.Volume(louder=True)),
    "quieter": _always_reply(r.Volume(louder=False)),
    "hush": _always_reply(r.Hush()),
    "sleep": _sleep,
    "wake": _wake,
    "free_seat": seat_talk.free,
}
