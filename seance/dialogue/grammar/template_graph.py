"""Building a graph of words from hassil's sentence templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import permutations
from typing import NamedTuple

from hassil.expression import (
    Alternative,
    Expression,
    ListReference,
    Permutation,
    RuleReference,
    Sentence,
    Sequence,
    TextChunk,
)
from hassil.intents import RangeSlotList, SlotList, TextSlotList
from hassil.numbers import get_rbnf_engine

from seance.text_files import BadTextFile

SlotValue = str | int | float | bool
Fold = Callable[[str], str]
"""Returns a word as typed words are compared: in lower case and without accents."""

MAX_SENTENCE_STEPS = 100_000
"""How much work the graph of one template may be; the largest of ours takes 4,000 steps."""
MAX_FILE_STEPS = 1_000_000
"""How much work all templates of a file may be; ours take 60,000 steps."""
_NUMBER_STEPS = 20
"""Putting a number into words is as much work as so many steps."""
_SEPARATED_TEXTS = 2048
"""Pieces of templates whose words are kept: the same numbers and names stand in most of them."""
MAX_WORDS = 200
"""Words of the longest sentence."""


class BadSentences(BadTextFile):
    """A file of sentences cannot be turned into a graph of words."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A slot that a word fills, its value, and the list that the value comes from."""

    source: str
    slot: str
    value: SlotValue


@dataclass(eq=False, slots=True)
class Node:
    """A node of the graph, between two words."""

    arcs: dict[str, list[Arc]] = field(default_factory=dict)
    """By folded word, so that typed text needs no accents."""
    ends: list[tuple[Tag, ...]] = field(default_factory=list)
    """The tags that a sentence gets by ending here, one tuple for each way to end; empty where none ends."""


@dataclass(frozen=True, eq=False, slots=True)
class Arc:
    """One word that may come next; the tag of a value with several words is on the first of them."""

    word: str
    tags: tuple[Tag, ...]
    to: Node
    spoken: bool
    """False for what is only ever typed: digits, and names that the recogniser does not know."""


def words_of(text: str) -> list[str]:
    """Return the words of *text*, without punctuation, in lower case."""
    return _separate(text.strip(" '\u2019")).split()


class WorkLimit:
    """Bounds the work of building the graphs of one file, so that no template can take for ever."""

    def __init__(self) -> None:
        self._sentence = 0
        self._file = 0

    def begin_sentence(self) -> None:
        """Count the steps of a new sentence from zero."""
        self._sentence = 0

    def count(self, steps: int) -> None:
        """Count *steps*, or raise BadSentences where they are too many."""
        self._sentence += steps
        self._file += steps
        if self._sentence > MAX_SENTENCE_STEPS:
            raise BadSentences("it can be said in too many ways: use fewer (a;b;c), shorter lists or smaller ranges")
        if self._file > MAX_FILE_STEPS:
            raise BadSentences("the sentences up to here can be said in too many ways: leave some out")


class _Cursor(NamedTuple):
    """Where the building of a template has got to: a node, and the beginning of the word after it."""

    node: Node
    prefix: str
    tags: tuple[Tag, ...]
    spoken: bool


