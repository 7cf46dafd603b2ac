"""What counts of what is heard while the house is speaking, and when it holds its tongue until that is decided."""

from __future__ import annotations

from math import inf

from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.interruptions import STOPPING, counts_while_speaking

_LEAD_S = 0.3
"""Seconds by which an utterance seems to begin before its first sound."""
_HOLD_S = 0.6
"""Seconds for which the voice is held after the words that silence it: by then it is known whether they were meant."""
_MAX_HOLD_S = 2.5
_MIN_SNR_DB = 30.0
"""The least signal-to-noise ratio of words that silence the house although the recogniser doubts them: what is left of
the house's own voice has less."""


class Interruption:
    """Judges sentences by when the house was speaking, in seconds of the recogniser's clock."""

    def __init__(self) -> None:
        self._spoken_until_s = -inf
        self._held_from_s = self._held_until_s = -inf
        self._held_for: Intent | None = None
        """What was understood when the voice was held last."""

    def note_speaking(self, now_s: float) -> None:
        """Note that the house is speaking at *now_s*."""
        self._spoken_until_s = now_s

    def takes(self, text: str, intent: Intent | None, began_s: float, *, confidence: float) -> bool:
        """Return whether a sentence counts that began at *began_s*; one that means nothing always does."""
        is_over_voice = began_s + _LEAD_S < self._spoken_until_s
        return intent is None or not is_over_voice or counts_while_speaking(text, intent, confidence)

    def was_held(self, began_s: float) -> bool:
        """Return whether the voice was held for an utterance that began at *began_s*."""
        return self._held_for is not None and began_s <= self._held_from_s

    def takes_doubtful(self, intent: Intent | None, began_s: float, snr_db: float) -> bool:
        """Return whether *intent*, which the recogniser does not accept, counts because the voice was held for it.

        Silence costs the least if it was not meant: "go on" tells what was cut off.
        """
        return self.was_held(began_s) and intent == self._held_for and snr_db >= _MIN_SNR_DB

    def holds(self, partial_intent: Intent | None, now_s: float) -> bool:
        """Return whether the voice is to be held at *now_s*, when what is being said could mean *partial_intent*."""
        if now_s > self._spoken_until_s:
            return False
        if partial_intent is not None and partial_intent.name in STOPPING:
            self._held_for = partial_intent
            if now_s >= self._held_until_s:
                self._held_from_s = now_s
            self._held_until_s = min(now_s + _HOLD_S, self._held_from_s + _MAX_HOLD_S)
        return now_s < self._held_until_s
