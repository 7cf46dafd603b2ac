"""Parses typed text: the guests' sentences and the ghost's commands."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from seance.codec import NotACommand, decode_command, view_fields
from seance.dialogue.expected_intents import ExpectedIntents
from seance.dialogue.ghost_commands import NotAnOrder, parse_order
from seance.dialogue.grammar.sentences import Ambiguous, Intent, Sentences
from seance.ghost_words import GhostWords
from seance.rules import Command, Edition, RoomView


def match_intent(text: str, sentences: Sentences, expected: ExpectedIntents) -> Intent | None:
    """Return the intent of *text*: one that is *expected* now, else any of *sentences*; None without a match.

    A row may name any card: nothing is misheard here, and the guests are told which card is wrong.
    """
    try:
        return replace(expected, drawn=None).narrow(sentences).match(text) or sentences.match(text)
    except Ambiguous:
        return None


def is_two_digits(text: str) -> bool:
    """Tell whether *text* is two digits, as they answer the question about the ghost's seat."""
    return len(text) == 2 and text.isascii() and text.isdecimal()


def parse_ghost_command(
    text: str, room: RoomView, *, editions: Mapping[str, Edition], ghost_words: GhostWords
) -> Command:
    """Return the ghost's command that *text* spells, or raise NotAnOrder."""
    fields = parse_order(text, msgspec.to_builtins(view_fields(room)), ghost_words)
    try:
        return decode_command(fields, editions)
    except NotACommand:
        raise NotAnOrder(ghost_words.explain_incomplete(text, room.edition)) from None
