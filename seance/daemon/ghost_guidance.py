"""What the ghost is told to type next."""

from collections.abc import Sequence

from seance.dialogue.ghost_commands import COMMANDS
from seance.dialogue.next_step import GhostMove
from seance.ghost_words import GhostWords
from seance.rules import wire_name


def phrase_move(move: GhostMove, ghost_words: GhostWords, *, cards: Sequence[int] = ()) -> str:
    """Return what the ghost types for *move*, such as `ghost vision red`, with *cards* where they are dealt."""
    texts, name = ghost_words.texts, wire_name(move.command)
    order = next(order for order, command in COMMANDS.items() if command == name)
    words = [texts.ghost[0], texts.orders[order][0]]
    if move.psychic is not None:
        words.append(texts.colours[move.psychic][0])
    words += [str(number) for number in (move.group, *cards) if number is not None]
    return " ".join([*words, texts.yes[0]] if move.has_answer else words)
