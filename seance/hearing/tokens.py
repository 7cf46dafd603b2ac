"""How a second model writes what is said: words as its pieces of text; it hears nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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


_Way = tuple[int, int, tuple[int, ...]]
"""A sentence by its number, how many of its words are begun, and the pieces that are left of the last of them."""


class Place:
    """Where the writing of some sentences has got to; what may follow is made only when somebody looks there.

    Each word can be written in several ways: all of them, of a long sentence, would fill any memory.
    """

    def __init__(self, spelling: Spelling, texts: Sequence[Sequence[str]], ways: set[_Way]) -> None:
        self._spelling, self._texts = spelling, texts
        self._ways = {way for each in ways for way in self._begun(each)}
        self.whole = sorted({number for number, n, left in ways if not left and n == len(texts[number])})
        """The sentences that are whole here, by their number."""
        self.sentences = {number for number, *_ in ways}
        """The sentences of which this is a part, by their number."""

    @property
    def pieces(self) -> dict[int, Place]:
        """Return which piece of text leads where."""
        after: dict[int, set[_Way]] = {}
        for number, n, (piece, *left) in self._ways:
            after.setdefault(piece, set()).add((number, n, tuple(left)))
        return {piece: Place(self._spelling, self._texts, ways) for piece, ways in after.items()}

    def _begun(self, way: _Way) -> Iterator[_Way]:
        """Yield *way*, or all that it may go on with where a word is at its end."""
        number, n, left = way
        if left:
            yield way
            return
        words = self._texts[number]
        for taken, form in _forms(words[n : n + 2], first=n == 0):
            if pieces := self._spelling.written(form):
                yield number, n + taken, pieces


class Spelling:
    """The pieces of text that a model writes."""

    begin, end = 1, 2
    """The pieces at either end of a text."""

    def __init__(self, file: Path) -> None:
        self.pieces = _read(file.read_bytes())
        # the first pieces are single bytes, for what has no piece of its own
        self._numbers = {piece: number for number, piece in enumerate(self.pieces)}
        self.ends = (self.end, *(self._numbers[mark.encode()] for mark in _ENDS))
        self.written = lru_cache(4096)(self._write)
        """Returns some text in pieces."""

    def places(self, sentences: Iterable[str]) -> Place:
        """Return where writing any of *sentences* begins, in all the ways in which it may be written."""
        texts = [sentence.split() for sentence in sentences]
        return Place(self, texts, {(number, 0, ()) for number in range(len(texts))})

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


def _forms(words: Sequence[str], *, first: bool) -> Iterator[tuple[int, str]]:
    """Yield how the first of *words* may be written, with the next where they are joined, and how many those are."""
    if not words:
        return
    word, *after = words
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
