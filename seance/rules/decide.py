"""The entry to the rules: a command becomes events, or is refused."""

from collections.abc import Callable, Mapping
from typing import Any

from seance.rules import commands as c
from seance.rules import events as e
from seance.rules import refusals as r
from seance.rules.begin import begin
from seance.rules.course import Course
from seance.rules.evolve import evolve
from seance.rules.lineup import choose_culprit, number_groups
from seance.rules.names import wire_name
from seance.rules.state import State
from seance.rules.terms import Phase, Reason
from seance.rules.turn import (
    bet,
    call_time,
    correct_answer,
    give_vision,
    manifest,
    place_intuition,
    take_back,
    turn_sand,
    use_crow,
    withdraw_bet,
)
from seance.rules.verdict import accuse, close_poll, lay_shared_vision, name_eldest, point_at, turn_shared_vision, vote


def apply(state: State | None, command: c.Command) -> tuple[State, tuple[e.Event, ...]]:
    """Return the state after *command* and the events that led there, or raise Refusal.

    Before the first night the state is None.
    """
    course = decide(state, command)
    event = next(course)
    events = [event]
    while True:
        state = evolve(state, event)
        try:
            event = course.send(state)
        except StopIteration:
            return state, tuple(events)
        events.append(event)


def decide(state: State | None, command: c.Command) -> Course:
    """Return the events that *command* leads to, as a course; it is refused here or at the first event."""
    if isinstance(command, c.Begin):
        return begin(state, command)
    if state is None:
        raise r.NoNight
    kind = type(command)
    if kind not in ALLOWED[state.phase]:
        raise _not_possible(state, kind)
    return _RULES[kind](state, command)


def _not_possible(state: State, kind: type[c.Command]) -> r.Refusal:
    """Return the refusal of a *kind* of command that this phase does not have."""
    setup, name = state.setup, wire_name(kind)
    if state.phase is Phase.OVER:
        return r.NightOver(name)
    if kind is c.TurnSand and setup.edition.sand_seconds is None:
        return r.NoSand(setup.edition.name)
    if kind is c.ChooseCulprit and setup.edition.culprit_is_drawn:
        return r.CulpritIsDrawn(setup.edition.name)
    return r.NotNow(name, state.phase, state.hour)


def break_silence(state: State, _: c.BreakSilence) -> Course:
    """End the night in defeat, in editions where a broken silence is fatal (I5)."""
    if not state.setup.edition.silence_is_fatal:
        raise r.SilenceNotFatal(state.setup.edition.name)
    yield e.SilenceBroken()
    yield e.NightEnded(won=False, reason=Reason.SILENCE_BROKEN)


def abandon(_state: State, _: c.Abandon) -> Course:
    """End the night at once (S4)."""
    yield e.NightEnded(won=False, reason=Reason.ABANDONED)


_ALWAYS = frozenset({c.UseCrow, c.BreakSilence, c.Abandon})
_TALKING = frozenset({c.PlaceIntuition, c.Bet, c.WithdrawBet, c.TakeBack, c.CallTime})

ALLOWED: Mapping[Phase, frozenset[type[c.Command]]] = {
    Phase.VISIONS: _ALWAYS | _TALKING | {c.GiveVision, c.TurnSand},
    Phase.INTERPRETATION: _ALWAYS | _TALKING,
    Phase.MANIFESTATION: _ALWAYS | {c.Manifest, c.CorrectAnswer},
    Phase.LINEUP: _ALWAYS | {c.NumberGroups, c.ChooseCulprit},
    Phase.SHARED_VISION: _ALWAYS | {c.LaySharedVision},
    Phase.VOTE: _ALWAYS | {c.TurnSharedVision, c.ClosePoll, c.Vote},
    Phase.ELDEST: _ALWAYS | {c.NameEldest},
    Phase.ACCUSATION: _ALWAYS | {c.PointAt, c.Accuse},
    Phase.OVER: frozenset(),
}
"""The commands of each phase; `Begin` belongs to none."""

_RULES: Mapping[type[c.Command], Callable[[State, Any], Course]] = {
    c.GiveVision: give_vision,
    c.UseCrow: use_crow,
    c.TurnSand: turn_sand,
    c.PlaceIntuition: place_intuition,
    c.Bet: bet,
    c.WithdrawBet: withdraw_bet,
    c.CallTime: call_time,
    c.Manifest: manifest,
    c.CorrectAnswer: correct_answer,
    c.NumberGroups: number_groups,
    c.ChooseCulprit: choose_culprit,
    c.LaySharedVision: lay_shared_vision,
    c.TurnSharedVision: turn_shared_vision,
    c.ClosePoll: close_poll,
    c.Vote: vote,
    c.NameEldest: name_eldest,
    c.PointAt: point_at,
    c.Accuse: accuse,
    c.BreakSilence: break_silence,
    c.TakeBack: take_back,
    c.Abandon: abandon,
}
