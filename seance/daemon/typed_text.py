"""What typed words mean, the guests' and the ghost's; what follows from it is not known here."""

from collections.abc import Mapping

import msgspec

from seance.codec import decode_command, view_fields
from seance.dialogue.expected_intents import ExpectedIntents
from seance.dialogue.ghost_commands import parse_command
from seance.dialogue.grammar.sentences import Ambiguous, Intent, Sentences
from seance.rules import Command, Edition, RoomView


def understood(words: str, sentences: Sentences, now: ExpectedIntents) -> Intent | None:
    """Return what *words* mean to what may be said *now*, else to anything that can be said at all."""
    try:
        return now.narrow(sentences).match(words) or sentences.match(words)
    except Ambiguous:
        return None


def ghosts_command(words: str, room: RoomView, editions: Mapping[str, Edition]) -> Command:
    """Return what the ghost asks for by *words*, or raise NotACommand."""
    return decode_command(parse_command(words, msgspec.to_builtins(view_fields(room))), editions)
