"""Endpointing: how much trailing silence ends an utterance, by the state of its partial result."""

from __future__ import annotations

from enum import Enum

from seance.hearing.active_grammar import Grammar

LOW_SNR_DB = 18.0
"""Signal-to-noise ratio below which the room may drown words in the middle of a sentence."""
LOW_SNR_TIMEOUT_FACTOR = 1.6
"""How much longer an utterance may pause there, unless it is complete."""


class PartialState(Enum):
    """What the words decoded so far are in the grammar; the value is the trailing-silence timeout in seconds."""

    COMPLETE = 0.28
    """A complete sentence."""
    NO_MATCH = 0.36
    """Neither a sentence nor a prefix of one."""
    CONTINUABLE = 0.42
    """A complete sentence that is a prefix of another one."""
    EXTENSIBLE = 0.75
    """A complete sentence to which more could be added: people pause before they do."""
    PREFIX = 0.80
    """The beginning of a sentence."""

    @property
    def is_sentence(self) -> bool:
        """Whether the words are a complete sentence."""
        return self in (PartialState.COMPLETE, PartialState.CONTINUABLE, PartialState.EXTENSIBLE)

    @property
    def could_go_on(self) -> bool:
        """Whether more words of the same sentence could follow."""
        return self in (PartialState.CONTINUABLE, PartialState.EXTENSIBLE, PartialState.PREFIX)


def partial_state(text: str, grammar: Grammar) -> PartialState:
    """Return the state of the partial result *text*."""
    if text and grammar.parse(text) is not None:
        if grammar.could_extend(text):
            return PartialState.EXTENSIBLE
        return PartialState.CONTINUABLE if grammar.could_continue(text) else PartialState.COMPLETE
    return PartialState.PREFIX if text and grammar.is_prefix(text) else PartialState.NO_MATCH


def silence_timeout_s(state: PartialState, *, snr_db: float) -> float:
    """Return the seconds of trailing silence that end an utterance whose partial result is in *state*."""
    may_be_drowned = state is not PartialState.COMPLETE and snr_db < LOW_SNR_DB
    return state.value * (LOW_SNR_TIMEOUT_FACTOR if may_be_drowned else 1.0)
