"""What pages receive depends on what their reader may know, and on nothing else."""

from dataclasses import replace
from random import Random

import msgspec
import pytest

from seance.rules import EDITIONS, Begin, Seat, State, Visions, ghost_view, legal, room_view
from seance.rules.bots import Wanderer, play
from seance.web.page_json import Furniture, ghost_state, table_state
from seance.web.page_state import Chair, Numbered, Shown

FURNITURE = Furniture(words=msgspec.Raw(b"{}"), names={}, cards={}, address="http://seance.local:8013/")
HELD = Chair(key="k" * 64, holder="ghost")


def shown(state: State) -> Shown:
    """Return *state* as it is shown, with all there is to keep from the table."""
    return Shown(
        chair=HELD,
        night=room_view(state),
        present=room_view(state),
        ghost=ghost_view(state),
        may=legal(state, Seat.GHOST),
        dealt=True,
        whispers=(Numbered(1, "for the ghost alone"),),
    )


@pytest.fixture(scope="module")
def states() -> list[State]:
    """All moments of a night in which the house deals everything."""
    begin = Begin(edition=EDITIONS["libellud"], players=5, level="easy", seed=1894, visions=Visions.DEALT)
    return [state for _, state, _ in play(begin, Wanderer(Random(3)))]


def test_the_tables_page_is_the_same_whatever_the_ghost_knows(states):
    for state in states:
        full = shown(state)
        bare = replace(full, ghost=None, present=None, may=(), whispers=(), chair=Chair(key="", holder="another"))
        assert table_state(full, FURNITURE, now=0.0, level=None) == table_state(bare, FURNITURE, now=0.0, level=None)


def test_a_device_that_does_not_hold_the_seat_sees_what_the_table_sees(states):
    for state in states:
        full = shown(state)
        seen = msgspec.json.decode(ghost_state(full, FURNITURE, "somebody", now=0.0))
        assert not seen["mine"]
        assert not any(seen[key] for key in ("secret", "hand", "culprit", "served", "may"))
        bare = replace(full, ghost=None, present=None, may=(), whispers=())
        assert ghost_state(full, FURNITURE, "somebody", now=0.0) == ghost_state(bare, FURNITURE, "somebody", now=0.0)


def test_the_ghost_sees_what_the_engine_lets_it_see(states):
    seen = msgspec.json.decode(ghost_state(shown(states[0]), FURNITURE, "ghost", now=0.0))
    view = ghost_view(states[0])
    assert seen["mine"]
    assert seen["hand"] == list(view.hand or ())
    assert set(seen["secret"]) == {str(psychic) for psychic in view.secret or ()}
