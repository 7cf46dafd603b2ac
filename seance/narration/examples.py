"""An example of what can be said for an intent, with psychics, cards and groups of this table."""

from seance.narration.script import Script
from seance.rules import Category, Edition, Psychic, RoomView


def example_at_table(intent: str, script: Script, room: RoomView | None, edition: Edition | None) -> str:
    """Return what somebody can say for *intent*; *edition* is that of *room*."""
    psychics = [psychic.colour for psychic in room.psychics] if room else [Psychic.RED, Psychic.BLUE]
    card = min(_cards_to_name(room), default=7) if room else 7
    group = room.groups[0].group if room and room.groups else 2
    is_lineup = edition is not None and room is not None and bool(room.groups)
    return script.example(
        _accusation_example(edition) if intent == "accuse" and is_lineup and edition is not None else intent,
        None if room is None else room.edition,
        psychic=psychics[0],
        other=psychics[-1],
        psychics=tuple(reversed(psychics)),
        card=card,
        cards=room.groups[0].cards if room and room.groups else (),
        number=group,
    )


def _accusation_example(edition: Edition) -> str:
    """Return the example that accuses as *edition* wants it: a group, a character or three cards (I9, M3, M5)."""
    if edition.names_all_three:
        return "accuse_cards"
    return "accuse_character" if edition.lineup_kinds == (Category.CHARACTER,) else "accuse"


def _cards_to_name(room: RoomView) -> frozenset[int]:
    """Return the cards of the kinds that are still searched for, or of the groups once all are found."""
    if room.groups:
        return frozenset(card for group in room.groups for card in group.cards)
    kinds = {psychic.searching for psychic in room.psychics} & set(Category)
    return frozenset(card for kind in kinds for card in room.table.of(Category(kind)))
