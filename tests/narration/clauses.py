"""The clauses of lines, and what fills them: what a voice can make ahead of time, piece by piece."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import Formatter

from seance.narration.script import LineValue, Script
from seance.narration.script_file import SAMPLE_VALUES
from seance.narration.spoken_pieces import ADDRESSES, FILLED_WITH, FREE_TEXTS, LISTS, NUMBERS
from seance.rules import EDITIONS, Category

__all__ = ["FREE_TEXTS", "LISTS", "NUMBERS", "Clause", "clauses_of", "spoken_pieces"]

_CLAUSE_END = re.compile(r"[.,:;?!]+(?:\s|$)")
_HOLE = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Clause:
    """What stands between two marks of a line, unfilled."""

    text: str
    holes: frozenset[str]
    """Its holes, but for words of the edition and kinds of cards."""
    words: int
    """How many words it has besides its holes."""


def clauses_of(script: Script, line: str) -> Iterator[Clause]:
    """Yield the clauses of *line*, an unfilled variant."""
    own = script.inflection.edition_words(None).own
    holes = _HOLE.findall(line)
    for text in filter(None, map(str.strip, _CLAUSE_END.split(_HOLE.sub("{}", line)))):
        while "{}" in text:
            text = text.replace("{}", holes.pop(0), 1)
        names = {hole for _, hole, _, _ in Formatter().parse(text) if hole is not None}
        fillings = {name for name in names if name not in own and not isinstance(SAMPLE_VALUES[name], Category)}
        yield Clause(text, frozenset(fillings), len(_HOLE.sub(" ", text).split()))


def spoken_pieces(script: Script, line: str) -> Iterator[str]:
    """Yield every text that a clause of *line* can be, in the words of every edition; none for lists and free texts."""
    for clause in clauses_of(script, line):
        if clause.holes & (LISTS | FREE_TEXTS | ADDRESSES):
            continue
        names = {hole for _, hole, _, _ in Formatter().parse(clause.text) if hole in FILLED_WITH}
        for edition in EDITIONS:
            for values in _products(sorted(names)):
                yield script.fill(clause.text, edition, **{**SAMPLE_VALUES, **values})


def _products(names: list[str]) -> Iterator[dict[str, LineValue]]:
    if not names:
        yield {}
        return
    first, *rest = names
    for value in FILLED_WITH[first]:
        yield from ({first: value, **others} for others in _products(rest))
