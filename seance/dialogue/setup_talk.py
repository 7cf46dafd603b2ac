"""The talk before a night: from "begin the séance" to yes; what goes together is decided in `setup`."""

from collections.abc import Mapping
from dataclasses import replace

from seance.dialogue import night_setup
from seance.dialogue import pending as p
from seance.dialogue.conversation_state import Conversation, Moment, Step, Wishes
from seance.dialogue.grammar.sentences import Intent, Slot
from seance.dialogue.replies import Ask, Dropped, NoNightYet, NotNeeded, Question, UsualOtherwise
from seance.rules import Psychic

ASKED_FOR = (Question.EDITION, Question.PLAYERS, Question.LEVEL, Question.PSYCHICS, Question.STORY)
_CHANGE = Ask(question=Question.WHAT_TO_CHANGE)


def opened(conversation: Conversation, slots: Mapping[str, Slot], at: Moment) -> Step:
    """Return the conversation with a new set-up under way."""
    fresh = replace(conversation, wishes=Wishes(), setting_up=True, pending=None)
    return _wished(fresh, slots, at)


def said(conversation: Conversation, intent: Intent, at: Moment) -> Step:
    """Return what follows from *intent* where no night is under way."""
    if intent.name in ("begin", "setup") and not conversation.setting_up:
        return opened(conversation, intent.slots, at)
    match intent.name:
        case "setup":
            return _wished(conversation, intent.slots, at)
        case "begin" if intent.slots:
            return _wished(conversation, intent.slots, at)
        case "begin":
            return _begin(conversation, at)
        case "yes" | "no" | "answer":
            return _answered(conversation, intent, at)
        case "take_back" if conversation.setting_up:
            return p.asked(conversation, _CHANGE)
        case "end" if conversation.setting_up:
            return replace(conversation, setting_up=False, pending=None), (Dropped(),)
    return conversation, (NoNightYet(),)


def enrolled(conversation: Conversation, psychic: Psychic, at: Moment) -> Step:
    """Return what follows when somebody says who they play: that psychic plays, where there is room for more."""
    wishes = night_setup.joined(conversation.wishes, psychic, at.customs)
    if not conversation.setting_up or wishes == conversation.wishes:
        return conversation, ()
    return _go_on(replace(conversation, wishes=wishes), at)


def not_answered(conversation: Conversation) -> Step:
    """Return what follows when an open question found no fitting answer; one of the set-up stays open."""
    pending = conversation.pending
    if pending is None or pending.times < p.MOST_TIMES or pending.question not in ASKED_FOR:
        return p.asked_again(conversation)
    return conversation, (UsualOtherwise(),)


def by_default(conversation: Conversation, at: Moment) -> Step:
    """Return what follows when the house answers its own question."""
    question = conversation.pending and conversation.pending.question
    if question not in ASKED_FOR:
        return p.asked_again(conversation)
    wishes = night_setup.defaulted(conversation.wishes, question, at.customs)
    return _go_on(replace(conversation, wishes=wishes, pending=None), at)


def _wished(conversation: Conversation, slots: Mapping[str, Slot], at: Moment) -> Step:
    wishes = night_setup.wished(conversation.wishes, slots, at.customs)
    if wishes != conversation.wishes:
        conversation = replace(conversation, wishes=wishes, pending=None)  # that was no failed answer
    return _go_on(conversation, at)


def _go_on(conversation: Conversation, at: Moment) -> Step:
    """Ask for what is missing, or say what will be played."""
    wishes, customs = conversation.wishes, at.customs
    question = night_setup.first_missing(wishes, customs)
    if question is None:
        return p.asked(conversation, night_setup.summary(wishes, customs))
    before = conversation.pending
    if before is None or before.question is not question:
        return p.asked(conversation, night_setup.asking(question, wishes, customs))
    asks = night_setup.asking(question, wishes, customs)
    if asks != replace(before.ask or asks, again=False):
        return p.asked(conversation, asks)  # one more psychic was named, or the choices are other ones
    return not_answered(conversation)


def _begin(conversation: Conversation, at: Moment) -> Step:
    """Let the night begin when everything was said, and else take the defaults for what was not."""
    pending = conversation.pending
    if pending is not None and pending.summary is not None:
        if not at.sure:
            return p.asked_again(conversation)
        return replace(conversation, pending=None), (night_setup.begin(conversation.wishes, at.customs),)
    wishes = conversation.wishes
    while (question := night_setup.first_missing(wishes, at.customs)) is not None:
        wishes = night_setup.defaulted(wishes, question, at.customs)
    return _go_on(replace(conversation, wishes=wishes, pending=None), at)


def _answered(conversation: Conversation, intent: Intent, at: Moment) -> Step:
    pending = conversation.pending
    if pending is None:
        if conversation.setting_up and intent.slots.keys() & {"level", "edition"}:
            return _wished(conversation, intent.slots, at)
        if conversation.setting_up and intent.name == "yes":
            return _go_on(conversation, at)  # it comes late: what it agrees to is said once more
        return conversation, (NotNeeded(),)
    if intent.name == "answer":
        return _bare(conversation, intent, pending.question, at)
    yes = intent.name == "yes"
    if pending.summary is not None:
        return _begin(conversation, at) if yes else p.asked(conversation, _CHANGE)
    if pending.question is Question.STORY:
        return _wished(conversation, {"story": yes}, at)
    if pending.question is Question.WHAT_TO_CHANGE and not yes:
        return _go_on(conversation, at)
    return not_answered(conversation)


def _bare(conversation: Conversation, intent: Intent, question: Question | None, at: Moment) -> Step:
    """Return what follows from a bare word; only a level and an edition say themselves what they answer."""
    slots = intent.slots
    if slots.keys() & {"level", "edition"}:
        return _wished(conversation, slots, at)
    number = slots.get("number")
    if question is Question.PLAYERS and isinstance(number, int):
        return _wished(conversation, {"players": number}, at)
    if question is Question.PSYCHICS and "psychics" in slots:
        return _wished(conversation, slots, at)
    if question is Question.PSYCHICS and "psychic" in slots:
        wishes = night_setup.joined(conversation.wishes, Psychic(str(slots["psychic"])), at.customs)
        return _go_on(replace(conversation, wishes=wishes), at)
    return not_answered(conversation)
