"""What psychics did this turn, so that "undo that" needs no name."""

from collections.abc import Iterable
from dataclasses import replace

from seance.dialogue.conversation_state import UndoStep
from seance.rules import Event, Psychic
from seance.rules import events as e

MAX_STEPS = 256
"""As many as the rules let one psychic take back."""


def update_undo_steps(done: tuple[UndoStep, ...], events: Iterable[Event]) -> tuple[UndoStep, ...]:
    """Return the steps that can be taken back after *events*."""
    for event in events:
        match event:
            case e.VisionGiven(psychic, _, None):
                done = (*done, UndoStep(psychic=psychic, what="vision"))
            case e.IntuitionPlaced(psychic, card):
                done = _add_step(done, UndoStep(psychic=psychic, what="intuition", value=card))
            case e.BetPlaced(by, on, agrees):
                done = _add_step(done, UndoStep(psychic=by, what="bet", value=int(agrees), on=on))
            case e.BetWithdrawn(by, on):
                done = _add_step(done, UndoStep(psychic=by, what="bet", on=on))
            case e.TakenBack(psychic, _):
                done = _remove_last_step(done, psychic)
            case e.NightBegun() | e.TimeCalled() | e.HourStruck() | e.NightEnded():
                done = ()
    return done[-MAX_STEPS:]


def _add_step(done: tuple[UndoStep, ...], step: UndoStep) -> tuple[UndoStep, ...]:
    """Return *done* with *step*, unless it changes nothing."""
    alike = [each for each in done if replace(each, value=step.value) == step]
    return done if alike and alike[-1] == step else (*done, step)


def _remove_last_step(done: tuple[UndoStep, ...], psychic: Psychic) -> tuple[UndoStep, ...]:
    """Return *done* without the last step of *psychic*; without a choice, the bets on it go too."""
    last = next((at for at in reversed(range(len(done))) if done[at].psychic is psychic), None)
    if last is None:
        return done
    step, rest = done[last], done[:last] + done[last + 1 :]
    chosen = any(each.psychic is psychic and each.what == "intuition" for each in rest)
    if step.what == "intuition" and not chosen:
        rest = tuple(each for each in rest if each.on is not psychic)
    return rest
