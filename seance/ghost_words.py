"""The words of what the ghost types, such as `ghost vision red 2`, from `voices/<language>/ghost.toml`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated

import msgspec

from seance.edition_texts import load_edition_texts
from seance.languages import DEFAULT_LANGUAGE, has_language_file, language_codes, load_language, read_language_file
from seance.rules import EDITIONS, Edition, Psychic
from seance.text_files import BadTextFile, parse_toml, validation_error

Words = Annotated[tuple[Annotated[str, msgspec.Meta(min_length=1)], ...], msgspec.Meta(min_length=1)]
Phrase = tuple[str, ...]
"""One word or several, folded."""

_FILE = "ghost.toml"
_WORD = re.compile(r"[^\W\d_]+|\d+")


class Order(StrEnum):
    """What the ghost, or a table that types like it, may order."""

    VISION = "vision"
    CROW = "crow"
    SAND = "sand"
    CHOOSE = "choose"
    AGREE = "agree"
    DISAGREE = "disagree"
    WITHDRAW = "withdraw"
    TIME = "time"
    READY = "ready"
    ANSWER = "answer"
    CORRECT = "correct"
    NUMBER = "number"
    CULPRIT = "culprit"
    LAY = "lay"
    TURN = "turn"
    VOTE = "vote"
    ELDEST = "eldest"
    POINT = "point"
    ACCUSE = "accuse"
    SILENCE = "silence"
    UNDO = "undo"
    ABANDON = "abandon"


class BadGhostWords(BadTextFile):
    """A ghost.toml cannot be used; the message names the file, the line and the key."""


class GhostFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a ghost.toml."""

    ghost: Words
    """The words before an order."""
    yes: Words
    no: Words
    examples: Words
    unknown: str
    incomplete: str
    colours: Mapping[Psychic, Words]
    orders: Mapping[Order, Words]


@dataclass(frozen=True, slots=True)
class GhostWords:
    """The words of one language and, beside them, those of the default language."""

    texts: GhostFile
    orders: Mapping[Phrase, Order]
    colours: Mapping[str, Psychic]
    yes: frozenset[str]
    no: frozenset[str]
    fold: Callable[[str], str]
    examples: Mapping[str, Words]
    """Of editions that have examples of their own."""

    @classmethod
    def load(cls, language: str, editions: Mapping[str, Edition] = EDITIONS) -> GhostWords:
        """Return the words of *language* and of *editions*, or raise BadTextFile."""
        fold = load_language(language).make_fold()
        own, default, texts = _read(language), _read(DEFAULT_LANGUAGE), load_edition_texts(language, editions)
        both = (default, own)  # a word of both means what it does in the own language

        def folded(words: Iterable[str]) -> frozenset[str]:
            return frozenset(map(fold, words))

        return cls(
            texts=own,
            orders={_split(word, fold): order for file in both for order in Order for word in file.orders[order]},
            colours={fold(word): psychic for file in both for psychic in Psychic for word in file.colours[psychic]},
            yes=folded(own.yes + default.yes),
            no=folded(own.no + default.no),
            fold=fold,
            examples={name: each.tables.ghost.examples for name, each in texts.items()},
        )

    def split(self, text: str) -> Phrase:
        """Return the words and numbers of *text*, folded."""
        return _split(text, self.fold)

    def find_order(self, words: Phrase) -> Order | None:
        """Return the first order in *words*, the longest of those that begin at the same word; None without one."""
        longest = max(map(len, self.orders))
        for start in range(len(words)):
            for end in range(start + longest, start, -1):
                if (order := self.orders.get(words[start:end])) is not None:
                    return order
        return None

    def explain_unknown(self, typed: str, edition: str | None = None) -> str:
        """Return what to tell the ghost of *edition* about an order that is not understood."""
        return self.texts.unknown.format(typed=typed.strip(), examples=", ".join(self._examples_of(edition)))

    def explain_incomplete(self, typed: str, edition: str | None = None) -> str:
        """Return what to tell the ghost of *edition* about an order that lacks something, with a fitting example."""
        order, examples = self.find_order(self.split(typed)), self._examples_of(edition)
        fitting = [example for example in examples if self.find_order(self.split(example)) is order]
        return self.texts.incomplete.format(typed=typed.strip(), examples=", ".join(fitting or examples))

    def _examples_of(self, edition: str | None) -> Words:
        return self.examples.get(edition or "") or self.texts.examples


def ghost_order(text: str) -> str | None:
    """Return what follows a word for the ghost, of any language, at the beginning of *text*; None without that word.

    >>> ghost_order("Ghost vision red 2")
    'vision red 2'
    """
    first = re.match(r"\W*(\w+)\W*", text)
    if first is None or not any(fold(first[1]) in words for fold, words in _prefixes(language_codes())):
        return None
    return text[first.end() :]


@cache
def _prefixes(languages: tuple[str, ...]) -> tuple[tuple[Callable[[str], str], frozenset[str]], ...]:
    """Return how each language folds, and its words for the ghost."""
    folds = {code: load_language(code).make_fold() for code in languages if has_language_file(code, _FILE)}
    return tuple((fold, frozenset(map(fold, _read(code).ghost))) for code, fold in folds.items())


def _read(language: str) -> GhostFile:
    return _parse(*read_language_file(language, _FILE, BadGhostWords))


@cache
def _parse(source: str, text: str) -> GhostFile:
    try:
        file = msgspec.convert(parse_toml(text, source, BadGhostWords), GhostFile)
    except msgspec.ValidationError as error:
        raise BadGhostWords(validation_error(str(error), text, source, "ghost")) from None
    missing = [f"colours.{psychic}" for psychic in Psychic if psychic not in file.colours]
    missing += [f"orders.{order}" for order in Order if order not in file.orders]
    if missing:
        raise BadGhostWords(f"{source}: {missing[0]}: is missing")
    return file


def _split(text: str, fold: Callable[[str], str]) -> Phrase:
    return tuple(fold(word) for word in _WORD.findall(text))