@dataclass(frozen=True, slots=True)
class GraphBuilder:
    """Builds the graph of a template."""

    language: str
    lists: Mapping[str, SlotList]
    rules: Mapping[str, Sentence]
    fold: Fold
    sounds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Words, folded, that the recogniser does not know, and what it hears instead."""
    limit: WorkLimit = field(default_factory=WorkLimit)

    def build(self, template: Expression, before: str = "") -> Node:
        """Return the start node of the graph of all sentences of *template*, each after *before*."""
        self.limit.begin_sentence()
        start = Node()
        cursors = self._text(f"{before} ", [_Cursor(start, "", (), True)])
        last = Node()
        for cursor in self._follow(template, cursors):
            if cursor.prefix:
                self._word(cursor, last)
            elif cursor.node is not start:
                cursor.node.ends.append(cursor.tags)
        last.ends.append(())
        if _is_longer(start, MAX_WORDS):
            raise BadSentences(f"it has more than {MAX_WORDS} words")
        return start

    def _follow(self, item: Expression, cursors: list[_Cursor]) -> list[_Cursor]:
        self.limit.count(1)
        match item:
            case TextChunk():
                return self._text(item.original_text, cursors)
            case Alternative():
                return _distinct(e for branch in item.items for e in self._follow(branch, cursors))
            case Sequence():
                for part in item.items:
                    cursors = self._follow(part, cursors)
                return cursors
            case Permutation():
                orders = (Sequence(items=list(order)) for order in permutations(item.items))
                return _distinct(e for order in orders for e in self._follow(order, cursors))
            case RuleReference():
                return self._follow(self._rule(item.rule_name), cursors)
            case ListReference():
                return _distinct(self._list(item, cursors))
        raise BadSentences(f"cannot read {item!r} in a template")

    def _rule(self, name: str) -> Expression:
        if name not in self.rules:
            raise BadSentences(f"<{name}> is used but not among the expansion_rules")
        return self.rules[name].expression

    def _text(self, text: str, cursors: list[_Cursor]) -> list[_Cursor]:
        """Add *text* to all *cursors*; its last word stays open unless a space follows."""
        self.limit.count(1 + len(cursors))
        text = _separate(text)
        pieces = text.split()
        if text[:1].isspace() or (not pieces and text):
            cursors = self._close(cursors)
        for number, piece in enumerate(pieces):
            if number:
                cursors = self._close(cursors)
            cursors = [_Cursor(e.node, e.prefix + piece, e.tags, e.spoken) for e in cursors]
        return self._close(cursors) if pieces and text[-1].isspace() else cursors

    def _close(self, cursors: list[_Cursor]) -> list[_Cursor]:
        """End the open words; all cursors that had one go on from the same new node."""
        closed = [cursor for cursor in cursors if not cursor.prefix]
        open_ = [cursor for cursor in cursors if cursor.prefix]
        if open_:
            joint = Node()
            for cursor in open_:
                self._word(cursor, joint)
            closed.append(_Cursor(joint, "", (), True))
        return closed

    def _word(self, cursor: _Cursor, to: Node) -> None:
        alike = self.sounds.get(self.fold(cursor.prefix), ())
        self._join(cursor, [cursor.prefix], to, spoken=cursor.spoken and not alike)
        for sound in alike:
            self._join(cursor, words_of(sound), to, spoken=cursor.spoken)

    def _join(self, cursor: _Cursor, words: list[str], to: Node, *, spoken: bool) -> None:
        """Add arcs for *words* from *cursor* to *to*."""
        start, tags = cursor.node, cursor.tags
        for number, word in enumerate(words, 1):
            target = to if number == len(words) else Node()
            arcs = start.arcs.setdefault(self.fold(word), [])
            if not any(a.to is target and a.word == word and a.tags == tags for a in arcs):
                arcs.append(Arc(word, tags, target, spoken))
            start, tags = target, ()

    def _list(self, reference: ListReference, cursors: list[_Cursor]) -> Iterator[_Cursor]:
        name = reference.list_name
        if (bounds := reference.get_inline_range()) is not None:
            values: SlotList | None = RangeSlotList(name, bounds[0], bounds[1], bounds[2])
        else:
            values = self.lists.get(name)
        if isinstance(values, TextSlotList):
            for value in values.values:
                tag = Tag(name, reference.slot_name, value.value_out)
                yield from self._follow(value.text_in, [_tagged(e, tag) for e in cursors])
        elif isinstance(values, RangeSlotList):
            for number in values.get_numbers():
                tag = Tag(name, reference.slot_name, number)
                yield from self._number(number, values, [_tagged(e, tag) for e in cursors])
        else:
            raise BadSentences(f"{{{name}}} has no values: an ear must know every word, so list them")

    def _number(self, number: float, said: RangeSlotList, cursors: list[_Cursor]) -> Iterator[_Cursor]:
        self.limit.count(_NUMBER_STEPS)
        if said.words:
            language = said.words_language or self.language
            for spelling in _spellings(number, language):
                yield from self._text(spelling, cursors)
        if said.digits:
            yield from self._text(str(number), [e._replace(spoken=False) for e in cursors])


@cache
def _spellings(number: float, language: str) -> tuple[str, ...]:
    """Return *number* in the words of *language*, in each way in which it is written out."""
    return tuple(dict.fromkeys(get_rbnf_engine(language).format_number(number).text_by_ruleset.values()))


def _is_longer(start: Node, words: int) -> bool:
    """Return whether a sentence from *start* has more than so many *words*."""
    nodes = {start}
    for _ in range(words + 1):
        nodes = {arc.to for node in nodes for arcs in node.arcs.values() for arc in arcs}
        if not nodes:
            return False
    return True


def _tagged(cursor: _Cursor, tag: Tag) -> _Cursor:
    return _Cursor(cursor.node, cursor.prefix, (*cursor.tags, tag), cursor.spoken)


def _distinct(cursors: Iterable[_Cursor]) -> list[_Cursor]:
    return list({(id(e.node), *e[1:]): e for e in cursors}.values())


@lru_cache(maxsize=_SEPARATED_TEXTS)
def _separate(text: str) -> str:
    """Return *text* with nothing but words, apostrophes inside them, and spaces."""
    text = text.lower().replace("\u2019", "'")
    return re.sub(r"(?<=\W)'|'(?!\w)|[^\w'\s]|_", " ", text)
