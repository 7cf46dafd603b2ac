"""What the narrator can say, sentence by sentence or clause by clause: what a slow voice makes ahead of time."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, permutations, product
from math import prod
from string import Formatter

from seance.narration.inflection import LineValue
from seance.narration.lore import NARRATOR
from seance.narration.owners_lines import lore_key
from seance.narration.script import Script
from seance.narration.script_file import SAMPLE_VALUES
from seance.rules import Category, Psychic

LISTS = frozenset(name for name, value in SAMPLE_VALUES.items() if isinstance(value, tuple))
"""Holes that are filled with any number of things."""
FREE_TEXTS = frozenset(["said", "code"])
ADDRESSES = frozenset(["name", "port"])
NUMBERS = frozenset(name for name, value in SAMPLE_VALUES.items() if isinstance(value, int)) - {"card", "place"}
FILLED_WITH: Mapping[str, tuple[LineValue, ...]] = {
    **{hole: tuple(Psychic) for hole in ("psychic", "by", "on", "other")},
    **{hole: tuple(Category) for hole in ("category", "next")},
    **{hole: tuple(range(1, 8)) for hole in NUMBERS},
    "seconds": tuple(range(0, 181, 30)),
    "hour": tuple(range(1, 8)),
    "card": tuple(range(1, 59)),
    "place": tuple(range(1, 11)),
}
"""What a hole may be filled with beside other words; lists are joined from these, and a time left from its numbers."""
MAX_FILLINGS = 18
"""Ways to fill a sentence that is made whole: a psychic and a kind of card."""
MAX_CLAUSE_FILLINGS = 60
"""Ways to fill a clause, or a sentence that is hardly more than a card: as many as there are cards."""
MAX_ECHO_FILLINGS = 360
"""Ways to fill a sentence of a psychic and a card alone: it is said as soon as somebody has chosen."""
MAX_WORDS_WITH_CARD = 2
"""Beside a card or a place, in a sentence that is hardly more than that."""

_HOLE = re.compile(r"\{[^{}]*\}")
_NEVER_ALONE = ("example.", "phrase.")
"""How keys begin whose lines stand only within others."""

Split = Callable[[str], tuple[str, ...]]


def spoken_pieces(script: Script, edition: str, *, split_sentences: Split, split_clauses: Split) -> tuple[str, ...]:
    """Return everything of a night of *edition* that a voice can make ahead of time, the story first.

    A sentence that can be filled in few ways is there whole, of another one its clauses. Those that are always said
    alike come before those that can be filled in many ways. Free texts are left out.
    """
    lore = script.lores[edition]
    told = chain(*lore.tales.values(), *(part.sentences for part in lore.opening if part.voice == NARRATOR))
    story = (sentence for text in told for sentence in split_sentences(script.fill(text, edition)))
    others = tuple(lore_key("", each) for each in script.lores if each != edition)
    lines = (
        line
        for key, variants in script.lines.items()
        if not key.startswith((*_NEVER_ALONE, *others))
        for line in variants
    )
    sentences = (
        tuple(_pieces_of_sentence(script, sentence, edition, split_clauses))
        for line in lines
        for sentence in _split_unfilled(line, split_sentences)
    )
    alike_first = sorted(sentences, key=len)
    return tuple(dict.fromkeys(chain(story, *alike_first)))


def cast_sentences(script: Script, edition: str, split_sentences: Split) -> tuple[tuple[str, str], ...]:
    """Return who of the cast says which sentences in the long opening of *edition*."""
    parts = (part for part in script.lores[edition].opening if part.voice != NARRATOR)
    return tuple(
        (part.voice, sentence)
        for part in parts
        for text in part.sentences
        for sentence in split_sentences(script.fill(text, edition))
    )


def _pieces_of_sentence(script: Script, sentence: str, edition: str, split_clauses: Split) -> Iterator[str]:
    """Yield the unfilled *sentence* in every way, or its clauses where there are too many ways."""
    if _is_bounded(script, sentence, edition):
        yield from _filled(script, sentence, edition)
        return
    for clause in _split_unfilled(sentence, split_clauses):
        holes = _holes(script, clause, edition)
        if holes <= LISTS and len(holes) == 1:
            yield from _filled_lists(script, clause, edition, holes.pop())
        elif _is_bounded(script, clause, edition):
            yield from _filled(script, clause, edition)


def _filled(script: Script, text: str, edition: str) -> Iterator[str]:
    """Yield *text* filled in every way."""
    ways = {hole: _fillings(script, edition, hole) for hole in sorted(_holes(script, text, edition))}
    names = [hole for hole, fillings in ways.items() if fillings]
    for values in product(*(ways[name] for name in names)):
        yield script.fill(text, edition, **{**SAMPLE_VALUES, **dict(zip(names, values, strict=True))})


def _filled_lists(script: Script, clause: str, edition: str, hole: str) -> Iterator[str]:
    """Yield the pieces from which every list in *clause* can be joined: single items, and the last two.

    A list beside other words is of one item.
    """
    items: tuple[LineValue, ...] = {"psychics": tuple(Psychic), "cards": FILLED_WITH["card"]}.get(hole, ())
    for item in items:
        yield script.fill(clause, edition, **{**SAMPLE_VALUES, hole: (item,)})
    if any(character.isalnum() for character in _HOLE.sub("", clause)):
        return
    for item in items:
        yield script.phrase(_HOLE.findall(clause)[0], edition, **{hole: (item,)}) + ","
    for pair in permutations(items, 2) if hole == "psychics" else ():
        yield script.fill(clause, edition, **{**SAMPLE_VALUES, hole: pair})


def _split_unfilled(line: str, split: Split) -> Iterator[str]:
    """Yield the parts of *line* with their holes, in which no mark ends anything."""
    holes = iter(_HOLE.findall(line))
    for part in split(_HOLE.sub("{}", line)):
        yield re.sub(r"\{\}", lambda _: next(holes), part)


def _holes(script: Script, text: str, edition: str) -> set[str]:
    """Return the holes of *text* that are not the edition's own words or kinds of cards."""
    known = script.inflection.edition_words(edition).own.keys() | {str(kind) for kind in Category}
    return {hole for _, hole, _, _ in Formatter().parse(text) if hole is not None} - known


def _fillings(script: Script, edition: str, hole: str) -> tuple[LineValue, ...]:
    """Return what *hole* may be filled with; nothing where that is no bounded number of words."""
    called = script.inflection.called
    own = {
        "edition": called["editions"],
        "level": script.inflection.edition_words(edition).levels or called["levels"],
        "mark": called["marks"],
    }
    return tuple(dict.fromkeys(own[hole].values())) if hole in own else FILLED_WITH.get(hole, ())


def _is_bounded(script: Script, sentence: str, edition: str) -> bool:
    """Return whether *sentence* can be filled in few ways, or is hardly more than a card or a place."""
    holes = _holes(script, sentence, edition)
    ways = prod(len(_fillings(script, edition, hole)) or MAX_CLAUSE_FILLINGS + 1 for hole in holes)
    if holes == {"psychic", "card"} and not re.search(r"\w", _HOLE.sub(" ", sentence)):
        return ways <= MAX_ECHO_FILLINGS
    is_bare = len(_HOLE.sub(" ", sentence).split()) <= MAX_WORDS_WITH_CARD
    return ways <= (MAX_CLAUSE_FILLINGS if is_bare else MAX_FILLINGS)
