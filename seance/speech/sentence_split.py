"""Splits a text into sentences, and a sentence into clauses."""

import re

_SENTENCE_END = re.compile(r"(?<=[.!?…])(?:[”»\")]*)\s+(?![»”])")
"""A French question mark and closing quotation mark stand after a space, which ends no sentence."""
_CLAUSE_END = re.compile(r"(?<=[,;:])\s+")


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of *text*."""
    return tuple(sentence for part in _SENTENCE_END.split(text) if (sentence := part.strip()))


def split_clauses(sentence: str) -> tuple[str, ...]:
    """Return the clauses of *sentence*, each with the mark that ends it."""
    return tuple(clause for part in _CLAUSE_END.split(sentence) if (clause := part.strip()))
