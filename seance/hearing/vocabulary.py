"""Reads the words of a vosk model and the bigrams of its common words from the model's language graph."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

COMMON_WORD_COUNT = 3000
"""How many words the background model of everyday talk has."""
UNKNOWN_WORD = "[unk]"
UNKNOWN_WORD_COST = 3.0
"""The cost of a sound that is no word, as a negative log-likelihood."""

ARC = np.dtype([("ilabel", "<i4"), ("olabel", "<i4"), ("weight", "<f4"), ("nextstate", "<i4")])
"""An arc as OpenFst writes it."""
Arcs = NDArray[np.void]
"""The arcs of one state."""
EPSILON = 0
"""The label of an arc without a word."""

_FstBytes = bytes | mmap.mmap
_FST_MAGIC = 2125659606
_SYMBOL_TABLE_MAGIC = 2125658996
_HAS_BOTH_SYMBOL_TABLES = 3
_NOT_SPOKEN = frozenset({"<eps>", "<s>", "</s>", "!SIL", UNKNOWN_WORD, "<unk>", "#0"})


class BadModel(ValueError):
    """A folder is not a vosk model that can be given sentences."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words of a model, and a background model of everyday talk."""

    word_ids: Mapping[str, int]
    """The ids of the common words, and of the wanted words that the model knows."""
    background: tuple[Arcs, ...]
    """The states of a bigram model of the common words; the first is the backoff state."""


def read_vocabulary(model: Path, wanted: Iterable[str]) -> Vocabulary:
    """Return the *wanted* words that *model* knows, and its background model of everyday talk."""
    path = model / "graph" / "Gr.fst"
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as fst:
            return _read_fst(fst, frozenset(wanted) | {UNKNOWN_WORD})
    except (OSError, struct.error, UnicodeDecodeError, ValueError) as error:
        raise BadModel(f"{path}: not a language graph of vosk's small models ({error})") from error


def add_arc(arcs: Arcs, word_id: int, cost: float, to: int) -> Arcs:
    """Return *arcs* with one more, sorted by word id."""
    return np.sort(np.append(arcs, np.array([(word_id, word_id, cost, to)], ARC)), order="ilabel")


def _read_fst(fst: _FstBytes, wanted: frozenset[str]) -> Vocabulary:
    table = _skip_header(fst)
    # Two passes over all words, which are many: kept at once, even for a moment, they leave 13 MB of holes.
    asked, end = {}, table
    for word, word_id, end in _read_symbols(fst, table):  # noqa: B007 - the last end is wanted
        if word in wanted or word in _NOT_SPOKEN:
            asked[word] = word_id
    # The table is there twice, for input and output labels.
    bigrams = _Bigrams.read(fst, 2 * end - table)
    silent = {asked[word] for word in _NOT_SPOKEN & asked.keys()}
    unigrams = bigrams.followers(0)
    by_frequency = unigrams["ilabel"][np.argsort(unigrams["weight"])[: COMMON_WORD_COUNT + len(silent)]]
    common = [word_id for word_id in by_frequency.tolist() if word_id not in silent][:COMMON_WORD_COUNT]
    kept = set(common)
    word_ids = {word: word_id for word, word_id, _ in _read_symbols(fst, table) if word_id in kept or word in wanted}
    return Vocabulary(word_ids, tuple(_background_states(bigrams, np.array(common), asked[UNKNOWN_WORD])))


def _background_states(bigrams: _Bigrams, common: NDArray[np.int64], unknown: int) -> Iterator[Arcs]:
    """Yield the backoff state, then a state for each common word that has bigrams of its own."""
    state_after = np.zeros(bigrams.word_count, np.int32)
    is_common = np.zeros(bigrams.word_count, bool)
    is_common[common] = True
    states = [state for state in range(2, bigrams.context_count + 1) if is_common[bigrams.context[state]]]
    state_after[bigrams.context[states]] = np.arange(1, len(states) + 1)
    for state in (0, *states):
        arcs = bigrams.followers(state)
        arcs = arcs[is_common[arcs["ilabel"]]]
        arcs["nextstate"] = state_after[arcs["ilabel"]]
        if state == 0:
            yield add_arc(arcs, unknown, UNKNOWN_WORD_COST, 0)
        else:
            yield add_arc(arcs, EPSILON, bigrams.backoff_cost[state], 0)


