"""Cards that psychics have tried in vain, so that "what has blue already tried?" has an answer."""

from collections.abc import Iterable

from seance.dialogue.conversation_state import TriedCard
from seance.dialogue.replies import Tried
from seance.rules import Category, Event, Psychic, RoomView
from seance.rules import events as e


def update_tried_cards(tried: tuple[TriedCard, ...], events: Iterable[Event]) -> tuple[TriedCard, ...]:
    """Return the wrong cards after *events*; each answer replaces an earlier one to the same psychic and card."""
    for event in events:
        if isinstance(event, e.IntuitionAnswered) and event.card is not None:
            answered = TriedCard(psychic=event.psychic, card=event.card)
            others = tuple(each for each in tried if each != answered)
            tried = others if event.correct else (*others, answered)
    return tried


def tried_reply(tried: Iterable[TriedCard], psychic: Psychic, room: RoomView) -> Tried:
    """Return the reply that names the wrong cards of *psychic* in the row that they are searching now."""
    sought = next((each.searching for each in room.psychics if each.colour is psychic), "done")
    if sought == "done":
        return Tried(psychic, None, ())
    kind = Category(sought)
    row = room.laid_out.of(kind)
    return Tried(psychic, kind, tuple(each.card for each in tried if each.psychic is psychic and each.card in row))
