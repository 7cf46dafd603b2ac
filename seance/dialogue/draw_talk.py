"""The talk while the guests draw the cards themselves and tell the house each row (L2)."""

from dataclasses import replace

from seance.dialogue import night_setup
from seance.dialogue.conversation_state import Conversation, DialogueContext, DialogueStep, PendingQuestion
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.guest_replies import WrongRow
from seance.dialogue.questions import Doubt, DrawnRow, Question
from seance.dialogue.replies import Ask, AskBack
from seance.rules import Category, Refusal
from seance.rules.begin import check_row


def row_asked(pending: PendingQuestion | None) -> DrawnRow | None:
    """Return the row that *pending* asks for or asks back about; None where it is another question."""
    reply = pending and (pending.ask or pending.ask_back)
    return reply.row if reply else None


def draw_or_begin(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    """Return what follows once it is agreed what is played: the next row is asked for, or the night begins."""
    wishes, defaults = replace(conversation.wishes, agreed=True), context.defaults
    conversation = replace(conversation, wishes=wishes, pending=None, reminded=0)
    kind = night_setup.next_row(wishes, defaults)
    if kind is None:
        return conversation, (night_setup.begin_command(wishes, defaults),)
    return _ask(conversation, night_setup.empty_row(kind, wishes, defaults))


def respond(conversation: Conversation, intent: Intent, context: DialogueContext) -> DialogueStep | None:
    """Return what follows from *intent* while a row is asked for; None where it has nothing to do with the row."""
    pending, asked = conversation.pending, row_asked(conversation.pending)
    if pending is None or asked is None:
        return None
    match intent.name:
        case "draw_row":
            return _add_cards(conversation, intent, context)
        case "yes" if pending.ask_back is not None:
            wishes = night_setup.add_row(conversation.wishes, asked)
            return draw_or_begin(replace(conversation, wishes=wishes), context)
        case "yes" | "answer":
            return repeat(conversation)
        case "no":
            return _ask(conversation, replace(asked, cards=()))
        case "take_back":
            return _go_back(conversation, asked, context)
    return None


def repeat(conversation: Conversation) -> DialogueStep:
    """Return the conversation with the question about the row asked once more; it is never dropped."""
    pending = conversation.pending
    assert pending is not None  # noqa: S101 - asked for only while a row is
    again = replace(
        pending,
        ask=pending.ask and replace(pending.ask, again=True),
        ask_back=pending.ask_back and replace(pending.ask_back, again=True),
    )
    return replace(conversation, pending=again), (again.reply,)


def remind(conversation: Conversation, context: DialogueContext) -> DialogueStep:
    """Return what follows while nobody speaks: hands need their time, so each reminder waits twice as long."""
    if conversation.quiet < context.defaults.remind_after * 2**conversation.reminded:
        return conversation, ()
    return repeat(replace(conversation, quiet=0.0, reminded=conversation.reminded + 1))


def _add_cards(conversation: Conversation, intent: Intent, context: DialogueContext) -> DialogueStep:
    """Take the cards that were told: after a kind they are a row from its beginning, else they go on with it."""
    pending, asked = conversation.pending, row_asked(conversation.pending)
    assert pending is not None and asked is not None  # noqa: S101, PT018 - see respond
    before, told = asked, intent.slots["row"]
    assert isinstance(told, tuple)  # noqa: S101 - the sentences gather it
    if "kind" in intent.slots:
        before = night_setup.empty_row(Category(str(intent.slots["kind"])), conversation.wishes, context.defaults)
    elif pending.ask_back is not None:
        before = replace(asked, cards=())
    row = replace(before, cards=(*before.cards, *map(int, told)))
    edition = night_setup.edition_of(conversation.wishes, context.defaults)
    try:
        check_row(row.cards, row.kind, edition, row.needed, is_whole=len(row.cards) > row.needed)
    except Refusal as refusal:
        left = asked if before.kind is not asked.kind else before
        conversation, asks = _ask(conversation, left, again=True)
        return conversation, (WrongRow(refusal), *asks)
    return _ask(conversation, row)


def _go_back(conversation: Conversation, asked: DrawnRow, context: DialogueContext) -> DialogueStep:
    """Forget the row that is being told, or else the one before it."""
    if asked.cards:
        return _ask(conversation, replace(asked, cards=()))
    wishes = night_setup.drop_last_row(conversation.wishes, context.defaults)
    return draw_or_begin(replace(conversation, wishes=wishes), context)


def _ask(conversation: Conversation, row: DrawnRow, *, again: bool = False) -> DialogueStep:
    """Ask for the rest of *row*, or whether it is right where it is whole."""
    if len(row.cards) == row.needed:
        pending = PendingQuestion(ask_back=AskBack(doubt=Doubt.ROW, row=row))
    else:
        pending = PendingQuestion(ask=Ask(question=Question.ROW, row=row, again=again))
    return replace(conversation, pending=pending), (pending.reply,)
