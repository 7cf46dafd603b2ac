"""The states that pages receive: no reader gets a secret that it may not know."""

from dataclasses import replace
from random import Random

import msgspec
import pytest

from seance.rules import EDITIONS, Begin, Seat, State, Visions, ghost_view, legal, room_view
from seance.rules.bots import Wanderer, play
from seance.web.page_json import StaticPageData, encode_ghost_state, encode_table_state
from seance.web.page_state import NumberedLine, PageState, SeatState

STATIC = StaticPageData(
    words={"libellud": msgspec.Raw(b"{}")},
    names={},
    cards={},
    marks={},
    address="http://seance.local:8013/",
    languages={},
)
HELD = SeatState(key="k" * 64, holder="ghost")


def page_of(state: State) -> PageState:
    """Return a page state of *state* with every secret in it."""
    return PageState(
        seat=HELD,
        told_room=room_view(state),
        current_room=room_view(state),
        ghost_view=ghost_view(state),
        ghost_commands=legal(state, Seat.GHOST),
        visions_dealt=True,
        whispers=(NumberedLine(1, "for the ghost alone"),),
    )


@pytest.fixture(scope="module")
def states() -> list[State]:
    """All moments of a night in which the house deals everything."""
    begin = Begin(edition=EDITIONS["libellud"], players=5, level="easy", seed=1894, visions=Visions.DEALT)
    return [state for _, state, _ in play(begin, Wanderer(Random(3)))]


def test_the_tables_page_is_the_same_whatever_the_ghost_knows(states):
    for state in states:
        full = page_of(state)
        bare = replace(
            full,
            ghost_view=None,
            current_room=None,
            ghost_commands=(),
            whispers=(),
            seat=SeatState(key="", holder="another"),
        )
        assert encode_table_state(full, STATIC, now=0.0, level=None) == encode_table_state(
            bare, STATIC, now=0.0, level=None
        )


def test_a_device_that_does_not_hold_the_seat_sees_what_the_table_sees(states):
    for state in states:
        full = page_of(state)
        seen = msgspec.json.decode(encode_ghost_state(full, STATIC, "somebody", now=0.0))
        assert not seen["mine"]
        assert not any(seen[key] for key in ("secret", "hand", "culprit", "served", "may"))
        bare = replace(full, ghost_view=None, current_room=None, ghost_commands=(), whispers=())
        assert encode_ghost_state(full, STATIC, "somebody", now=0.0) == encode_ghost_state(
            bare, STATIC, "somebody", now=0.0
        )


def test_the_ghost_sees_what_the_engine_lets_it_see(states):
    seen = msgspec.json.decode(encode_ghost_state(page_of(states[0]), STATIC, "ghost", now=0.0))
    view = ghost_view(states[0])
    assert seen["mine"]
    assert seen["hand"] == list(view.hand or ())
    assert set(seen["secret"]) == {str(psychic) for psychic in view.secret or ()}
