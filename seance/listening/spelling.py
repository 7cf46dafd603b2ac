"""How a second model writes what is said: words as its pieces of text; it hears nothing itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {word: n for n, word in enumerate(_SMALL)} | {word: 20 + 10 * n for n, word in enumerate(_TENS)}
_ENDS = ".?!,"


@dataclass(eq=False, slots=True)
class Place:
    """Where the writing of some sentences has got to."""

    pieces: dict[int, Place] = field(default_factory=dict)
    """Which piece of text leads where."""
    whole: list[int] = field(default_factory=list)
    """The sentences that are whole here, by their number."""


MOST_WORDS = 7
"""Of a sentence that is written in every way: with each word more there are several times as many."""


class Spelling:
    """The pieces of text that a model writes."""

    begin, end = 1, 2
    """The pieces at either end of a text."""

    def __init__(self, file: Path) -> None:
        self.pieces = _read(file.read_bytes())
        # the first pieces are single bytes, for what has no piece of its own
        self._numbers = {piece: number for number, piece in enumerate(self.pieces)}
        self.ends = (self.end, *(self._numbers[mark.encode()] for mark in _ENDS))
        self._written = lru_cache(4096)(self._write)

    def places(self, sentences: Iterable[str]) -> Place:
        """Return where writing any of *sentences* begins, in all the ways in which it may be written."""
        root = Place()
        for number, sentence in enumerate(sentences):
            words = sentence.split()
            at = {0: [root]}
            for n, word in enumerate(words):
                for place in at.pop(n, []):
                    forms = _forms(word, words[n + 1 : n + 2], first=n == 0)
                    for taken, form in forms if len(words) <= MOST_WORDS else _plainly(word, first=n == 0):
                        at.setdefault(n + taken, []).append(self._follow(place, form))
            for place in at[len(words)]:
                if number not in place.whole:
                    place.whole.append(number)
        return root

    def _follow(self, place: Place, form: str) -> Place:
        for piece in self._written(form):
            place = place.pieces.setdefault(piece, Place())
        return place

    def _write(self, form: str) -> tuple[int, ...]:
        """Return *form* in pieces: the most usual pair is joined first, as the model was taught."""
        parts = [letter.encode() for letter in form.replace(" ", "\u2581")]
        while True:
            pairs = [(self._numbers.get(a + b), n) for n, (a, b) in enumerate(pairwise(parts))]
            known = [(number, n) for number, n in pairs if number is not None]
            if not known:
                return tuple(self._numbers[part] for part in parts if part in self._numbers)
            n = min(known)[1]
            parts[n : n + 2] = [parts[n] + parts[n + 1]]


def _plainly(word: str, *, first: bool) -> Iterable[tuple[int, str]]:
    """Yield the one usual way in which *word* is written."""
    yield 1, f" {word[0].upper() + word[1:] if first or word == 'i' else word}"


def _forms(word: str, after: list[str], *, first: bool) -> Iterable[tuple[int, str]]:
    """Yield how *word* may be written, and how many words are written so."""
    capital = word[0].upper() + word[1:]
    plain = [capital] if first or word == "i" or word.startswith("i'") else [capital, word]
    for form in plain:
        yield 1, f" {form}"
        if after:
            yield 2, f" {form}{after[0]}"
    if not first:
        yield 1, f"-{word}"
    if word in _NUMBERS:
        yield 1, f" {_NUMBERS[word]}"
    if word in _TENS and after and after[0] in _SMALL[1:10]:
        yield 2, f" {_NUMBERS[word] + _NUMBERS[after[0]]}"


def _read(raw: bytes) -> list[bytes]:
    """Return the pieces in a file: each after its length, in one byte or two."""
    pieces, at = [], 0
    while at < len(raw):
        length = raw[at]
        at += 1
        if length >= 128:
            length += 128 * raw[at] - 128
            at += 1
        pieces.append(raw[at : at + length])
        at += length
    return pieces
