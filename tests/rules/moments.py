"""Moments of nights with every set-up, and the shortest way from each to the end."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from random import Random
from typing import NamedTuple

from seance.rules import EDITIONS, Begin, Command, Deal, Event, Phase, State, Visions, apply, moves
from seance.rules import commands as c
from seance.rules.bots import Company, play
from seance.rules.terms import Ballot

AHEAD = 6
"""Commands that are remembered after a moment."""

SETUPS: Mapping[str, Begin] = {
    f"{variant or edition.name} {level} for {players}, {deal} deal, {visions} visions": Begin(
        edition=edition, players=players, level=level, deal=deal, visions=visions, variant=variant
    )
    for edition in EDITIONS.values()
    for variant in (None, *edition.variants)
    for level in edition.levels
    for players in edition.players
    for deal in Deal
    for visions in Visions
}
"""All ways to begin a night; a seed is still to be chosen."""


def every_night(first_seed: int = 0) -> Iterator[tuple[Begin, Random]]:
    """Yield every set-up with a seed and a source of chance of its own."""
    for seed, begin in enumerate(SETUPS.values(), start=first_seed):
        yield replace(begin, seed=seed), Random(seed)


class Moment(NamedTuple):
    """A point of a night."""

    state: State
    told: tuple[Event, ...]
    """All events so far."""
    follows: tuple[Command, ...]
    """What was asked next."""


def moments(night: Iterable[tuple[Command, State, tuple[Event, ...]]], chance: Random) -> Iterator[Moment]:
    """Yield one moment of each phase that *night* comes through."""
    commands, told = list[Command](), list[Event]()
    by_phase: dict[Phase, list[tuple[State, int, int]]] = {}
    for command, state, events in night:
        commands.append(command)
        told += events
        by_phase.setdefault(state.phase, []).append((state, len(commands), len(told)))
    for phase in by_phase.values():
        state, asked, happened = chance.choice(phase)
        yield Moment(state, tuple(told[:happened]), tuple(commands[asked : asked + AHEAD]))


@cache
def every_moment(first_seed: int = 0) -> tuple[tuple[State, int], ...]:
    """Return a moment of each phase of a plausible night of every set-up, each with a seed for what comes next."""
    nights = (moments(play(begin, any_company(chance)), chance) for begin, chance in every_night(first_seed))
    return tuple((moment.state, seed) for seed, moment in enumerate(chain.from_iterable(nights)))


def any_company(chance: Random) -> Company:
    """Return a table that is plausible, poor or good at finding cards, or perfect and never bets right."""
    accuracy = chance.choice((None, 0.1, 0.5, 0.9))
    even = Quarrel(chance, accuracy=1.0, insight=0.0)
    return chance.choice((Company(chance, accuracy=accuracy), Quarrel(chance, accuracy=accuracy), even, even))


class Quarrel(Company):
    """A table that finds its cards and then votes at random, so that ties come about."""

    def choose(self, state: State) -> Command:
        """Return what a sensible table would do next, until it votes."""
        if state.phase is Phase.VOTE:
            self.skill = 0.0
        return super().choose(state)


LONGEST_WAY = 200
"""Commands; a night that needs more does not come to an end."""


def to_the_end(state: State) -> Iterator[tuple[Command, State]]:
    """Yield the commands that lead from *state* to the end, by no crow, no broken silence and no giving up."""
    while state.phase is not Phase.OVER:
        command = next(_forward(state), None)
        if command is None:
            raise AssertionError(f"the night cannot go on: {state}")
        state, _ = apply(state, command)
        yield command, state


def _forward(state: State) -> Iterator[Command]:
    for kind in _FORWARD:
        yield from (command for command in moves(state, kind) if _leads_on(state, command))


def _leads_on(state: State, command: Command) -> bool:
    """Return whether *command* does something that is not done yet; psychics know their cards, and suspect group 1."""
    if isinstance(command, c.PlaceIntuition):
        search = state.search(command.psychic)
        return search.intuition is None and (search.secret is None or command.card in search.secret.cards())
    if isinstance(command, c.PointAt):
        pointing = state.ending.pointing
        return command.group == _suspect(state) and Ballot(command.by, command.group) not in pointing
    if isinstance(command, c.Vote):
        player = state.setup.player_of
        agreed = {player(ballot.by) for ballot in state.ending.ballots if ballot.group == _suspect(state)}
        return command.group == _suspect(state) and player(command.by) not in agreed
    return True


def _suspect(state: State) -> int:
    return state.ending.groups[0].group


_FORWARD = (
    c.Accuse, c.NameEldest, c.Vote, c.TurnSharedVision, c.PointAt, c.LaySharedVision, c.ChooseCulprit, c.Manifest,
    c.GiveVision, c.PlaceIntuition, c.TurnSand, c.CallTime,
)  # fmt: skip
