"""What a psychic has already tried in vain, and where the ghost's page is."""

import pytest

from seance.dialogue.conversation_state import Defaults
from seance.dialogue.replies import NoNightYet, PageAt, Tried
from seance.rules import Category, Manifest
from tests.guests import Guests
from tests.nights import BLUE, RED, begun, manifesting


@pytest.fixture
def searching() -> Guests:
    """The second hour, in which red searches for a location and the others still for a character."""
    guests = Guests(manifesting(begun(), right=[RED]))
    guests.do(*(Manifest(psychic=search.psychic) for search in guests.state.searches))
    return guests


def test_a_wrong_card_was_tried(searching):
    (wrong,) = (each.card for each in searching.conversation.tried if each.psychic is BLUE)
    assert wrong in searching.state.table.character
    assert searching.say("what has blue already tried") == (Tried(BLUE, Category.CHARACTER, (wrong,)),)


def test_a_card_of_a_kind_that_was_found_is_not_told(searching):
    assert searching.say("what has red already tried") == (Tried(RED, Category.LOCATION, ()),)


def test_a_new_night_has_no_wrong_cards(searching):
    assert searching.conversation.tried
    fresh = Guests(None, searching.conversation)
    fresh.say("we are seven, easy, with the usual rules, without the story")
    fresh.say("yes")
    assert fresh.conversation.tried == ()


def test_nothing_was_tried_before_the_night():
    assert Guests().say("what has blue already tried") == (NoNightYet(),)


@pytest.mark.parametrize("address", ["seance.local:8013", None])
def test_the_address_of_the_page_is_told_at_any_time(address):
    for state in (None, begun()):
        guests = Guests(state, defaults=Defaults(pages_address=address))
        assert guests.expected("where is the ghost's page") is not None
        assert guests.say("where is the ghost's page") == (PageAt(address),)
