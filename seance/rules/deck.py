"""Filling the ghost's hand (L4, L11)."""

from seance.rules import events as e
from seance.rules.chance import shuffled
from seance.rules.course import Passage
from seance.rules.state import State
from seance.rules.terms import Visions


def draw_back(state: State) -> Passage:
    """Draw until the hand is full or no card is left; do nothing where visions are only counted."""
    setup = state.setup
    while setup.visions is Visions.DEALT and (missing := setup.edition.hand - len(state.deck.hand)) > 0:
        if not state.deck.pile:
            if not state.deck.discard:
                break
            purpose = f"visions/{state.deck.shuffles}"
            state = yield e.PileShuffled(shuffled(setup.seed, purpose, state.deck.discard))
        state = yield e.HandDrawn(state.deck.pile[:missing])
    return state
