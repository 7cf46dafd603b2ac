"""The grammar of the moment: the sentences that may be said now, as a word graph and as functions of a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from seance.hearing.decoder_graph import WordGraph


@dataclass(frozen=True, slots=True)
class Grammar:
    """The sentences that may be said now."""

    graph: WordGraph
    parse: Callable[[str], Any]
    """Returns the intent of a text, or None when it is not one complete sentence."""
    could_continue: Callable[[str], bool] = lambda _: False
    """Tells whether more words could turn a complete sentence into another one."""
    could_extend: Callable[[str], bool] = lambda _: False
    """Tells whether more words could add to the meaning of a complete sentence."""
    is_prefix: Callable[[str], bool] = lambda _: False
    """Tells whether a sentence begins with a text."""
    prior: Callable[[Any], float] = lambda _: 1.0
    """Returns how likely an intent is at this moment beside others, from 0 to 1."""
    fillers: tuple[str, ...] = ()
    """Words without meaning that people say before, between and after those of the graph."""
