"""At any moment of any night: what is accepted was listed, what is done can be undone, and the night can go on."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from random import Random

import pytest

from seance.engine import Engine
from seance.rules import (
    COMMANDS,
    EDITIONS,
    Abandon,
    Begin,
    Command,
    Deal,
    Edition,
    Phase,
    Seat,
    State,
    Visions,
    apply,
    is_legal,
    legal,
    wire_name,
)
from seance.rules import commands as c
from seance.rules.decide import ALLOWED
from tests.rules.asking import STEPS, any_command, owner
from tests.rules.ledger import Ledger
from tests.rules.moments import LONGEST_WAY, any_company, every_moment, every_night, to_the_end


def test_nothing_is_lost_or_doubled_or_turned_back_in_any_plausible_night() -> None:
    for begin, chance in every_night():
        night, company = Ledger(begin), any_company(chance)
        while night.state.outcome is None:
            night.follow(company.choose(night.state))


def test_nothing_is_lost_or_doubled_or_turned_back_whoever_strays() -> None:
    for begin, chance in list(every_night())[::5]:
        night = Ledger(begin)
        while night.state.outcome is None:
            strays = (any_command(chance.choice, night.state, STRAYS) for _ in range(3))
            stray = next((command for command in strays if is_legal(night.state, command)), None)
            night.follow(stray or next(to_the_end(night.state))[0])


STRAYS = [kind for kind in COMMANDS if kind not in (Begin, Abandon, c.BreakSilence)]
"""What anybody may do at any time without ending the night at once."""


def test_S4_no_token_is_lost_or_doubled_however_much_is_moved_and_taken_back() -> None:
    for begin, chance in every_night():
        night = Ledger(begin)
        while night.state.phase is not Phase.INTERPRETATION:
            night.follow(next(to_the_end(night.state))[0])
        for _ in range(400 if night.state.setup.tokens else 0):
            command = any_command(chance.choice, night.state, TALK)
            if is_legal(night.state, command):
                night.follow(command)


TALK = [c.PlaceIntuition, c.Bet, c.WithdrawBet, c.TakeBack]


def test_only_what_is_listed_is_accepted() -> None:
    accepted, refused = set[type[Command]](), set[type[Command]]()
    for state, seed in every_moment():
        pick = Random(seed).choice
        listed = {seat: legal(state, seat) for seat in Seat}
        possible = [kind for kind in COMMANDS if kind in ALLOWED[state.phase]]
        for _ in range(20):
            command = any_command(pick, state, pick((COMMANDS, possible or COMMANDS)))
            kind = type(command)
            if is_legal(state, command):
                accepted.add(kind)
                assert all(wire_name(kind) in listed[seat] for seat in kind.seats)
            else:
                refused.add(kind)
    assert accepted == refused == set(COMMANDS)


def test_a_refused_line_leaves_the_night_as_it_was() -> None:
    refusals = Counter[str]()
    for state, seed in every_moment():
        pick = Random(seed).choice
        engine = Engine()
        engine.state = state
        before = repr(state)
        for _ in range(10):
            answer = json.loads(engine.answer(_line(any_command(pick, state))))
            if not answer["ok"]:
                refusals[answer["refusal"]] += 1
                assert engine.state is state
            engine.state = state
        assert repr(state) == before
    assert len(refusals) > 30


def _line(command: Command) -> bytes:
    given = {field.name: getattr(command, field.name) for field in fields(command)}
    if isinstance(command, Begin):
        given["edition"] = command.edition.name
    return json.dumps({"command": wire_name(type(command)), **given}).encode()


def test_S4_steps_taken_back_one_by_one_leave_exactly_what_was_there_before_each() -> None:
    taken_back = Counter[str]()
    for state, seed in every_moment():
        pick = Random(seed).choice
        done: list[tuple[Command, State]] = []
        for _ in range(25 if state.phase in (Phase.VISIONS, Phase.INTERPRETATION) else 0):
            command = any_command(pick, state, STEPS)
            if is_legal(state, command):
                done.append((command, state))
                state, _events = apply(state, command)
        taken_back.update(_all_taken_back(state, done))
    assert min(taken_back[what] for what in ("vision", "intuition", "bet")) > 10


def _all_taken_back(state: State, done: list[tuple[Command, State]]) -> Iterator[str]:
    """Take back what was *done*, the last first, and yield what it was."""
    for command, before in reversed(done):
        steps = state.search(owner(command)).steps
        if len(steps) == len(before.search(owner(command)).steps):
            break  # dealt visions are not taken back, and a token that lies as it lay is no step
        yield steps[-1].what
        state, _ = apply(state, c.TakeBack(psychic=owner(command)))
        assert state == before


def test_a_night_can_always_go_on_whatever_was_done_before() -> None:
    for state, seed in every_moment()[::2]:
        pick = Random(seed).choice
        for _ in range(12):
            command = any_command(pick, state)
            if is_legal(state, command) and not isinstance(command, Begin | Abandon | c.BreakSilence):
                state, _events = apply(state, command)
        assert sum(1 for _ in to_the_end(state)) < LONGEST_WAY


@pytest.mark.parametrize("players", [5, 6, 7])
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))
def test_L11_a_night_goes_on_when_the_vision_cards_have_run_out(edition: Edition, players: int) -> None:
    level = next(iter(edition.levels))
    begin = Begin(edition=edition, players=players, level=level, seed=7, deal=Deal.HAND, visions=Visions.DEALT)
    state, _ = apply(None, begin)
    while state.deck.hand:
        if waiting := state.awaiting_vision():
            state, _ = apply(state, c.GiveVision(psychic=waiting[0].psychic, cards=state.deck.hand))
        else:
            state = next(to_the_end(state))[1]
    assert state.phase is not Phase.OVER
    assert sum(1 for _ in to_the_end(state)) < LONGEST_WAY
