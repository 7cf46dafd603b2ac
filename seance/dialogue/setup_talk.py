"""The talk before a night, from "begin the séance" to the yes that begins it."""

from collections.abc import Mapping
from dataclasses import replace

from seance.dialogue import draw_talk, night_setup
from seance.dialogue import pending as p
from seance.dialogue.conversation_state import Conversation, DialogueContext, DialogueStep, SetupWishes
from seance.dialogue.grammar.sentences import Intent, Slot
from seance.dialogue.house_talk import no_night_reply
from seance.dialogue.opening import Opening
from seance.dialogue.questions import Question
from seance.dialogue.replies import Ask, Dropped, NotNeeded, UsualOtherwise
from seance.rules import Psychic

SETUP_QUESTIONS = (Question.EDITION, Question.PLAYERS, Question.LEVEL, Question.PSYCHICS, Question.STORY)
_CHANGE = Ask(question=Question.WHAT_TO_CHANGE)


def open_setup(conversation: Conversation, slots: Mapping[str, Slot], context: DialogueContext) -> DialogueStep:
    """Return the conversation with a new set-up, and its first question."""
    fresh = replace(conversation, wishes=SetupWishes(), setting_up=True, pending=None)
    return _add_slots(fresh, slots, context)


def respond(conversation: Conversation, intent: Intent, context: DialogueContext) -> DialogueStep:
    """Return what follows from *intent* where no night is under way."""
    if intent.name in ("begin", "setup") and not conversation.setting_up:
        return open_setup(conversation, intent.slots, context)
    if (step := draw_talk.respond(conversation, intent, context)) is not None:
        return step
    match intent.name:
        case "setup" | "answer_story":
            return _add_slots(conversation, intent.slots, context)
        case "begin" if intent.slots:
            return _add_slots(conversation, intent.slots, context)
        case "begin":
            return _begin(conversation, context)
        case "yes" | "no" | "answer":
            return _respond_to_answer(conversation, intent, context)
        case "draw_row" if conversation.setting_up:
            return _add_slots(conversation, {"drawn": True}, context)
        case "take_back" if conversation.setting_up:
            return p.ask(conversation, _CHANGE)
        case "end" if conversation.setting_up:
            return replace(conversation, setting_up=False, pending=None), (Dropped(),)
    return conversation, (no_night_reply(conversation, context),)


def enrol_psychic(conversation: Conversation, psychic: Psychic, context: DialogueContext) -> DialogueStep:
    """Return what follows when somebody says that they play *psychic*: it is added to the set-up, if one is open."""
    wishes = night_setup.add_psychic(conversation.wishes, psychic, context.defaults)
    if not conversation.setting_up or wishes == conversation.wishes:
        return conversation, ()
    return _ask_or_summarise(replace(conversation, wishes=wishes), context)


def repeat_question(conversation: Conversation) -> DialogueStep:
    """Return what follows when the open question was not answered: questions of the set-up are never dropped."""
    pending = conversation.pending
    if draw_talk.row_asked(pending) is not None:
        return draw_talk.repeat(conversation)
    if pending is None or pending.times < p.MAX_TIMES_ASKED or pending.question not in SETUP_QUESTIONS:
        return p.ask_again(conversation)
    return conversation, (UsualOtherwise(),)


def answer_by_default(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    """Return what follows when nobody answers: a question of the set-up takes its default, another is repeated."""
    question = conversation.pending and conversation.pending.question
    if question not in SETUP_QUESTIONS:
        return p.ask_again(conversation, is_silent=True)
    wishes = night_setup.fill_default(conversation.wishes, question, context.defaults)
    return _ask_or_summarise(replace(conversation, wishes=wishes, pending=None), context)


def _add_slots(conversation: Conversation, slots: Mapping[str, Slot], context: DialogueContext) -> DialogueStep:
    wishes = night_setup.add_slots(conversation.wishes, slots, context.defaults)
    refused = night_setup.refuse_players(conversation.wishes, slots, wishes, context.defaults)
    if wishes != conversation.wishes:
        conversation = replace(conversation, wishes=wishes, pending=None)  # so that it does not count as unanswered
    conversation, actions = _ask_or_summarise(conversation, context)
    return conversation, actions if refused is None else (refused, *actions)


def _ask_or_summarise(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    """Ask for what is missing, or summarise what will be played."""
    wishes, defaults = conversation.wishes, context.defaults
    question = night_setup.first_missing(wishes, defaults)
    if question is None and wishes.agreed:
        return draw_talk.draw_or_begin(conversation, context)
    if question is None:
        return p.ask(conversation, night_setup.summarise(wishes, defaults))
    before = conversation.pending
    if before is None or before.question is not question:
        return p.ask(conversation, night_setup.ask_for(question, wishes, defaults))
    asks = night_setup.ask_for(question, wishes, defaults)
    if asks != replace(before.ask or asks, again=False):
        return p.ask(conversation, asks)  # one more psychic was named, or the choices have changed
    return repeat_question(conversation)


def _begin(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    """Begin the night if the summary was said, or else take the defaults for all that is missing."""
    pending = conversation.pending
    if pending is not None and pending.summary is not None:
        if not context.sure:
            return p.ask_again(conversation)
        return draw_talk.draw_or_begin(conversation, context)
    wishes = conversation.wishes
    while (question := night_setup.first_missing(wishes, context.defaults)) is not None:
        wishes = night_setup.fill_default(wishes, question, context.defaults)
    return _ask_or_summarise(replace(conversation, wishes=wishes, pending=None), context)


def _respond_to_answer(conversation: Conversation, intent: Intent, context: DialogueContext) -> DialogueStep:
    pending = conversation.pending
    if pending is None:
        if conversation.setting_up and intent.slots.keys() & {"level", "edition"}:
            return _add_slots(conversation, intent.slots, context)
        if conversation.setting_up and intent.name == "yes":
            return _ask_or_summarise(conversation, context)  # the yes comes too late: the summary is said once more
        return conversation, (NotNeeded(),)
    if intent.name == "answer":
        return _respond_to_bare_answer(conversation, intent, pending.question, context)
    yes = intent.name == "yes"
    if pending.summary is not None:
        return _begin(conversation, context) if yes else p.ask(conversation, _CHANGE)
    if pending.question is Question.STORY:
        return _add_slots(conversation, {"story": Opening.LONG if yes else Opening.SKIPPED}, context)
    if pending.question is Question.WHAT_TO_CHANGE and not yes:
        return _ask_or_summarise(conversation, context)
    return repeat_question(conversation)


def _respond_to_bare_answer(
    conversation: Conversation, intent: Intent, question: Question | None, context: DialogueContext
) -> DialogueStep:
    """Return what follows from a bare answer; a level and an edition need no question."""
    slots = intent.slots
    if slots.keys() & {"level", "edition"}:
        return _add_slots(conversation, slots, context)
    number = slots.get("number")
    if question is Question.PLAYERS and isinstance(number, int):
        return _add_slots(conversation, {"players": number}, context)
    if question is Question.PSYCHICS and "psychics" in slots:
        return _add_slots(conversation, slots, context)
    if question is Question.PSYCHICS and "psychic" in slots:
        wishes = night_setup.add_psychic(conversation.wishes, Psychic(str(slots["psychic"])), context.defaults)
        return _ask_or_summarise(replace(conversation, wishes=wishes), context)
    return repeat_question(conversation)
