"""Which sentences count while the house itself is speaking."""

from seance.dialogue.grammar.sentences import Intent

STOPPING = frozenset({"hush", "pause"})
"""Intents that silence the house."""
_SHORT = STOPPING | {"repeat", "yes", "no"}
"""Intents that may be a single word: they end or hold the telling, or answer a question that was just asked."""
_LEAST_WORDS = 2
"""Of any other sentence: what is left of the house's own voice may sound like a single word."""


def counts_while_speaking(text: str, intent: Intent) -> bool:
    """Return whether *text*, which means *intent*, is taken for a command while the house is speaking."""
    return intent.name in _SHORT or len(text.split()) >= _LEAST_WORDS
