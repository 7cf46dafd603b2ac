"""What is next, found from the state of the conversation and what lies openly on the table."""

from dataclasses import replace

from seance.dialogue import night_setup
from seance.dialogue.conversation_state import DEFAULTS, Conversation, Defaults, PendingQuestion
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.next_in_phase import card_to_choose, eldest_step, next_in_phase
from seance.dialogue.next_step import SUMMARY, NextAction, NextStep, WaitsFor
from seance.dialogue.opening import Opening
from seance.dialogue.questions import Doubt, DrawnRow, Question
from seance.dialogue.sand_mode import SandMode
from seance.rules import Psychic, RoomView

_YES_OR_NO = (Intent("yes"), Intent("no"))
MAX_CARDS_TOLD = 3
"""Cards of a row in an example."""


def what_next(conversation: Conversation, room: RoomView | None, defaults: Defaults = DEFAULTS) -> NextStep:
    """Return what carries the evening on: an open question first, then what the phase of the night needs."""
    pending, sitting = conversation.pending, conversation.sitting
    if conversation.asleep:
        return NextStep(action=NextAction.WAKE, say=(Intent("wake"),))
    if sitting is not None and (sitting.foremost or pending is None):
        return _confirm_seat(sitting.doubt, defaults)
    is_end_asked = pending is not None and pending.ask_back is not None and pending.ask_back.doubt is Doubt.END
    if conversation.paused and not is_end_asked:
        return NextStep(action=NextAction.RESUME, say=(Intent("resume"),))
    if pending is not None:
        return _answer(pending, conversation, room, defaults)
    if conversation.setting_up or room is None:
        return NextStep(action=NextAction.BEGIN, say=(Intent("begin"),))
    if room.outcome is not None:
        return NextStep(action=NextAction.BEGIN_ANOTHER, say=(Intent("begin"),))
    if conversation.laying_out:
        return NextStep(action=NextAction.LAY_OUT, say=(Intent("call_time", {"early": True}), Intent("repeat")))
    step = next_in_phase(room, defaults.edition_of(room))
    is_waiting = step.waits_for is WaitsFor.SAND and defaults.sand is not SandMode.STRICT
    return replace(step, waits_for=WaitsFor.SENTENCE) if is_waiting else step


def _confirm_seat(doubt: Doubt, defaults: Defaults) -> NextStep:
    if defaults.pages_only:
        return NextStep(action=NextAction.TYPE_DIGITS, about=doubt)
    return NextStep(action=NextAction.CONFIRM, about=doubt, say=_YES_OR_NO)


def _answer(
    pending: PendingQuestion, conversation: Conversation, room: RoomView | None, defaults: Defaults
) -> NextStep:
    """Return how the open question is answered."""
    if pending.ask is None:
        about = SUMMARY if pending.ask_back is None else pending.ask_back.doubt
        return NextStep(action=NextAction.CONFIRM, about=about, say=_YES_OR_NO)
    question = pending.ask.question
    if question is Question.WHO_IS_ELDEST and room is not None and room.eldest_of:
        return eldest_step(room)
    if question in (Question.LEVEL, Question.EDITION):
        usual = defaults.level if question is Question.LEVEL else defaults.edition
        choices = sorted(pending.ask.choices, key=lambda choice: choice != usual)
        say = tuple(Intent("answer", {str(question): choice}) for choice in choices)
        return NextStep(action=NextAction.ANSWER, about=question, say=say)
    if pending.ask.row is not None:
        say = (Intent("draw_row", {"row": _cards_to_draw(pending.ask.row, defaults)}),)
        return NextStep(action=NextAction.ANSWER, about=question, say=say, is_example=True)
    if question is Question.STORY:
        say = tuple(Intent("answer_story", {"story": str(story)}) for story in _STORIES)
        return NextStep(action=NextAction.ANSWER, about=question, say=say)
    if room is None or conversation.setting_up:
        example = _setup_example(question, conversation, defaults)
    else:
        example = _night_example(pending, room)
    return NextStep(action=NextAction.ANSWER, about=question, say=(example,), is_example=True)


_STORIES = (Opening.SHORT, Opening.LONG, Opening.SKIPPED)


def _cards_to_draw(row: DrawnRow, defaults: Defaults) -> tuple[str, ...]:
    """Return the next few cards that may lie in *row*, which can be told in groups."""
    left = [card for card in defaults.editions[row.edition].decks[row.kind] if card not in row.cards]
    return tuple(str(card) for card in left[: min(MAX_CARDS_TOLD, row.needed - len(row.cards))])


def _setup_example(question: Question, conversation: Conversation, defaults: Defaults) -> Intent:
    """Return an answer to *question* of the set-up, as it usually is."""
    wishes = conversation.wishes
    usual = night_setup.fill_default(wishes, Question.PLAYERS, defaults).players or defaults.players
    match question:
        case Question.PLAYERS:
            return Intent("answer", {"number": usual})
        case Question.PSYCHICS:
            filled = night_setup.fill_default(wishes, question, defaults)
            return Intent("setup", {"psychics": tuple(str(psychic) for psychic in filled.psychics)})
    return Intent("setup", {"players": wishes.players or usual})


def _night_example(pending: PendingQuestion, room: RoomView) -> Intent:
    """Return an answer to *pending* that the rules take."""
    asked = pending.ask
    choices = asked.choices if asked is not None else ()
    psychics = tuple(str(each.colour) for each in room.psychics)
    if asked is not None and asked.question is Question.WHICH_CARD:
        return Intent("answer", {"number": card_to_choose(room, asked.psychic)})
    if asked is not None and asked.question is Question.WHICH_GROUP:
        return Intent("answer", {"number": room.groups[0].group if room.groups else 1})
    return Intent("answer", {"psychic": str(Psychic((choices or psychics)[0]))})
