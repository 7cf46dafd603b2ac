"""The phrases an ear should listen for, and what a text means; not whether the rules allow it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from seance.dialogue.grammar.names import BadNames
from seance.dialogue.grammar.phrase_cover import cover, every
from seance.dialogue.grammar.template_graph import Arc, BadSentences, Node, Tag, Value, fold, words_of
from seance.dialogue.grammar.templates import Slot, Template, load_book

__all__ = ["Ambiguous", "BadNames", "BadSentences", "Intent", "Sentences", "Slot"]

MOST_KEPT = 64
"""How many narrowed sentences are remembered: a few hours' worth."""


class Ambiguous(ValueError):
    """A text can mean two different things."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody meant: the name of it, and what was said about it."""

    name: str
    slots: Mapping[str, Slot] = field(default_factory=dict, hash=False)


_Covers = dict[tuple[Template, frozenset[tuple[str, frozenset[Value]]]], tuple[str, ...]]
_Way = tuple[Template, Node, tuple[Tag, ...]]
_Fillers = tuple[list[str], ...]


class Sentences:
    """Everything that can be said now, made by load() or narrowed()."""

    def __init__(
        self,
        templates: tuple[Template, ...],
        fillers: tuple[str, ...],
        allowed: Mapping[str, frozenset[Value]],
        covers: _Covers,
    ) -> None:
        self.fillers = fillers
        """What may be said before, between or after the words of a sentence, and means nothing."""
        self._templates = templates
        self._skipped = tuple(_folded(filler) for filler in fillers)
        self._allowed = allowed
        self._covers = covers
        self._narrower: dict[object, Sentences] = {}

    @classmethod
    def load(
        cls,
        language: str,
        *,
        names_file: Path | None = None,
        sentences_file: Path | None = None,
        wake_word: str = "",
    ) -> Sentences:
        """Return the sentences of *language*, or those of any hassil file, each said after *wake_word*."""
        book = load_book(language, names_file, sentences_file, wake_word)
        return cls(book.templates, book.fillers, {}, {})

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
    ) -> Sentences:
        """Return what is left with these intents, cards, psychics, groups, bare numbers and places only."""
        lists = {"card": cards, "card_name": cards, "psychic": psychics, "group": groups}
        lists |= {"number": numbers, "place": places, "place_f": places}
        allowed = dict(self._allowed)
        for name, values in lists.items():
            if values is not None:
                kept = frozenset[Value](values)
                allowed[name] = kept & allowed.get(name, kept)
        intents = self.intents if expect is None else self.intents & frozenset(expect)
        key = (intents, frozenset(allowed.items()))
        if key not in self._narrower:
            if len(self._narrower) >= MOST_KEPT:
                self._narrower.clear()
                self._covers.clear()
            kept_templates = (t for t in self._templates if t.intent in intents and t.unless not in intents)
            self._narrower[key] = Sentences(tuple(kept_templates), self.fillers, allowed, self._covers)
        return self._narrower[key]

    def phrases(
        self,
        expect: Iterable[str] | None = None,
        *,
        cards: Iterable[int] | None = None,
        psychics: Iterable[str] | None = None,
        groups: Iterable[int] | None = None,
        numbers: Iterable[int] | None = None,
        places: Iterable[int] | None = None,
    ) -> tuple[str, ...]:
        """Return whole sentences, in words the ear knows, that teach it all that can be said now."""
        now = self.narrow(expect, cards=cards, psychics=psychics, groups=groups, numbers=numbers, places=places)
        return now._phrases

    def every_phrase(self) -> Iterator[str]:
        """Yield every sentence that can be spoken: for tests, there are very many."""
        return (phrase for t in self.spoken for phrase in every(t.start, self.permits))

    def words(self) -> frozenset[str]:
        """Return every word that the ear must know."""
        return frozenset(word for phrase in (*self._phrases, *self.fillers) for word in phrase.split())

    def match(self, text: str) -> Intent | None:
        """Return what *text*, heard or typed, means as a whole; raise Ambiguous if that is not one thing."""
        words = _folded(text)
        # what is a filler elsewhere may be a word of this sentence
        meanings = self._meanings(self._ways(words, ())) or self._meanings(self._ways(words, self._skipped))
        if len(meanings) > 1:
            raise Ambiguous(f"{text!r} can mean {' or '.join(map(str, meanings))}")
        return meanings[0] if meanings else None

    def is_beginning(self, text: str) -> bool:
        """Tell whether a sentence that is longer than *text* begins with it."""
        words = _folded(text)
        nothing_yet = bool(words) and len(words) in _passed_over(words, 0, self._skipped)
        return nothing_yet or any(self._goes_on(node) for _, node, _ in self._ways(words, self._skipped))

    def could_go_on(self, text: str) -> bool:
        """Tell whether *text* is a whole sentence, and more words could make it mean something else."""
        ways = self._ways(_folded(text), self._skipped)
        return any(self._changes(way, meaning) for meaning in self._meanings(ways)[:1] for way in ways)

    def could_say_more(self, text: str) -> bool:
        """Tell whether *text* is a whole sentence, and more words could add to what it means."""
        return any(node.ends and self._adds(node, set()) for _, node, _ in self._ways(_folded(text), self._skipped))

    @property
    def spoken(self) -> tuple[Template, ...]:
        """The templates an ear must listen for: not those which are the same words for something else."""
        return tuple(t for t in self._templates if t.unless not in self.intents)

    def permits(self, arc: Arc) -> bool:
        """Tell whether the word of *arc* may be spoken, as far as these sentences were narrowed."""
        allowed = self._allowed
        return all(tag.source not in allowed or tag.value in allowed[tag.source] for tag in arc.tags)

    @cached_property
    def _phrases(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(phrase for t in self.spoken for phrase in self._cover(t)))

    def _cover(self, template: Template) -> tuple[str, ...]:
        narrowing = frozenset((name, kept) for name, kept in self._allowed.items() if name in template.lists)
        key = (template, narrowing)
        if key not in self._covers:
            self._covers[key] = tuple(cover(template.start, self.permits))
        return self._covers[key]

    @cached_property
    def _firsts(self) -> dict[str, list[_Way]]:
        """What each first word can lead to."""
        starts: list[_Way] = [(template, template.start, ()) for template in self.spoken]
        words = {word for _, node, _ in starts for word in node.arcs}
        return {word: self._step(starts, word) for word in words}

    def _step(self, ways: list[_Way], word: str) -> list[_Way]:
        return [
            (template, arc.to, tags + arc.tags)
            for template, node, tags in ways
            for arc in node.arcs.get(word, ())
            if self.permits(arc)
        ]

    def _ways(self, words: list[str], fillers: _Fillers) -> list[_Way]:
        """Return all that *words* can be the first words of, whatever fillers are among them."""
        after: list[list[_Way]] = [[] for _ in range(len(words) + 1)]
        begins = _passed_over(words, 0, fillers)
        for n, word in enumerate(words):
            found = self._step(after[n], word) + (self._firsts.get(word, []) if n in begins else [])
            for end in _passed_over(words, n + 1, fillers) if found else ():
                after[end] += found
        return after[-1]

    def _meanings(self, ways: list[_Way]) -> list[Intent]:
        meanings: list[Intent] = []
        for template, node, tags in ways:
            for end in node.ends:
                meaning = Intent(template.intent, template.filled(tags + end))
                if meaning not in meanings:
                    meanings.append(meaning)
        return meanings

    def _goes_on(self, node: Node) -> bool:
        """Tell whether a sentence can be ended from *node* with at least one more word."""
        return any(arc.to.ends or self._goes_on(arc.to) for arc in self._permitted(node))

    def _adds(self, node: Node, seen: set[Node]) -> bool:
        """Tell whether a slot can be filled after *node*, which is none of those *seen*."""
        seen.add(node)
        arcs = self._permitted(node)
        if any(arc.tags and (arc.to.ends or self._goes_on(arc.to)) for arc in arcs):
            return True
        return any(arc.to not in seen and self._adds(arc.to, seen) for arc in arcs)

    def _changes(self, way: _Way, meaning: Intent) -> bool:
        """Tell whether more words after *way* can mean anything but *meaning*."""
        template, node, tags = way
        for arc in self._permitted(node):
            after = (template, arc.to, tags + arc.tags)
            if any(m != meaning for m in self._meanings([after])) or self._changes(after, meaning):
                return True
        return False

    def _permitted(self, node: Node) -> list[Arc]:
        """Return the words that may be spoken after *node*."""
        return [arc for arcs in node.arcs.values() for arc in arcs if self.permits(arc)]


def _passed_over(words: list[str], start: int, fillers: _Fillers) -> set[int]:
    """Return where a sentence may go on that has got to *start*: there, and after any *fillers* that follow."""
    found, ends = {start}, [start]
    while ends:
        at = ends.pop()
        new = {at + len(filler) for filler in fillers if words[at : at + len(filler)] == filler} - found
        found |= new
        ends += new
    return found


def _folded(text: str) -> list[str]:
    return [fold(word) for word in words_of(text)]
