"""No seat sees, hears or can work out what it may not know: change the secret, and its evening is the same."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from seance.rules import (
    COMMANDS,
    Command,
    Event,
    Refusal,
    Seat,
    State,
    Vote,
    apply,
    ghost_view,
    heard,
    legal,
    room_view,
)
from seance.rules import events as e
from seance.rules.bots import Wanderer, play
from tests.rules.asking import any_command
from tests.rules.moments import Moment, any_company, every_night, moments
from tests.rules.twins import other_ballots, other_chance, playable, twin

ROUNDS = 4
"""How often every set-up is played: some thousands of nights in all."""
ROOM_COMMANDS = [kind for kind in COMMANDS if Seat.ROOM in kind.seats]


Evenings = list[tuple[Moment, State]]
"""Moments, each with its twin: the same night but for the secrets."""


@pytest.fixture(scope="module")
def evenings() -> Evenings:
    """A moment of each phase of thousands of nights."""
    chosen: Evenings = []
    for start in range(0, ROUNDS * 1000, 1000):
        for at, (begin, chance) in enumerate(every_night(start)):
            bot = Wanderer(chance) if at % 76 == 0 else any_company(chance)
            for moment in moments(play(begin, bot), chance):
                chosen.append((moment, twin(moment.state, moment.told, chance)))
    return chosen


# The room


def test_whatever_the_secret_is_the_room_sees_the_same(evenings: Evenings) -> None:
    changed = Counter[str]()
    for moment, other in evenings:
        assert room_view(other) == room_view(moment.state)
        changed.update(_changed(moment.state, other))
    assert min(changed[what] for what in ("seed", "secret", "hand", "pile", "shared", "culprit", "ballots")) > 20


def _changed(state: State, other: State) -> list[str]:
    """Return the names of the secrets that differ."""
    pairs = {
        "seed": (state.setup, other.setup),
        "secret": (state.searches, other.searches),
        "hand": (state.deck.hand, other.deck.hand),
        "pile": (state.deck.pile, other.deck.pile),
        "shared": (state.ending.shared, other.ending.shared),
        "culprit": (state.ending.culprit, other.ending.culprit),
        "ballots": (state.ending.ballots, other.ending.ballots),
    }
    return [name for name, (one, two) in pairs.items() if one != two]


def test_whatever_the_secret_is_the_room_may_do_the_same(evenings: Evenings) -> None:
    for moment, other in evenings:
        assert legal(other, Seat.ROOM) == legal(moment.state, Seat.ROOM)


def test_whatever_the_secret_is_the_room_is_refused_in_the_same_words(evenings: Evenings) -> None:
    chance = Random(1894)
    for moment, other in evenings:
        for _ in range(4):
            command = any_command(chance.choice, moment.state, ROOM_COMMANDS)
            assert _refusal(moment.state, command) == _refusal(other, command)


def _refusal(state: State, command: Command) -> tuple[str, str] | None:
    try:
        apply(state, command)
    except Refusal as refusal:
        return type(refusal).__name__, str(refusal)
    return None


def test_whatever_the_secret_is_the_room_hears_the_same_until_the_answers_differ(evenings: Evenings) -> None:
    compared = 0
    for moment, stranger in evenings:
        state, other = moment.state, playable(stranger, moment.state)
        for command in moment.follows:
            state, events = apply(state, command)
            other, others = apply(other, command)
            if not _heard_alike(heard(events, Seat.ROOM), heard(others, Seat.ROOM)):
                break
            assert room_view(other) == room_view(state)
            compared += 1
    assert compared > 20_000


def _heard_alike(events: tuple[Event, ...], others: tuple[Event, ...]) -> bool:
    """Return whether both tell the same; fail if they part at anything but an answer."""
    for before, event, other in zip((None, *events), events, others, strict=False):
        if event != other:
            answered = type(event) is type(other) and isinstance(event, e.IntuitionAnswered | e.VotesRead)
            assert answered or isinstance(before, e.Accused)
            return False
    assert len(events) == len(others)
    return True


# The ghost


def test_the_ghost_sees_no_vote_in_a_sleeve_no_pile_and_no_seed(evenings: Evenings) -> None:
    changed = Counter[str]()
    chance = Random(1894)
    for moment, _ in evenings:
        state, other = moment.state, _unknown_to_the_ghost(moment.state, chance)
        assert ghost_view(other) == ghost_view(state)
        assert legal(other, Seat.GHOST) == legal(state, Seat.GHOST)
        changed.update(_changed(state, other))
    assert min(changed[what] for what in ("seed", "pile", "ballots")) > 20


def _unknown_to_the_ghost(state: State, chance: Random) -> State:
    """Return *state* with everything else that nobody at all may know."""
    pile = tuple(chance.sample(state.deck.pile, len(state.deck.pile)))
    ending = other_ballots(state, chance)
    return other_chance(state, chance)._replace(deck=state.deck._replace(pile=pile), ending=ending)


def test_the_ghost_hears_no_vote_before_all_are_read(evenings: Evenings) -> None:
    chance, compared = Random(1894), 0
    for moment, _ in evenings:
        state, other = moment.state, moment.state._replace(ending=other_ballots(moment.state, chance))
        for command in moment.follows:
            if not isinstance(command, Vote) or state.setup.track is None:
                break  # with few players the votes are open (L38)
            state, events = apply(state, command)
            groups = [group.group for group in state.ending.groups]
            other, others = apply(other, replace(command, group=chance.choice(groups)))
            if any(isinstance(event, e.VotesRead) for event in events):
                break
            assert heard(events, Seat.GHOST) == heard(others, Seat.GHOST)
            assert ghost_view(state) == ghost_view(other)
            compared += 1
    assert compared > 50
