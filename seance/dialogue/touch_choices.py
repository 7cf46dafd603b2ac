"""What can be touched now: the answers to the open question, what may be asked of the house, and the set-up so far."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from seance.dialogue import night_setup
from seance.dialogue.ballots import psychics_playing
from seance.dialogue.conversation_state import Conversation, Defaults, PendingQuestion
from seance.dialogue.draw_talk import row_asked
from seance.dialogue.expected_intents import expected_intents
from seance.dialogue.grammar.sentences import Intent, Slot
from seance.dialogue.opening import Opening, chosen_opening
from seance.dialogue.questions import DrawnRow, Question
from seance.dialogue.replies import Summary
from seance.dialogue.setup_talk import SETUP_QUESTIONS
from seance.rules import Category, Phase, Psychic, RoomView

_YES_NO = (Intent("yes"), Intent("no"))
_ACTIONS = ("call_time", "turn_shared_vision", "take_back", "pause", "end")
"""What may be asked of the house in a night, in the order in which it is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupRow:
    """One matter of the set-up."""

    slot: str
    """The slot of the intent `setup` that decides it."""
    chosen: Slot | None
    """What was said or touched, or what a yes to the summary begins; None if nothing is decided yet."""
    choices: tuple[str | int | bool, ...]
    is_asked: bool = False
    """Whether the open question is about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchChoices:
    """All that a page offers to be touched, besides cards, psychics and groups."""

    answers: tuple[Intent, ...] = ()
    """To the open question, or what is next where none is open."""
    actions: tuple[Intent, ...] = ()
    setup: tuple[SetupRow, ...] = ()
    """The set-up so far; empty when none is under way."""
    is_about_seat: bool = False
    """Whether `answers` are to the question about the ghost's seat."""


def touch_choices(conversation: Conversation, room: RoomView | None, defaults: Defaults) -> TouchChoices:
    """Return what can be touched now."""
    if conversation.asleep:
        return TouchChoices(answers=(Intent("wake"),))
    sitting = conversation.sitting
    is_about_seat = sitting is not None and sitting.foremost
    answers = _YES_NO if is_about_seat else _answers(conversation, room, defaults)
    in_setup = conversation.setting_up and not conversation.wishes.agreed
    return TouchChoices(
        answers=answers,
        actions=tuple(_actions(conversation, room, defaults)),
        setup=tuple(_setup_rows(conversation, defaults)) if in_setup else (),
        is_about_seat=is_about_seat,
    )


def _answers(conversation: Conversation, room: RoomView | None, defaults: Defaults) -> tuple[Intent, ...]:
    pending = conversation.pending
    is_night = room is not None and room.outcome is None and not conversation.setting_up
    if pending is not None and not (conversation.paused and pending.ask_back is None):
        return _answers_to(pending, room, defaults)
    if conversation.paused:
        return (Intent("resume"),)
    if conversation.laying_out:
        return (Intent("ready"),)
    return () if is_night else (Intent("begin"),)


def _answers_to(pending: PendingQuestion, room: RoomView | None, defaults: Defaults) -> tuple[Intent, ...]:
    """Return the answers to *pending*; those of a set-up question are in the row of the set-up."""
    ask = pending.ask
    if ask is None:
        return _YES_NO
    if (row := row_asked(pending)) is not None:
        return (*_cards_of_row(row, defaults), Intent("take_back"))
    if ask.question in SETUP_QUESTIONS:
        return (Intent("begin"),)
    if ask.question is Question.WHAT_TO_CHANGE:
        return (Intent("no"), Intent("begin"))
    return (*_values(ask.question, ask.choices, ask.psychic, room), Intent("no"))


def _cards_of_row(row: DrawnRow, defaults: Defaults) -> Iterator[Intent]:
    """Yield each card that the row may have next."""
    for card in defaults.editions[row.edition].decks[row.kind]:
        if card not in row.cards:
            yield Intent("draw_row", {"row": (card,)})


def _values(
    question: Question, choices: tuple[str, ...], psychic: Psychic | None, room: RoomView | None
) -> Iterator[Intent]:
    """Yield the bare answers to a question of a night."""
    if room is None:
        return
    if question is Question.WHICH_CARD:
        sought = next((each.searching for each in room.psychics if each.colour is psychic), "done")
        cards = room.table.of(Category(sought)) if sought != "done" else ()
        yield from (Intent("answer", {"number": card}) for card in cards)
    elif question is Question.WHICH_GROUP:
        yield from (Intent("answer", {"number": group.group}) for group in room.groups)
    else:
        yield from (Intent("answer", {"psychic": str(each)}) for each in choices or psychics_playing(room))


def _actions(conversation: Conversation, room: RoomView | None, defaults: Defaults) -> Iterator[Intent]:
    if conversation.setting_up:
        yield from (Intent("take_back"), Intent("end"))
        return
    if room is None or room.outcome is not None:
        return
    expected = expected_intents(conversation, room, defaults=defaults).intents
    for name in _ACTIONS:
        if name not in expected or (name == "take_back" and not conversation.done):
            continue
        if name == "pause" and conversation.paused:
            continue
        if name == "call_time" and room.phase is not Phase.INTERPRETATION:
            continue
        yield Intent(name)


def _setup_rows(conversation: Conversation, defaults: Defaults) -> Iterator[SetupRow]:
    wishes, pending = conversation.wishes, conversation.pending
    edition = night_setup.edition_of(wishes, defaults)
    editions = night_setup.ask_for(Question.EDITION, wishes, defaults).choices
    story = chosen_opening(wishes.story)
    rows: Mapping[str, tuple[Slot | None, tuple[str | int | bool, ...]]] = {
        "players": (wishes.players, tuple(night_setup.playable_numbers(wishes, defaults))),
        "edition": (wishes.edition, editions),
        "level": (wishes.level, tuple(edition.levels)),
        "psychics": (tuple(str(each) for each in wishes.psychics), tuple(str(each) for each in Psychic)),
        "story": (None if story is None else str(story), tuple(str(each) for each in Opening)),
        "by_hand": (wishes.by_hand, (False, True)),
        "drawn": (wishes.drawn, (False, True)),
        "variant": (wishes.variant, tuple(edition.variants)),
    }
    summary = None if pending is None else pending.summary
    for slot, (chosen, choices) in rows.items():
        if choices:
            is_asked = pending is not None and pending.question == slot
            # What a yes would begin, with all that nobody has said.
            said = chosen if summary is None else _summarised(summary, slot)
            yield SetupRow(slot=slot, chosen=said, choices=choices, is_asked=is_asked)


def _summarised(summary: Summary, slot: str) -> Slot | None:
    """Return what *summary* says of the matter that *slot* decides."""
    said: Slot | None = getattr(summary, slot)
    return tuple(map(str, said)) if isinstance(said, tuple) else said