@dataclass(frozen=True, slots=True)
class _Bigrams:
    """Bigrams, as OpenFst's n-gram format stores them."""

    word_count: int
    context_count: int
    """How many words have a state of their own; state 0 is the backoff state, state 1 the start of a sentence."""
    context: NDArray[np.int32]
    """The word before each state."""
    backoff_cost: NDArray[np.float32]
    """The cost of leaving each state for the backoff state."""
    first: NDArray[np.int64]
    """The index of each state's first follower."""
    follower: NDArray[np.int32]
    cost: NDArray[np.float32]

    @classmethod
    def read(cls, fst: _FstBytes, at: int) -> _Bigrams:
        """Return the bigrams stored from byte *at* on."""
        states, arcs, finals = struct.unpack_from("<QQQ", fst, at)
        at += 24

        def take(kind: str, count: int) -> NDArray[Any]:
            nonlocal at
            taken = np.frombuffer(fst, kind, count, at).copy()
            at += taken.nbytes
            return taken

        def zeros(bits: int) -> NDArray[np.int64]:
            """Return the positions of the zeros among so many bits: each closes a list of ones."""
            packed = take("u1", 8 * ((bits + 63) // 64))
            return np.flatnonzero(np.unpackbits(packed, count=bits, bitorder="little") == 0)

        tree = zeros(2 * states + 1)
        lists = zeros(arcs + states + 1)
        take("u1", 8 * ((states + 63) // 64))
        context, follower = take("<i4", states + 1), take("<i4", arcs)
        backoff_cost = take("<f4", states + 1)
        take("<f4", finals)
        cost = take("<f4", arcs)
        first = lists - np.arange(lists.size)
        word_count = int(follower.max()) + 1
        return cls(word_count, int(tree[1]) - 2, context, backoff_cost, first, follower, cost)

    def followers(self, state: int) -> Arcs:
        """Return the words that follow in *state*, sorted by id, with their costs."""
        span = slice(self.first[state], self.first[state + 1])
        arcs = np.zeros(span.stop - span.start, ARC)
        arcs["ilabel"] = arcs["olabel"] = self.follower[span]
        arcs["weight"] = self.cost[span]
        return arcs


def _skip_header(fst: _FstBytes) -> int:
    """Return the offset of the first symbol table."""
    (magic,) = struct.unpack_from("<i", fst, 0)
    kind, at = _read_text(fst, 4)
    _, at = _read_text(fst, at)
    if magic != _FST_MAGIC or kind != "ngram":
        raise ValueError(f"a graph of kind {kind!r}, wanted 'ngram'")
    _, flags, *_ = struct.unpack_from("<iiQqqq", fst, at)
    if flags & _HAS_BOTH_SYMBOL_TABLES != _HAS_BOTH_SYMBOL_TABLES:
        raise ValueError("the graph does not name its words")
    return at + struct.calcsize("<iiQqqq")


def _read_symbols(fst: _FstBytes, table: int) -> Iterator[tuple[str, int, int]]:
    """Yield each word of a symbol table, its id, and the offset of the next."""
    (magic,) = struct.unpack_from("<i", fst, table)
    if magic != _SYMBOL_TABLE_MAGIC:
        raise ValueError("the table of words is missing")
    _, at = _read_text(fst, table + 4)
    _, size = struct.unpack_from("<qq", fst, at)
    at += 16
    for _ in range(size):
        word, at = _read_text(fst, at)
        (word_id,) = struct.unpack_from("<q", fst, at)
        at += 8
        yield word, word_id, at


def _read_text(fst: _FstBytes, at: int) -> tuple[str, int]:
    """Return the text at an offset, and the offset after it."""
    (length,) = struct.unpack_from("<i", fst, at)
    return fst[at + 4 : at + 4 + length].decode(), at + 4 + length
