"""Accusations that name a card or its place instead of a group (M3, M5)."""

import pytest

from seance.dialogue.answers import ANSWERS
from seance.dialogue.questions import Doubt
from seance.dialogue.replies import AskBack, NoCardThere, NotASuspect, OnTable
from seance.rules import IGAMES, MANUAL, PORTAL, Accuse, Edition, PointAt, room_view
from seance.rules.refusals import NameAllThree
from seance.rules.terms import Table
from tests.guests import Guests
from tests.nights import RED, begun, laid, pointed


def accusing(edition: Edition, group: int | None = 2, **choices: object) -> Guests:
    """Guests whose balls all lie on *group*."""
    state = laid(begun(edition, **choices))
    return Guests(state if group is None else pointed(state, group))


def character(guests: Guests, group: int) -> int:
    return guests.room.groups[group - 1].cards[0]


@pytest.mark.parametrize("named", ["card {card}", "the second character"])
def test_M3_an_accusation_names_a_character_by_number_or_place(named):
    guests = accusing(MANUAL)
    card = character(guests, 2)
    assert guests.say(f"we accuse {named.format(card=card)}") == (AskBack(doubt=Doubt.ACCUSE, group=2, card=card),)
    assert guests.say("yes")[0] == Accuse()


@pytest.mark.parametrize("edition", [IGAMES, PORTAL, MANUAL], ids=lambda edition: edition.name)
def test_a_ball_is_put_on_a_character(edition):
    guests = accusing(edition, group=None)
    assert guests.say(f"red points at card {character(guests, 3)}") == (PointAt(by=RED, group=3),)
    assert guests.say("red points at the first character") == (PointAt(by=RED, group=1),)


def test_a_card_of_no_group_is_no_suspect():
    guests = accusing(MANUAL)
    nobody = next(card for card in MANUAL.decks["character"] if all(card not in g.cards for g in guests.room.groups))
    assert guests.say(f"we accuse card {nobody}") == (NotASuspect(nobody),)
    assert guests.say("we accuse the twelfth character") == (NoCardThere("character", 12),)
    assert guests.commands == []


def test_M5_a_full_investigation_names_all_three():
    guests = accusing(MANUAL, variant="full_investigation")
    guests.say(f"we accuse card {character(guests, 2)}")
    assert [type(refusal) for refusal in guests.refused] == [NameAllThree]
    cards = guests.room.groups[1].cards
    (asked,) = guests.say("we accuse card {}, card {} and card {}".format(*cards))
    assert asked == AskBack(doubt=Doubt.ACCUSE, group=2)


@pytest.mark.parametrize(("variant", "kinds"), [(None, 1), ("full_investigation", 3)])
def test_M3_only_characters_lie_on_the_table_in_the_last_step(variant, kinds):
    room = room_view(laid(begun(MANUAL, variant=variant)))
    edition = MANUAL if variant is None else MANUAL.variants[variant]
    rows = list(zip(*(group.cards for group in room.groups), strict=True))
    assert ANSWERS["ask_table"](room, edition) == OnTable(Table(*rows[:kinds]))
