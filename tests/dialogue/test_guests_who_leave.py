"""Guests who leave or arrive in the night: the house says who plays on, and nothing changes in the game."""

import pytest

from seance.dialogue.replies import GuestBack, GuestLeft, NotNeeded
from seance.rules import LIBELLUD
from tests.guests import Guests
from tests.nights import BLACK, BLUE, RED, WHITE, YELLOW, begun


@pytest.mark.parametrize(
    ("players", "leaves", "heir"),
    [(5, "red", YELLOW), (5, "yellow", BLUE), (3, "white", RED), (3, "blue", RED), (2, "blue", None)],
)
def test_the_next_player_takes_the_psychic_over(players, leaves, heir):
    guests = Guests(begun(LIBELLUD, players))
    (reply,) = guests.say(f"{leaves} has to go")
    assert reply == GuestLeft(reply.psychic, heir)
    assert guests.commands == []


def test_somebody_who_is_back_or_new_is_welcomed():
    guests = Guests(begun(LIBELLUD, 5))
    assert guests.say("red is back") == guests.say("a new guest plays red") == (GuestBack(RED),)


def test_nobody_leaves_who_does_not_play():
    guests = Guests(begun(LIBELLUD, 4, psychics=(BLUE, WHITE, RED)))
    assert guests.say("black leaves") == (NotNeeded(),)
    assert guests.expected("black leaves") is None
    assert BLACK not in guests.state.setup.psychics
