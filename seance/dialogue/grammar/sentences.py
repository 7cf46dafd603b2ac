"""Matching a text to an intent, and the phrases that a recogniser must know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from seance.dialogue.grammar.phrase_cover import covering_phrases, every_phrase
from seance.dialogue.grammar.spoken_names import BadNames, Names
from seance.dialogue.grammar.template_graph import Arc, BadSentences, Fold, Node, SlotValue, Tag, words_of
from seance.dialogue.grammar.templates import ROW, Slot, Template, load_templates
from seance.edition_texts import load_edition_texts
from seance.rules import EDITIONS, Edition

__all__ = ["Ambiguous", "BadNames", "BadSentences", "Intent", "Sentences", "Slot"]

MAX_NARROWED = 64
"""How many narrowed sentences are cached: those of a few hours of play."""


class Ambiguous(ValueError):
    """A text matches two different intents."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody meant: its name, and the slots that the words filled."""

    name: str
    slots: Mapping[str, Slot] = field(default_factory=dict, hash=False)


_Covers = dict[tuple[Template, frozenset[tuple[str, frozenset[SlotValue]]]], tuple[str, ...]]
_Path = tuple[Template, Node, tuple[Tag, ...]]
_Fillers = tuple[list[str], ...]


class Sentences:
    """Everything that can be said now, made by load() or narrow()."""

    def __init__(
        self,
        templates: tuple[Template, ...],
        fillers: tuple[str, ...],
        fold: Fold,
        allowed: Mapping[str, frozenset[SlotValue]],
        covers: _Covers,
    ) -> None:
        self.fillers = fillers
        """Words without meaning that may stand before, between or after those of a sentence."""
        self._templates = templates
        self._fold = fold
        self._filler_words = tuple(self._fold_words(filler) for filler in fillers)
        self._allowed = allowed
        self._covers = covers
        self._narrowed: dict[object, Sentences] = {}

    @classmethod
    def load(
        cls,
        language: str,
        *,
        names_file: Path | None = None,
        sentences_file: Path | None = None,
        wake_word: str = "",
        editions: Mapping[str, Edition] = EDITIONS,
    ) -> Sentences:
        """Return the sentences of *language*, or of another hassil file, each after *wake_word*."""
        names = Names.load(language, names_file, editions=editions)
        added = _cards(editions) - _cards(EDITIONS)
        texts = load_edition_texts(language, editions).values()
        loaded = load_templates(language, names, sentences_file, wake_word, editions=texts, added_cards=added)
        return cls(loaded.templates, loaded.fillers, loaded.fold, {}, {})

    @property
    def intents(self) -> frozenset[str]:
        """The names of all intents that can be meant."""
        return frozenset(template.intent for template in self._templates)

    def narrow(
        self,
        expect: Iterable[str] | None = None,
        *,
        cards: Iterable[int] | None = None,
        psychics: Iterable[str] | None = None,
        groups: Iterable[int] | None = None,
        numbers: Iterable[int] | None = None,
        places: Iterable[int] | None = None,
        drawn: Iterable[int] | None = None,
    ) -> Sentences:
        """Return the sentences with these intents, cards, psychics, groups, bare numbers and places only.

        *drawn* are the cards that a row may have which the guests tell.
        """
        lists = {"card": cards, "card_name": cards, "psychic": psychics, "group": groups}
        lists |= {"number": numbers, "place": places, "place_f": places, "drawn": drawn}
        allowed = dict(self._allowed)
        for name, values in lists.items():
            if values is not None:
                kept = frozenset[SlotValue](values)
                allowed[name] = kept & allowed.get(name, kept)
        intents = self.intents if expect is None else self.intents & frozenset(expect)
        key = (intents, frozenset(allowed.items()))
        found = self._narrowed.get(key)
        if found is None:
            if len(self._narrowed) >= MAX_NARROWED:
                self._narrowed.clear()
                self._covers.clear()
            kept_templates = (t for t in self._templates if t.intent in intents and t.unless not in intents)
            found = Sentences(tuple(kept_templates), self.fillers, self._fold, allowed, self._covers)
            self._narrowed[key] = found
        return found

    def phrases(
        self,
        expect: Iterable[str] | None = None,
        *,
        cards: Iterable[int] | None = None,
        psychics: Iterable[str] | None = None,
        groups: Iterable[int] | None = None,
        numbers: Iterable[int] | None = None,
        places: Iterable[int] | None = None,
        drawn: Iterable[int] | None = None,
    ) -> tuple[str, ...]:
        """Return sentences, in words the recogniser knows, that hold every pair of words that can be said now."""
        now = self.narrow(
            expect, cards=cards, psychics=psychics, groups=groups, numbers=numbers, places=places, drawn=drawn
        )
        return now._phrases

    def every_phrase(self) -> Iterator[str]:
        """Yield every sentence that can be spoken; there are very many."""
        return (phrase for t in self.spoken_templates for phrase in every_phrase(t.start, self.permits))

    def words(self) -> frozenset[str]:
        """Return every word that the recogniser must know."""
        return frozenset(word for phrase in (*self._phrases, *self.fillers) for word in phrase.split())

    def match(self, text: str) -> Intent | None:
        """Return the intent of *text* as a whole sentence, or None; raise Ambiguous if it has several."""
        words = self._fold_words(text)
        # first without skipping fillers: one may be a word of this sentence
        meanings = self._meanings(self._paths(words, ())) or self._meanings(self._paths(words, self._filler_words))
        if len(meanings) > 1:
            meanings = _with_longest_numbers(meanings)
        if len(meanings) > 1:
            raise Ambiguous(f"{text!r} can mean {' or '.join(map(str, meanings))}")
        return meanings[0] if meanings else None

    def is_prefix(self, text: str) -> bool:
        """Return whether a longer sentence begins with *text*."""
        words = self._fold_words(text)
        nothing_yet = bool(words) and len(words) in _skip_fillers(words, 0, self._filler_words)
        return nothing_yet or any(self._can_end_later(node) for _, node, _ in self._paths(words, self._filler_words))

    def complete(self, text: str) -> tuple[str, ...]:
        """Return the words that may stand in place of the last, unfinished word of *text*, in alphabetical order.

        After a space, these are the words that may follow. A number is a number in digits.
        """
        before, _, begun = text.rpartition(" ")
        words, begun = self._fold_words(before), self._fold(begun.lower())
        skips = len(words) in _skip_fillers(words, 0, self._filler_words)
        nodes = [node for _, node, _ in self._paths(words, self._filler_words)]
        nodes += [template.start for template in self.typed_templates] if skips else []
        found = {word for node in nodes for word in self._typed_words(node) if self._fold(word).startswith(begun)}
        return tuple(sorted(found, key=lambda word: (word.isdigit(), len(word) if word.isdigit() else 0, word)))

    def could_continue(self, text: str) -> bool:
        """Return whether *text* is a whole sentence that more words could turn into another intent."""
        paths = self._paths(self._fold_words(text), self._filler_words)
        return any(self._can_change(path, meaning) for meaning in self._meanings(paths)[:1] for path in paths)

    def could_extend(self, text: str) -> bool:
        """Return whether *text* is a whole sentence to which more words could add a slot."""
        return any(
            node.ends and self._can_fill_slot(node, set())
            for _, node, _ in self._paths(self._fold_words(text), self._filler_words)
        )

    @cached_property
    def spoken(self) -> Sentences:
        """The sentences that a recogniser listens for: all but those that are only ever typed."""
        if not any(template.typed_only for template in self._templates):
            return self
        kept = tuple(template for template in self._templates if not template.typed_only)
        return Sentences(kept, self.fillers, self._fold, self._allowed, self._covers)

    @property
    def spoken_templates(self) -> tuple[Template, ...]:
        """The templates that a recogniser listens for, without those whose words are taken by another intent."""
        return tuple(template for template in self.typed_templates if not template.typed_only)

    @property
    def typed_templates(self) -> tuple[Template, ...]:
        """All templates, without those whose words are taken by another intent."""
        return tuple(t for t in self._templates if t.unless not in self.intents)

    def permits(self, arc: Arc) -> bool:
        """Return whether these sentences allow the values that the word of *arc* stands for."""
        allowed = self._allowed
        return all(tag.source not in allowed or tag.value in allowed[tag.source] for tag in arc.tags)

    @cached_property
    def _phrases(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(phrase for t in self.spoken_templates for phrase in self._cover(t)))

    def _cover(self, template: Template) -> tuple[str, ...]:
        narrowing = frozenset((name, kept) for name, kept in self._allowed.items() if name in template.lists)
        key = (template, narrowing)
        if key not in self._covers:
            self._covers[key] = tuple(covering_phrases(template.start, self.permits))
        return self._covers[key]

    @cached_property
    def _first_steps(self) -> dict[str, list[_Path]]:
        """The paths that begin with each first word."""
        starts: list[_Path] = [(template, template.start, ()) for template in self.typed_templates]
        words = {word for _, node, _ in starts for word in node.arcs}
        return {word: self._advance(starts, word) for word in words}

    def _advance(self, paths: list[_Path], word: str) -> list[_Path]:
        return [
            (template, arc.to, tags + arc.tags)
            for template, node, tags in paths
            for arc in node.arcs.get(word, ())
            if self.permits(arc)
        ]

    def _paths(self, words: list[str], fillers: _Fillers) -> list[_Path]:
        """Return the paths through the templates that begin with *words*, skipping *fillers*."""
        after: list[list[_Path]] = [[] for _ in range(len(words) + 1)]
        begins = _skip_fillers(words, 0, fillers)
        for n, word in enumerate(words):
            found = self._advance(after[n], word) + (self._first_steps.get(word, []) if n in begins else [])
            for end in _skip_fillers(words, n + 1, fillers) if found else ():
                after[end] += found
        return after[-1]

    def _meanings(self, paths: list[_Path]) -> list[Intent]:
        meanings: list[Intent] = []
        for template, node, tags in paths:
            for end in node.ends:
                meaning = Intent(template.intent, template.fill_slots(tags + end))
                if meaning not in meanings:
                    meanings.append(meaning)
        return meanings

    def _can_end_later(self, node: Node) -> bool:
        """Return whether a sentence can end after *node* and at least one more word."""
        return any(arc.to.ends or self._can_end_later(arc.to) for arc in self._permitted(node))

    def _typed_words(self, node: Node) -> Iterator[str]:
        """Yield the words as they are typed that may follow *node* in a sentence.

        What is only ever typed comes in place of what is said for it: 7 for seven, a name for how it sounds.
        """
        arcs = [arc for arc in self._permitted(node) if arc.to.ends or self._can_end_later(arc.to)]
        typed = {arc.tags or arc.to for arc in arcs if not arc.spoken}
        return (arc.word for arc in arcs if not (arc.spoken and (arc.tags or arc.to) in typed))

    def _can_fill_slot(self, node: Node, seen: set[Node]) -> bool:
        """Return whether a slot can be filled after *node*, not counting the nodes *seen*."""
        seen.add(node)
        arcs = self._permitted(node)
        if any(arc.tags and (arc.to.ends or self._can_end_later(arc.to)) for arc in arcs):
            return True
        return any(arc.to not in seen and self._can_fill_slot(arc.to, seen) for arc in arcs)

    def _can_change(self, path: _Path, meaning: Intent) -> bool:
        """Return whether more words after *path* can give another intent than *meaning*."""
        template, node, tags = path
        for arc in self._permitted(node):
            after = (template, arc.to, tags + arc.tags)
            if any(m != meaning for m in self._meanings([after])) or self._can_change(after, meaning):
                return True
        return False

    def _fold_words(self, text: str) -> list[str]:
        return [self._fold(word) for word in words_of(text)]

    def _permitted(self, node: Node) -> list[Arc]:
        """Return the arcs for the words that may follow *node*."""
        return [arc for arcs in node.arcs.values() for arc in arcs if self.permits(arc)]


def _skip_fillers(words: list[str], start: int, fillers: _Fillers) -> set[int]:
    """Return the positions in *words* at which a sentence may go on: *start*, and after any *fillers* there."""
    found, ends = {start}, [start]
    while ends:
        at = ends.pop()
        new = {at + len(filler) for filler in fillers if words[at : at + len(filler)] == filler} - found
        found |= new
        ends += new
    return found


def _with_longest_numbers(meanings: list[Intent]) -> list[Intent]:
    """Return *meanings*, of rows only that in which each number is as long as it can be, from the left.

    "Twenty seven" is one card, not two: the fewest cards, and of as many the larger ones first.
    """

    def rank(meaning: Intent) -> tuple[int, Slot]:
        row = meaning.slots.get(ROW, ())
        return (-len(row), row) if isinstance(row, tuple) else (0, ())

    best = max(map(rank, meanings))
    return [meaning for meaning in meanings if rank(meaning) == best]


def _cards(editions: Mapping[str, Edition]) -> set[int]:
    """Return the numbers of all cards of *editions*."""
    return {card for edition in editions.values() for deck in edition.decks.values() for card in deck}
