"""The expected intents in whole nights: all that may be done, and only what the recogniser can be given."""

from itertools import islice

import pytest

from seance.dialogue.conversation import Conversation
from seance.dialogue.expected_intents import expected_intents
from seance.dialogue.grammar.sentences import Intent
from seance.rules import Category, Phase, PlaceIntuition, PointAt, Psychic, Seat, Vote, legal, moves, room_view
from seance.rules.bots import play
from tests.guests import sentences
from tests.languages import LANGUAGES
from tests.rules.moments import any_company, every_night

EVERY = 9
"""Every ninth way to begin a night is played."""

SPOKEN_AS = {"abandon": "end", "close_poll": "turn_shared_vision"}
"""Commands that are called otherwise when spoken."""

MOMENTS = [
    state
    for begin, chance in islice(every_night(), 0, None, EVERY)
    for _, state, _ in islice(play(begin, any_company(chance)), 0, 400, 3)
]


def test_whatever_the_room_may_do_may_be_said():
    for state in MOMENTS:
        said = expected_intents(Conversation(), room_view(state)).intents
        assert {SPOKEN_AS.get(name, name) for name in legal(state, Seat.ROOM)} <= said


def test_whatever_the_room_may_name_may_be_said():
    for state in (state for state in MOMENTS if state.phase is not Phase.OVER):
        now = expected_intents(Conversation(), room_view(state))
        choices = [move for move in moves(state, PlaceIntuition) if isinstance(move, PlaceIntuition)]
        balls = [move for kind in (Vote, PointAt) for move in moves(state, kind) if isinstance(move, Vote | PointAt)]
        assert {choice.card for choice in choices} <= (now.cards or set())
        assert {choice.psychic for choice in choices} <= (now.psychics or set())
        assert {ball.group for ball in balls} <= (now.groups or set())


def test_a_card_that_is_sought_is_named_likelier_than_one_that_is_not():
    for state in (state for state in MOMENTS if state.phase is not Phase.OVER):
        now = expected_intents(Conversation(), room_view(state))
        choices = [move for move in moves(state, PlaceIntuition) if isinstance(move, PlaceIntuition)]
        assert all(now.prior(chosen(choice.card, choice.psychic)) == 1.0 for choice in choices)
        assert all(now.prior(chosen(choice.card)) == 1.0 for choice in choices)
        for search in state.searches:
            others = {card for kind in Category if kind != state.sought(search) for card in state.table.of(kind)}
            assert all(now.prior(chosen(card, search.psychic)) < 1.0 for card in others)


def chosen(card: int, psychic: Psychic | None = None) -> Intent:
    return Intent("place_intuition", {"card": card} | ({"psychic": psychic.value} if psychic else {}))


def test_a_place_in_a_row_that_nobody_searches_is_unlikely():
    now = expected_intents(Conversation(), room_view(MOMENTS[0]))
    sought = next(iter(now.sought.values()))
    likely = {kind: now.prior(Intent("place_intuition", {"place": 2, "kind": kind})) for kind in Category}
    assert [kind for kind in Category if likely[kind] == 1.0] == [sought]


def test_it_is_unlikely_that_a_psychic_bets_on_themselves():
    now = expected_intents(Conversation(), room_view(MOMENTS[0]))
    on_red = {"agrees": True, "on": "red"}
    assert now.prior(Intent("bet", {**on_red, "by": "red"})) < now.prior(Intent("bet", {**on_red, "by": "blue"}))
    assert now.prior(Intent("bet", on_red)) == 1.0


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_may_be_said_is_an_intent_of_the_ear(language: str):
    said = frozenset[str]().union(*(expected_intents(Conversation(), room_view(state)).intents for state in MOMENTS))
    assert said <= sentences(language).intents
