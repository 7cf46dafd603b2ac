"""Views have no field for a secret, and open cards do not depend on secret ones."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any, get_args, get_type_hints

import pytest

from seance.rules import (
    EVENTS,
    HEARD_BY,
    LIBELLUD,
    MANUAL,
    Begin,
    Category,
    Edition,
    GhostView,
    RoomView,
    Seat,
    State,
    Trio,
    Visions,
    apply,
)
from seance.rules import commands as c
from seance.rules import events as e
from seance.rules.bots import Company, play
from seance.rules.state import Deck, Ending, Search, Setup, Step

WHOLE = {State, Setup, Search, Deck, Ending, Step}
"""Types that only the rules may see."""
NOBODY_KNOWS = {"seed", "pile", "discard", "ballots"}
GHOST_KNOWS = {"secret", "hand", "culprit", "shared"}
NIGHTS = 2000


def _within(kind: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name and type of every field that *kind* holds, at any depth; an edition is printed in the book."""
    for inner in get_args(kind):
        yield "", inner
        yield from _within(inner)
    if is_dataclass(kind) and kind is not Edition:
        hints = get_type_hints(kind)
        for field in fields(kind):
            yield field.name, hints[field.name]
            yield from _within(hints[field.name])


def test_the_room_s_view_has_no_place_for_a_secret() -> None:
    names, types = zip(*_within(RoomView), strict=True)
    assert not (NOBODY_KNOWS | GHOST_KNOWS) & set(names)
    assert not (WHOLE | {Trio}) & set(types)


def test_the_ghost_s_view_has_no_place_for_what_nobody_may_know() -> None:
    names, types = zip(*_within(GhostView), strict=True)
    assert not NOBODY_KNOWS & set(names)
    assert not WHOLE & set(types)


@pytest.mark.parametrize("kind", [kind for kind in EVENTS if Seat.ROOM in HEARD_BY[kind]])
def test_what_the_room_hears_has_no_place_for_a_secret(kind: type[e.Event]) -> None:
    within = list(_within(kind))
    assert not (NOBODY_KNOWS | GHOST_KNOWS) & {name for name, _ in within}
    assert not (WHOLE | {Trio}) & {inner for _, inner in within}


@pytest.mark.parametrize(
    "kind", [e.SeedDrawn, e.SecretsDealt, e.PileShuffled, e.HandDrawn, e.HandDiscarded, e.CulpritMarked,
             e.SharedVisionSet, e.BallotSealed],
)  # fmt: skip
def test_the_room_does_not_hear_what_is_secret(kind: type[e.Event]) -> None:
    assert Seat.ROOM not in HEARD_BY[kind]


@pytest.mark.parametrize("kind", [e.SeedDrawn, e.PileShuffled, e.BallotSealed])
def test_nobody_hears_what_nobody_may_know(kind: type[e.Event]) -> None:
    assert not HEARD_BY[kind]


def test_the_ghost_hears_of_every_event_that_the_room_hears_of() -> None:
    assert all(Seat.GHOST in seats for seats in HEARD_BY.values() if Seat.ROOM in seats)


# Chance: what lies openly is independent of what does not


def _even(counts: Counter[int], kinds: int) -> bool:
    """Return whether all *kinds* came about as often as each other: within five standard deviations."""
    expected = counts.total() / kinds
    return len(counts) == kinds and all(abs(count - expected) < 5 * expected**0.5 for count in counts.values())


@pytest.fixture(scope="module")
def dealt() -> list[State]:
    begins = (Begin(edition=LIBELLUD, players=5, level="medium", seed=seed) for seed in range(NIGHTS))
    return [apply(None, begin)[0] for begin in begins]


@pytest.mark.parametrize("category", Category)
@pytest.mark.parametrize("seat", range(4))
def test_a_card_s_place_in_the_row_says_nothing_of_whose_secret_it_is(
    dealt: list[State], category: Category, seat: int
) -> None:
    places = Counter[int]()
    for state in dealt:
        secret = state.searches[seat].secret
        assert secret is not None
        places[state.table.of(category).index(secret.of(category))] += 1
    assert _even(places, kinds=7)


def test_a_psychic_s_character_says_nothing_of_their_location_or_object(dealt: list[State]) -> None:
    pairs = Counter[int]()
    for state in dealt:
        secret = state.searches[0].secret
        assert secret is not None
        places = [state.table.of(kind).index(secret.of(kind)) for kind in Category]
        pairs[places[0] * 7 + places[1]] += 1
        pairs[49 + places[1] * 7 + places[2]] += 1
    assert _even(pairs, kinds=98)


def test_the_rows_lie_in_the_order_of_their_numbers(dealt: list[State]) -> None:
    rows = [state.table.of(kind) for state in dealt for kind in Category]
    assert all(list(row) == sorted(row) for row in rows)


def test_M2_a_drawn_culprit_is_any_group_as_often_as_another() -> None:
    drawn = Counter[int]()
    for seed in range(400):
        begin = Begin(edition=MANUAL, players=4, level="easy", seed=seed)
        events = [event for _, _, events in play(begin, Company(Random(seed), accuracy=0.9)) for event in events]
        drawn.update(event.group for event in events if isinstance(event, e.CulpritMarked))
    assert drawn.total() > 300
    assert _even(drawn, kinds=3)


def test_L28_the_order_in_which_the_ghost_names_the_shared_cards_does_not_shine_through() -> None:
    for seed in range(50):
        begin = Begin(edition=LIBELLUD, players=4, level="easy", seed=seed, visions=Visions.DEALT)
        for _, state, _ in play(begin, Company(Random(seed), accuracy=0.9)):
            if state.phase == "shared_vision":
                one, two, three = state.deck.hand[:3]
                laid = {
                    apply(state, c.LaySharedVision(cards=cards))[0].ending.shared
                    for cards in ((one, two, three), (three, two, one), (two, three, one))
                }
                assert len(laid) == 1
                break


def test_L28_any_of_the_three_shared_cards_is_turned_first_as_often_as_another() -> None:
    first = Counter[int]()
    for seed in range(300):
        begin = Begin(edition=LIBELLUD, players=4, level="easy", seed=seed, visions=Visions.DEALT)
        for _, state, _ in play(begin, Company(Random(seed), accuracy=0.9)):
            if state.ending.shared:
                first[sorted(state.ending.shared).index(state.ending.shared[0])] += 1
                break
    assert first.total() > 200
    assert _even(first, kinds=3)
