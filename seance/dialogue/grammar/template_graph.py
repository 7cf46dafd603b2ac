"""Hassil's sentence templates as a graph of words; it knows neither the game nor a language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
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

Value = str | int | float | bool


class BadSentences(ValueError):
    """A file of sentences cannot be turned into words that an ear could hear."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A slot that is filled by a word, and the list that its value comes from."""

    source: str
    slot: str
    value: Value


@dataclass(eq=False, slots=True)
class Node:
    """A place between two words."""

    arcs: dict[str, list[Arc]] = field(default_factory=dict)
    """By the folded word, so that typed text needs no accents."""
    ends: list[tuple[Tag, ...]] = field(default_factory=list)
    """The tags of each way in which a sentence may end here."""


@dataclass(frozen=True, eq=False, slots=True)
class Arc:
    """One word that may come next; a value's tag is on its first word."""

    word: str
    tags: tuple[Tag, ...]
    to: Node
    spoken: bool
    """False for what is only ever typed: digits, and names that no ear knows."""


def fold(word: str) -> str:
    """Return *word* in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", word.lower().replace("œ", "oe"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def words_of(text: str) -> list[str]:
    """Return the words of *text*, without punctuation, in lower case."""
    return _separate(text.strip(" '\u2019")).split()


class _Entry(NamedTuple):
    """Where a template has got to: a node, and what is not yet a whole word after it."""

    node: Node
    prefix: str
    tags: tuple[Tag, ...]
    spoken: bool


@dataclass(frozen=True, slots=True)
class Weaver:
    """Turns templates into nodes and arcs."""

    language: str
    lists: Mapping[str, SlotList]
    rules: Mapping[str, Sentence]
    sounds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Folded words that the ear does not know -> what it hears instead."""

    def weave(self, template: Expression, before: str = "") -> Node:
        """Return the node from which every sentence of *template* starts, said after *before*."""
        start = Node()
        entries = self._text(f"{before} ", [_Entry(start, "", (), True)])
        last = Node()
        for entry in self._follow(template, entries):
            if entry.prefix:
                self._word(entry, last)
            elif entry.node is not start:
                entry.node.ends.append(entry.tags)
        last.ends.append(())
        return start

    def _follow(self, item: Expression, entries: list[_Entry]) -> list[_Entry]:
        match item:
            case TextChunk():
                return self._text(item.original_text, entries)
            case Alternative():
                return _distinct(e for branch in item.items for e in self._follow(branch, entries))
            case Sequence():
                for part in item.items:
                    entries = self._follow(part, entries)
                return entries
            case Permutation():
                orders = [Sequence(items=list(order)) for order in permutations(item.items)]
                return _distinct(e for order in orders for e in self._follow(order, entries))
            case RuleReference():
                return self._follow(self._rule(item.rule_name), entries)
            case ListReference():
                return _distinct(self._list(item, entries))
        raise BadSentences(f"cannot read {item!r} in a template")

    def _rule(self, name: str) -> Expression:
        if name not in self.rules:
            raise BadSentences(f"<{name}> is used but not among the expansion_rules")
        return self.rules[name].expression

    def _text(self, text: str, entries: list[_Entry]) -> list[_Entry]:
        """Add *text*; its last word stays open unless a space follows."""
        text = _separate(text)
        pieces = text.split()
        if text[:1].isspace() or (not pieces and text):
            entries = self._close(entries)
        for number, piece in enumerate(pieces):
            if number:
                entries = self._close(entries)
            entries = [e._replace(prefix=e.prefix + piece) for e in entries]
        return self._close(entries) if pieces and text[-1].isspace() else entries

    def _close(self, entries: list[_Entry]) -> list[_Entry]:
        """End the word that is open; all who had one go on from the same node."""
        closed = [entry for entry in entries if not entry.prefix]
        open_ = [entry for entry in entries if entry.prefix]
        if open_:
            joint = Node()
            for entry in open_:
                self._word(entry, joint)
            closed.append(_Entry(joint, "", (), True))
        return closed

    def _word(self, entry: _Entry, to: Node) -> None:
        alike = self.sounds.get(fold(entry.prefix), ())
        _join(entry.node, [entry.prefix], to, entry.tags, entry.spoken and not alike)
        for sound in alike:
            _join(entry.node, words_of(sound), to, entry.tags, entry.spoken)

    def _list(self, reference: ListReference, entries: list[_Entry]) -> Iterator[_Entry]:
        name = reference.list_name
        if (bounds := reference.get_inline_range()) is not None:
            values: SlotList | None = RangeSlotList(name, bounds[0], bounds[1], bounds[2])
        else:
            values = self.lists.get(name)
        if isinstance(values, TextSlotList):
            for value in values.values:
                tag = Tag(name, reference.slot_name, value.value_out)
                yield from self._follow(value.text_in, [_tagged(e, tag) for e in entries])
        elif isinstance(values, RangeSlotList):
            for number in values.get_numbers():
                tag = Tag(name, reference.slot_name, number)
                yield from self._number(number, values, [_tagged(e, tag) for e in entries])
        else:
            raise BadSentences(f"{{{name}}} has no values: an ear must know every word, so list them")

    def _number(self, number: float, said: RangeSlotList, entries: list[_Entry]) -> Iterator[_Entry]:
        if said.words:
            language = said.words_language or self.language
            spellings = get_rbnf_engine(language).format_number(number).text_by_ruleset.values()
            for spelling in dict.fromkeys(spellings):
                yield from self._text(spelling, entries)
        if said.digits:
            yield from self._text(str(number), [e._replace(spoken=False) for e in entries])


def _tagged(entry: _Entry, tag: Tag) -> _Entry:
    return entry._replace(tags=(*entry.tags, tag))


def _distinct(entries: Iterable[_Entry]) -> list[_Entry]:
    return list({(id(e.node), *e[1:]): e for e in entries}.values())


def _join(start: Node, words: list[str], to: Node, tags: tuple[Tag, ...], spoken: bool) -> None:
    """Lead from *start* to *to* by *words*."""
    for number, word in enumerate(words, 1):
        target = to if number == len(words) else Node()
        arcs = start.arcs.setdefault(fold(word), [])
        if not any((a.word, a.tags, a.to) == (word, tags, target) for a in arcs):
            arcs.append(Arc(word, tags, target, spoken))
        start, tags = target, ()


def _separate(text: str) -> str:
    """Return *text* with nothing but words, apostrophes inside them, and spaces."""
    text = text.lower().replace("\u2019", "'")
    return re.sub(r"(?<=\W)'|'(?!\w)|[^\w'\s]|_", " ", text)
