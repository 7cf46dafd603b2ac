"""What counts of what is heard while the house is speaking, and when it holds its tongue until that is decided."""

from __future__ import annotations

from math import inf
from typing import Protocol

from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.interruptions import STOPPING, counts_while_speaking

_LEAD_S = 0.3
"""Seconds by which an utterance seems to begin before its first sound."""
_HOLD_S = 0.6
"""Seconds for which the voice is held after the words that silence it: by then it is known whether they were meant."""
_MAX_HOLD_S = 2.5


class OwnVoice(Protocol):
    """Knows where nothing but the house's own voice was heard, by the seconds of sound that it was given."""

    @property
    def heard_s(self) -> float:
        """Seconds of sound so far."""
        ...

    def is_own_voice(self, began_s: float, ended_s: float) -> bool:
        """Return whether it was that and nothing else between two times."""
        ...


class Interruption:
    """Judges sentences by when the house was speaking, in seconds of the recogniser's clock."""

    def __init__(self, own_voice: OwnVoice | None = None) -> None:
        self._own_voice = own_voice
        self._ahead_s = 0.0
        """By how much the clock of *own_voice* is ahead of the recogniser's."""
        self._spoken_until_s = -inf
        self._held_from_s = self._held_until_s = -inf
        self._held_for: Intent | None = None
        """What was understood when the voice was held last."""
        self._held_for_words_since_s = inf
        """When those words began, which were not the house's own."""

    def note_speaking(self, now_s: float) -> None:
        """Note that the house is speaking at *now_s*."""
        self._spoken_until_s = now_s

    def follow_clock(self, now_s: float) -> None:
        """Note that all sound until *now_s* has arrived at the recogniser, and the next block is about to."""
        if self._own_voice is not None:
            self._ahead_s = self._own_voice.heard_s - now_s

    def takes(self, text: str, intent: Intent | None, began_s: float, ended_s: float, *, confidence: float) -> bool:
        """Return whether a sentence counts that was heard between two times; one that means nothing always does."""
        is_over_voice = began_s + _LEAD_S < self._spoken_until_s
        if intent is None or not is_over_voice or self.takes_doubtful(intent, began_s, ended_s):
            return True
        return counts_while_speaking(text, intent, confidence) and not self._is_own_voice(began_s, ended_s)

    def was_held(self, began_s: float) -> bool:
        """Return whether the voice was held for an utterance that began at *began_s*."""
        return self._held_for is not None and began_s <= self._held_from_s

    def takes_doubtful(self, intent: Intent | None, began_s: float, ended_s: float) -> bool:
        """Return whether *intent*, which the recogniser does not accept, counts because the voice was held for it.

        Silence costs the least if it was not meant: "go on" tells what was cut off. That a guest said it is known from
        when the voice was held: before and after, the house may have been heard in the same utterance.
        """
        has_those_words = self.was_held(began_s) and ended_s >= self._held_for_words_since_s
        return has_those_words and intent == self._held_for

    def holds(self, partial_intent: Intent | None, began_s: float | None, now_s: float) -> bool:
        """Return whether to hold the voice at *now_s*, when words since *began_s* could mean *partial_intent*."""
        if now_s > self._spoken_until_s:
            return False
        is_stopping = partial_intent is not None and partial_intent.name in STOPPING
        if is_stopping and began_s is not None and not self._is_own_voice(began_s, now_s):
            self._held_for, self._held_for_words_since_s = partial_intent, began_s
            if now_s >= self._held_until_s:
                self._held_from_s = now_s
            self._held_until_s = min(now_s + _HOLD_S, self._held_from_s + _MAX_HOLD_S)
        return now_s < self._held_until_s

    def _is_own_voice(self, began_s: float, ended_s: float) -> bool:
        """Return whether the house itself was heard between two times, and nobody else."""
        if self._own_voice is None:
            return False
        return self._own_voice.is_own_voice(began_s + self._ahead_s, ended_s + self._ahead_s)
