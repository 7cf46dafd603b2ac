"""States of a night for tests to begin at."""

from collections.abc import Iterable
from typing import Any, TypeVar

import pytest

from seance.rules import (
    EDITIONS,
    IGAMES,
    LIBELLUD,
    MANUAL,
    PORTAL,
    Begin,
    CallTime,
    ChooseCulprit,
    Command,
    Deal,
    Edition,
    Event,
    GiveVision,
    LaySharedVision,
    Manifest,
    Phase,
    PlaceIntuition,
    PointAt,
    Psychic,
    State,
    TurnSand,
    Visions,
    apply,
)
from tests.tables import tables_of, usual_level, usual_players

BLUE, WHITE, RED, YELLOW, PURPLE, BLACK = Psychic
ALL = tuple(Psychic)
NOBODY: tuple[Psychic, ...] = ()

EACH_EDITION = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
WEEKS = pytest.mark.parametrize("edition", [IGAMES, PORTAL, MANUAL], ids=["igames", "portal", "manual"])
"""The editions that count days and accuse until the week is over."""

Kind = TypeVar("Kind", bound=Event)


EACH_TABLE = pytest.mark.parametrize(
    ("edition", "players"), [(edition.name, players) for edition in EDITIONS.values() for players in tables_of(edition)]
)


def begun(edition: Edition = LIBELLUD, players: int | None = None, level: str | None = None, **choices: Any) -> State:
    """Return a night that has just begun, as usual where nothing else is said."""
    players = usual_players(edition) if players is None else players
    level = usual_level(edition) if level is None else level
    return after(None, Begin(edition=edition, players=players, level=level, **{"seed": 1894, **choices}))


def after(state: State | None, *commands: Command) -> State:
    """Return the state after *commands*, of which there is at least one."""
    for command in commands:
        state, _ = apply(state, command)
    assert state is not None
    return state


def events_of(kind: type[Kind], state: State | None, *commands: Command) -> list[Kind]:
    """Return the events of *kind* that *commands* lead to."""
    found: list[Kind] = []
    for command in commands:
        state, events = apply(state, command)
        found += [event for event in events if isinstance(event, kind)]
    return found


def right_card(state: State, psychic: Psychic) -> int:
    """Return the card that *psychic* should choose now; dealt by hand, one that nobody else is given."""
    search = state.search(psychic)
    category = state.setup.edition.order[len(search.found)]
    if search.secret is not None:
        return search.secret.of(category)
    rivals = [other.psychic for other in state.searching() if len(other.found) == len(search.found)]
    return state.table.of(category)[rivals.index(psychic)]


def wrong_card(state: State, psychic: Psychic) -> int:
    """Return a card that *psychic* may choose, and should not."""
    category = state.setup.edition.order[len(state.search(psychic).found)]
    return next(card for card in state.table.of(category) if card != right_card(state, psychic))


def served(state: State, *psychics: Psychic) -> State:
    """Return the state after each of *psychics*, or everybody who waits, was given one vision."""
    for psychic in psychics or [search.psychic for search in state.awaiting_vision()]:
        dealt = state.setup.visions is Visions.DEALT
        vision = {"cards": state.deck.hand[:1]} if dealt else {"count": 1}
        state = after(state, GiveVision(psychic=psychic, **vision))
    return state


def interpreted(state: State) -> State:
    """Return the state once all visions are given and the interpretation runs."""
    state = served(state)
    return state if state.phase is Phase.INTERPRETATION else after(state, TurnSand())


def chosen(state: State, right: Iterable[Psychic] = ALL) -> State:
    """Return the state once all visions are given and everybody has chosen: well who is *right*, else badly."""
    state = interpreted(state)
    for psychic in [search.psychic for search in state.searching()]:
        card = right_card(state, psychic) if psychic in right else wrong_card(state, psychic)
        state = after(state, PlaceIntuition(psychic=psychic, card=card))
    return state


def manifesting(state: State, right: Iterable[Psychic] = ALL) -> State:
    """Return the state when the ghost is about to answer."""
    return after(chosen(state, right), CallTime())


def answer(state: State, psychic: Psychic, *, right: bool) -> Manifest:
    """Return the ghost's answer to *psychic*, who is *right* or not."""
    return Manifest(psychic=psychic, correct=right if state.setup.deal is Deal.HAND else None)


def answered(state: State, right: Iterable[Psychic] = ALL) -> State:
    """Return the state after the ghost answered everybody still searching."""
    for psychic in [search.psychic for search in state.searching()]:
        state = after(state, answer(state, psychic, right=psychic in right))
    return state


def hour_played(state: State, right: Iterable[Psychic] = ALL) -> State:
    """Return the state after an hour in which those who are *right* find their card."""
    return answered(manifesting(state, right), right)


def at_hour(state: State, hour: int) -> State:
    """Return the state at the beginning of *hour*, when nobody has found anything more."""
    while state.hour < hour:
        state = hour_played(state, NOBODY)
    return state


def lined_up(state: State, hour: int = 4) -> State:
    """Return the state when the last card has been found and *hour* struck."""
    state = at_hour(state, hour - 3)
    for _ in range(3):
        state = hour_played(state)
    return state


def marked(state: State, culprit: int = 1, hour: int = 4) -> State:
    """Return the state when the culprit is fixed and the shared vision is to be laid."""
    state = lined_up(state, hour)
    return after(state, ChooseCulprit(group=culprit)) if state.phase is Phase.LINEUP else state


def laid(state: State, culprit: int = 1, hour: int = 4) -> State:
    """Return the state when the shared vision lies on the table."""
    state = marked(state, culprit, hour)
    return after(state, LaySharedVision(cards=state.deck.hand[:3] or None))


def pointed(state: State, group: int) -> State:
    """Return the state when every ball lies on *group*."""
    return after(state, *(PointAt(by=psychic, group=group) for psychic in state.setup.psychics))


def on_track(state: State, *spaces: int) -> State:
    """Return the state with the clairvoyancy markers, in seat order, on *spaces*."""
    moved = zip(state.searches, spaces, strict=True)
    return state._replace(searches=tuple(search._replace(clairvoyancy=there) for search, there in moved))


def culprit_and_another(state: State) -> tuple[int, int]:
    """Return the culprit's group and one that is innocent."""
    culprit = state.ending.culprit
    assert culprit is not None
    return culprit, next(group.group for group in state.ending.groups if group.group != culprit)
