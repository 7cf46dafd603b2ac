"""Who did what last, so that "undo that" needs no name; the rules know what it undoes."""

from collections.abc import Iterable
from dataclasses import replace

from seance.dialogue.conversation_state import Done
from seance.rules import Event, Psychic
from seance.rules import events as e

MOST_KEPT = 256
"""As much as the rules themselves let a psychic take back."""


def remembered(done: tuple[Done, ...], events: Iterable[Event]) -> tuple[Done, ...]:
    """Return what can be taken back after *events*."""
    for event in events:
        match event:
            case e.VisionGiven(psychic, _, None):
                done = (*done, Done(psychic=psychic, what="vision"))
            case e.IntuitionPlaced(psychic, card):
                done = _changed(done, Done(psychic=psychic, what="intuition", value=card))
            case e.BetPlaced(by, on, agrees):
                done = _changed(done, Done(psychic=by, what="bet", value=int(agrees), on=on))
            case e.BetWithdrawn(by, on):
                done = _changed(done, Done(psychic=by, what="bet", on=on))
            case e.TakenBack(psychic, _):
                done = _undone(done, psychic)
            case e.NightBegun() | e.TimeCalled() | e.HourStruck() | e.NightEnded():
                done = ()
    return done[-MOST_KEPT:]


def _changed(done: tuple[Done, ...], step: Done) -> tuple[Done, ...]:
    """Return *done* with *step*, unless it says what the psychic had said already: that is no step."""
    alike = [each for each in done if replace(each, value=step.value) == step]
    return done if alike and alike[-1] == step else (*done, step)


def _undone(done: tuple[Done, ...], psychic: Psychic) -> tuple[Done, ...]:
    """Return *done* without the last step of *psychic*; with a first choice, the tokens on it are gone too."""
    last = next((at for at in reversed(range(len(done))) if done[at].psychic is psychic), None)
    if last is None:
        return done
    step, rest = done[last], done[:last] + done[last + 1 :]
    chosen = any(each.psychic is psychic and each.what == "intuition" for each in rest)
    if step.what == "intuition" and not chosen:
        rest = tuple(each for each in rest if each.on is not psychic)
    return rest
