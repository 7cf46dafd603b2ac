"""Whatever is asked of a night, in whatever order: what stays true."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import Phase as Phases
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from seance.rules import (
    COMMANDS,
    LAST_HOUR,
    Begin,
    Command,
    Event,
    Phase,
    Psychic,
    Seat,
    State,
    Visions,
    apply,
    evolve,
    is_legal,
    legal,
    moves,
    wire_name,
)
from seance.rules import commands as c
from seance.rules import events as e
from seance.rules.bots import Company
from seance.rules.decide import ALLOWED
from tests.rules.asking import STEPS, Choice, Pick, any_command, owner
from tests.rules.moments import SETUPS, to_the_end

ALL_VISIONS = list(range(1, 85))
THROUGHOUT = settings(
    max_examples=60,
    stateful_step_count=25,
    deadline=None,
    derandomize="CI" in os.environ,
    phases=(Phases.explicit, Phases.reuse, Phases.generate, Phases.shrink),
    suppress_health_check=list(HealthCheck),
)


class AnyNight(RuleBasedStateMachine):
    """A night that begins in any way, and goes on in any way that the rules accept."""

    state: State
    retold: State | None
    """The state as the events alone tell it."""

    @initialize(
        setup=st.sampled_from(list(SETUPS)),
        seed=st.integers(0, 2**63 - 1),
        order=st.permutations(tuple(Psychic)),
        ahead=st.integers(0, 160),
        skill=st.sampled_from((0.0, 0.3, 0.9)),
    )
    def begin(self, setup: str, seed: int, order: list[Psychic], ahead: int, skill: float) -> None:
        begin = SETUPS[setup]
        psychics = tuple(order[: begin.edition.psychics(begin.players)])
        self._begin(replace(begin, seed=seed, psychics=psychics))
        company = Company(Random(seed), skill=skill)
        for _ in range(ahead):
            if self.state.phase is Phase.OVER:
                break
            self._do(company.choose(self.state))

    def _begin(self, begin: Begin) -> None:
        self.commands: list[Command] = []
        self.events: list[Event] = []
        self.spent: Counter[Psychic] = Counter()
        self.retold = None
        self._carry_out(None, begin)
        table = self.state.table
        self.laid_out = sorted(table.character + table.location + table.object)

    def _do(self, command: Command) -> None:
        hour, laid = self.state.hour, Counter(token.by for token in self.state.tokens)
        events = self._carry_out(self.state, command)
        assert hour <= self.state.hour <= LAST_HOUR
        if any(isinstance(event, e.TimeCalled) for event in events):
            self.spent += laid
        if any(isinstance(event, e.TokensReturned) for event in events):
            self.spent.clear()

    def _carry_out(self, state: State | None, command: Command) -> Sequence[Event]:
        self.state, events = apply(state, command)
        self.commands.append(command)
        self.events.extend(events)
        for event in events:
            self.retold = evolve(self.retold, event)
        return events

    # What may be asked

    @rule(data=st.data())
    def something_legal(self, data: st.DataObject) -> None:
        kinds = [kind for kind in COMMANDS if kind in ALLOWED[self.state.phase] and kind is not c.Abandon]
        named = [kind for kind in kinds if next(moves(self.state, kind), None) is not None]
        if named:
            self._do(data.draw(st.sampled_from(list(moves(self.state, data.draw(st.sampled_from(named)))))))

    @rule(data=st.data())
    def anything_at_all(self, data: st.DataObject) -> None:
        command = any_command(_picker(data), self.state)
        listed = {wire_name(type(command)) in legal(self.state, seat) for seat in command.seats}
        if not is_legal(self.state, command):
            return
        assert listed == {True}
        if isinstance(command, Begin):
            self._begin(command)
        else:
            self._do(command)

    @precondition(lambda self: self.state.phase in (Phase.VISIONS, Phase.INTERPRETATION))
    @rule(data=st.data())
    def steps_that_are_taken_back(self, data: st.DataObject) -> None:
        done: list[tuple[Command, State]] = []
        for _ in range(data.draw(st.integers(1, 6))):
            steps = [command for kind in STEPS for command in moves(self.state, kind)]
            if not steps:
                break
            command, before = data.draw(st.sampled_from(steps)), self.state
            self._do(command)
            is_step = len(self.state.search(owner(command)).steps) > len(before.search(owner(command)).steps)
            done = [*done, (command, before)] if is_step else []
        for command, before in reversed(done):
            self._do(c.TakeBack(psychic=owner(command)))
            assert self.state == before

    # What stays true

    @invariant()
    def vision_cards_are_neither_lost_nor_doubled(self) -> None:
        state, deck = self.state, self.state.deck
        before_psychics = [card for search in state.searches for card in search.vision_cards]
        everywhere = sorted([*deck.hand, *deck.pile, *deck.discard, *before_psychics, *state.ending.shared])
        assert everywhere == (ALL_VISIONS if state.setup.visions is Visions.DEALT else [])
        assert len(deck.hand) <= state.setup.edition.hand

    @invariant()
    def the_hand_is_full_while_there_is_a_card_to_draw(self) -> None:
        state, deck = self.state, self.state.deck
        if state.setup.visions is Visions.DEALT and state.phase is Phase.VISIONS and (deck.pile or deck.discard):
            assert len(deck.hand) == state.setup.edition.hand

    @invariant()
    def psychic_cards_are_neither_lost_nor_doubled(self) -> None:
        table, ending = self.state.table, self.state.ending
        found = [card for search in self.state.searches for card in search.found]
        grouped = [card for group in ending.groups for card in group.cards]
        if not ending.groups:
            assert sorted([*table.character, *table.location, *table.object, *found]) == self.laid_out
        assert len(set(found)) == len(found)
        assert len(set(grouped)) == len(grouped)
        assert set(found) | set(grouped) <= set(self.laid_out)

    @invariant()
    def no_two_psychics_share_a_secret_card(self) -> None:
        secret = [card for search in self.state.searches if search.secret for card in search.secret.cards()]
        assert len(set(secret)) == len(secret)
        assert set(secret) <= set(self.laid_out)

    @invariant()
    def clairvoyancy_tokens_are_neither_lost_nor_doubled(self) -> None:
        lying = Counter(token.by for token in self.state.tokens)
        assert len({(token.by, token.on) for token in self.state.tokens}) == len(self.state.tokens)
        for search in self.state.searches:
            unspent = 0 if self.state.phase is Phase.MANIFESTATION else lying[search.psychic]
            if self.state.phase is not Phase.OVER:
                assert search.tokens_left + unspent + self.spent[search.psychic] == self.state.setup.tokens
            assert search.tokens_left + lying[search.psychic] <= self.state.setup.tokens
            assert search.tokens_left >= 0

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
        finished = self.state.phase is Phase.OVER
        assert finished is (self.state.outcome is not None)
        if finished:
            asked = [any_command(Random(seed).choice, self.state) for seed in range(40)]
            accepted = [command for command in asked if is_legal(self.state, command)]
            assert all(isinstance(command, Begin) for command in accepted)

    @invariant()
    def the_events_alone_tell_the_state(self) -> None:
        assert self.retold == self.state

    # At the end

    def teardown(self) -> None:
        if not hasattr(self, "state"):
            return
        self._replays()
        assert sum(1 for _ in to_the_end(self.state)) < 300

    def _replays(self) -> None:
        state: State | None = None
        events: list[Event] = []
        for command in self.commands:
            state, more = apply(state, command)
            events += more
        assert state == self.state
        assert events == self.events


def _picker(data: st.DataObject) -> Pick:
    def pick(choices: Sequence[Choice], /) -> Choice:
        return data.draw(st.sampled_from(choices))

    return pick


TestAnyNight = AnyNight.TestCase
TestAnyNight.settings = THROUGHOUT
