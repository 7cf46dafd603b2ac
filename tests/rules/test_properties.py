"""Whatever is asked of a night, in whatever order: what stays true (see also `ledger.py`)."""

import os
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import Phase as Phases
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from seance.rules import (
    COMMANDS,
    Begin,
    Command,
    Event,
    Phase,
    Psychic,
    Seat,
    State,
    apply,
    is_legal,
    legal,
    moves,
    wire_name,
)
from seance.rules import commands as c
from seance.rules.bots import Company
from seance.rules.decide import ALLOWED
from tests.rules.asking import STEPS, Choice, Pick, any_command, owner
from tests.rules.ledger import Ledger
from tests.rules.moments import LONGEST_WAY, SETUPS, to_the_end


class AnyNight(RuleBasedStateMachine):
    """A night that begins in any way, and goes on in any way that the rules accept."""

    night: Ledger

    @property
    def state(self) -> State:
        return self.night.state

    @initialize(
        setup=st.sampled_from(list(SETUPS)),
        seed=st.integers(0, 2**63 - 1),
        order=st.permutations(tuple(Psychic)),
        ahead=st.integers(0, 160),
        accuracy=st.sampled_from((None, 0.0, 0.5, 0.9)),
    )
    def begin(self, setup: str, seed: int, order: list[Psychic], ahead: int, accuracy: float | None) -> None:
        begin = SETUPS[setup]
        psychics = tuple(order[: begin.edition.psychics(begin.players)])
        self.night = Ledger(replace(begin, seed=seed, psychics=psychics))
        company = Company(Random(seed), accuracy=accuracy)
        for _ in range(ahead):
            if self.state.phase is not Phase.OVER:
                self.night.follow(company.choose(self.state))

    # What may be asked

    @rule(data=st.data())
    def something_legal(self, data: st.DataObject) -> None:
        kinds = [kind for kind in COMMANDS if kind in ALLOWED[self.state.phase] and kind is not c.Abandon]
        named = [kind for kind in kinds if next(moves(self.state, kind), None) is not None]
        if named:
            kind = data.draw(st.sampled_from(named))
            self.night.follow(data.draw(st.sampled_from(list(moves(self.state, kind)))))

    @rule(data=st.data())
    def anything_at_all(self, data: st.DataObject) -> None:
        command = any_command(_picker(data), self.state)
        if not is_legal(self.state, command):
            return
        assert all(wire_name(type(command)) in legal(self.state, seat) for seat in command.seats)
        if isinstance(command, Begin):
            self.night = Ledger(command)
        else:
            self.night.follow(command)

    @precondition(lambda self: self.state.phase in (Phase.VISIONS, Phase.INTERPRETATION))
    @rule(data=st.data())
    def steps_that_are_taken_back(self, data: st.DataObject) -> None:
        done: list[tuple[Command, State]] = []
        for _ in range(data.draw(st.integers(1, 6))):
            steps = [command for kind in STEPS for command in moves(self.state, kind)]
            if not steps:
                break
            command, before = data.draw(st.sampled_from(steps)), self.state
            self.night.follow(command)
            is_step = len(self.state.search(owner(command)).steps) > len(before.search(owner(command)).steps)
            done = [*done, (command, before)] if is_step else []
        for command, before in reversed(done):
            self.night.follow(c.TakeBack(psychic=owner(command)))
            assert self.state == before

    # What stays true

    @invariant()
    def what_legal_lists_is_accepted(self) -> None:
        listed = {seat: legal(self.state, seat) for seat in Seat}
        for kind in COMMANDS:
            named = [] if kind is Begin else list(moves(self.state, kind))
            accepted = bool(named) or (kind is Begin and self.state.phase is Phase.OVER)
            assert {wire_name(kind) in listed[seat] for seat in kind.seats} == {accepted}
            for command in named:
                apply(self.state, command)

    @invariant()
    def a_finished_night_accepts_nothing_but_begin(self) -> None:
        if self.state.phase is Phase.OVER:
            asked = [any_command(Random(seed).choice, self.state) for seed in range(40)]
            accepted = [command for command in asked if is_legal(self.state, command)]
            assert all(isinstance(command, Begin) for command in accepted)

    def teardown(self) -> None:
        if hasattr(self, "night"):
            _replays(self.night)
            _comes_to_an_end(self.night)


def _replays(night: Ledger) -> None:
    state: State | None = None
    events: list[Event] = []
    for command in night.commands:
        state, more = apply(state, command)
        events += more
    assert (state, events) == (night.state, night.events)


def _comes_to_an_end(night: Ledger) -> None:
    way = [command for command, _ in to_the_end(night.state)]
    assert len(way) < LONGEST_WAY
    for command in way:
        night.follow(command)


def _picker(data: st.DataObject) -> Pick:
    def pick(choices: Sequence[Choice], /) -> Choice:
        return data.draw(st.sampled_from(choices))

    return pick


TestAnyNight = AnyNight.TestCase
TestAnyNight.settings = settings(
    max_examples=60,
    stateful_step_count=25,
    deadline=None,
    derandomize="CI" in os.environ,
    phases=(Phases.explicit, Phases.reuse, Phases.generate, Phases.shrink),
    suppress_health_check=list(HealthCheck),
)
