"""Cards that are called by their place in a row (S5), and their numbers."""

from seance.dialogue.grammar.sentences import Intent
from seance.rules import Category, RoomView


def card_at(room: RoomView, kind: Category, place: int) -> int | None:
    """Return the card at *place* (from 1) in the row of *kind*; None at a gap or beyond the end."""
    row = room.laid_out.of(kind)
    card = row[place - 1] if 0 < place <= len(row) else None
    return card if card in room.table.of(kind) else None


def place_of(room: RoomView, card: int) -> tuple[Category, int]:
    """Return the kind of *card*, which was laid out, and its place in that row (from 1)."""
    rows = ((kind, room.laid_out.of(kind)) for kind in Category)
    return next((kind, row.index(card) + 1) for kind, row in rows if card in row)


def resolve_place(intent: Intent, room: RoomView) -> Intent:
    """Return *intent* with the card at its place; without a kind, the row is the one that its psychic searches."""
    place, kind = intent.slots.get("place"), intent.slots.get("kind") or _sought(intent, room)
    if not isinstance(place, int) or kind is None or "card" in intent.slots:
        return intent
    card = card_at(room, Category(str(kind)), place)
    if card is None:
        return Intent(intent.name, {**intent.slots, "kind": kind})
    rest = {slot: value for slot, value in intent.slots.items() if slot not in ("place", "kind")}
    return Intent(intent.name, {**rest, "card": card})


def _sought(intent: Intent, room: RoomView) -> str | None:
    """Return the kind of card that the psychic of *intent* searches for; None without a psychic or a search."""
    who = intent.slots.get("psychic")
    sought = next((psychic.searching for psychic in room.psychics if psychic.colour == who), "done")
    return None if sought == "done" else sought
