"""Which sentences count while the house itself is speaking."""

from seance.dialogue.grammar.sentences import Intent

STOPPING = frozenset({"hush", "pause"})
"""Intents that silence the house."""
_SHORT = frozenset({"repeat", "yes", "no"})
"""Other intents that may be a single word: they change the telling, or answer a question that was just asked."""
_LEAST_WORDS = 2
"""Of any other sentence: what is left of the house's own voice may sound like a single word."""
_MAX_SHORT_WORDS = 2
_MIN_SHORT_CONFIDENCE = 0.65
"""The least confidence in a sentence of so few words that does not silence the house: it may be the house's own."""


def counts_while_speaking(text: str, intent: Intent, confidence: float) -> bool:
    """Return whether *text*, which means *intent*, is taken for a command while the house is speaking."""
    if intent.name in STOPPING:
        return True
    words = len(text.split())
    is_clear = words > _MAX_SHORT_WORDS or confidence >= _MIN_SHORT_CONFIDENCE
    return is_clear and (words >= _LEAST_WORDS or intent.name in _SHORT)
