"""The tokenizer of the rescoring model, and sentences in all their spellings as a token trie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

_SMALL_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {word: n for n, word in enumerate(_SMALL_NUMBERS)} | {word: 20 + 10 * n for n, word in enumerate(_TENS)}
_CLOSING_MARKS = ".?!,"
_SPACE = "\u2581"
"""How the tokens write a space."""
_TOKENIZE_CACHE_SIZE = 4096


_Position = tuple[int, int, tuple[int, ...]]
"""The index of a sentence, how many of its words are begun, and the tokens that are left of the last of them."""


class TrieNode:
    """A node of a token trie, whose children are made only when they are asked for.

    Each word can be written in several ways: a full trie of a long sentence would fill any memory.
    """

    def __init__(self, tokenizer: Tokenizer, sentences: Sequence[Sequence[str]], positions: set[_Position]) -> None:
        self._tokenizer, self._sentences = tokenizer, sentences
        self._positions = {begun for each in positions for begun in self._begin_words(each)}
        self.complete = sorted({index for index, n, left in positions if not left and n == len(sentences[index])})
        """The indices of the sentences that are complete here."""
        self.sentences = {index for index, *_ in positions}
        """The indices of the sentences that lead through here."""

    @property
    def children(self) -> dict[int, TrieNode]:
        """The nodes that follow, by token."""
        after: dict[int, set[_Position]] = {}
        for index, n, (token, *left) in self._positions:
            after.setdefault(token, set()).add((index, n, tuple(left)))
        return {token: TrieNode(self._tokenizer, self._sentences, positions) for token, positions in after.items()}

    def _begin_words(self, position: _Position) -> Iterator[_Position]:
        """Yield *position*, or all spellings of the next word where the last one is written."""
        index, n, left = position
        if left:
            yield position
            return
        words = self._sentences[index]
        for count, spelling in _spellings(words[n : n + 2], is_first=n == 0):
            if tokens := self._tokenizer.tokenize(spelling):
                yield index, n + count, tokens


class Tokenizer:
    """The byte-pair tokens of the rescoring model."""

    begin_token = 1
    end_token = 2

    def __init__(self, file: Path) -> None:
        self.tokens = _read_tokens(file.read_bytes())
        # The first tokens are single bytes, for what has no token of its own.
        self._ids = {token: token_id for token_id, token in enumerate(self.tokens)}
        self.closing_tokens = (self.end_token, *(self._ids[mark.encode()] for mark in _CLOSING_MARKS))
        """The tokens that may follow the last word of a sentence."""
        self.tokenize = lru_cache(_TOKENIZE_CACHE_SIZE)(self._tokenize)
        """Returns the tokens of a text."""

    def build_trie(self, sentences: Iterable[str]) -> TrieNode:
        """Return the root of the trie of *sentences* in all their spellings."""
        words = [sentence.split() for sentence in sentences]
        return TrieNode(self, words, {(index, 0, ()) for index in range(len(words))})

    def _tokenize(self, text: str) -> tuple[int, ...]:
        """Return the tokens of *text* by byte-pair encoding: the most frequent pair is merged first."""
        parts = [letter.encode() for letter in text.replace(" ", _SPACE)]
        while True:
            pairs = [(self._ids.get(a + b), n) for n, (a, b) in enumerate(pairwise(parts))]
            merges = [(token_id, n) for token_id, n in pairs if token_id is not None]
            if not merges:
                return tuple(self._ids[part] for part in parts if part in self._ids)
            n = min(merges)[1]
            parts[n : n + 2] = [parts[n] + parts[n + 1]]


def _spellings(words: Sequence[str], *, is_first: bool) -> Iterator[tuple[int, str]]:
    """Yield the spellings of the first of *words*, alone or joined to the next, and how many words each is."""
    if not words:
        return
    word, *after = words
    capital = word[0].upper() + word[1:]
    plain = [capital] if is_first or word == "i" or word.startswith("i'") else [capital, word]
    for form in plain:
        yield 1, f" {form}"
        if after:
            yield 2, f" {form}{after[0]}"
    if not is_first:
        yield 1, f"-{word}"
    if word in _NUMBERS:
        yield 1, f" {_NUMBERS[word]}"
    if word in _TENS and after and after[0] in _SMALL_NUMBERS[1:10]:
        yield 2, f" {_NUMBERS[word] + _NUMBERS[after[0]]}"


def _read_tokens(raw: bytes) -> list[bytes]:
    """Return the tokens of a file: each follows its length, in one byte or two."""
    tokens, at = [], 0
    while at < len(raw):
        length = raw[at]
        at += 1
        if length >= 128:
            length += 128 * raw[at] - 128
            at += 1
        tokens.append(raw[at : at + length])
        at += length
    return tokens
