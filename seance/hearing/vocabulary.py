"""The words that a vosk model knows, and which common ones follow which; nothing is heard here."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

COMMON = 3000
"""How many words everyday talk is made of."""
MURMUR = 3.0
"""What a sound costs that is no word, as minus the logarithm of a likelihood."""
UNKNOWN = "[unk]"

ARC = np.dtype([("hears", "<i4"), ("says", "<i4"), ("costs", "<f4"), ("to", "<i4")])
"""An arc as OpenFst writes it."""
Arcs = NDArray[np.void]

_Graph = bytes | mmap.mmap
_FST, _SYMBOLS, _BOTH_TABLES = 2125659606, 2125658996, 3
_NOT_SPOKEN = frozenset({"<eps>", "<s>", "</s>", "!SIL", UNKNOWN, "<unk>", "#0"})


class BadModel(ValueError):
    """A folder is not a vosk model that can be given sentences."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words of a model, and the talk that is made of the common ones."""

    numbers: Mapping[str, int]
    """The words asked for that the model knows, and the common ones: the number it gives each."""
    talk: tuple[Arcs, ...]
    """The states of everyday talk, the first of which is any word after any other."""


def read_vocabulary(model: Path, wanted: Iterable[str]) -> Vocabulary:
    """Return what *model* knows of the *wanted* words, and everyday talk."""
    path = model / "graph" / "Gr.fst"
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as graph:
            return _read(graph, frozenset(wanted) | {UNKNOWN})
    except (OSError, struct.error, UnicodeDecodeError, ValueError) as error:
        raise BadModel(f"{path}: not a language graph of vosk's small models ({error})") from error


def _read(graph: _Graph, wanted: frozenset[str]) -> Vocabulary:
    table = _after_header(graph)
    # twice through all words, which are many: kept at once, even for a moment, they leave 13 MB of holes
    asked, end = {}, table
    for word, number, end in _words(graph, table):  # noqa: B007 - the last end is wanted
        if word in wanted or word in _NOT_SPOKEN:
            asked[word] = number
    # the words stand there twice, as what goes into the graph and as what comes out
    pairs = _Pairs.at(graph, 2 * end - table)
    silent = {asked[word] for word in _NOT_SPOKEN & asked.keys()}
    any_word = pairs.followers(0)
    commonest_first = any_word["hears"][np.argsort(any_word["costs"])[: COMMON + len(silent)]]
    common = [number for number in commonest_first.tolist() if number not in silent][:COMMON]
    kept = set(common)
    known = {word: number for word, number, _ in _words(graph, table) if number in kept or word in wanted}
    return Vocabulary(known, tuple(_talk(pairs, np.array(common), asked[UNKNOWN])))


def _talk(pairs: _Pairs, common: NDArray[np.int64], unknown: int) -> Iterator[Arcs]:
    """Yield a state for any word, then one for what follows each common word that has habits of its own."""
    after = np.zeros(pairs.words, np.int32)
    is_common = np.zeros(pairs.words, bool)
    is_common[common] = True
    states = [state for state in range(2, pairs.contexts + 1) if is_common[pairs.context[state]]]
    after[pairs.context[states]] = np.arange(1, len(states) + 1)
    for state in (0, *states):
        arcs = pairs.followers(state)
        arcs = arcs[is_common[arcs["hears"]]]
        arcs["to"] = after[arcs["hears"]]
        yield with_arc(arcs, unknown, MURMUR, 0) if state == 0 else with_arc(arcs, 0, pairs.otherwise[state], 0)


def with_arc(arcs: Arcs, word: int, cost: float, to: int) -> Arcs:
    """Return *arcs* and one more, in the order of their words; 0 is no word at all."""
    return np.sort(np.append(arcs, np.array([(word, word, cost, to)], ARC)), order="hears")


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Which word follows which, as an n-gram graph of OpenFst keeps it."""

    words: int
    contexts: int
    """So many words have a state of their own; 0 is the state after all others, 1 the one before any."""
    context: NDArray[np.int32]
    """The word that a state follows."""
    otherwise: NDArray[np.float32]
    """The cost of a word that is not among a state's followers."""
    first: NDArray[np.int64]
    """Where a state's followers begin."""
    follower: NDArray[np.int32]
    cost: NDArray[np.float32]

    @classmethod
    def at(cls, graph: _Graph, at: int) -> _Pairs:
        """Return the pairs whose numbers begin *at* a place of the file."""
        states, arcs, finals = struct.unpack_from("<QQQ", graph, at)
        at += 24

        def take(kind: str, count: int) -> NDArray[Any]:
            nonlocal at
            taken = np.frombuffer(graph, kind, count, at).copy()
            at += taken.nbytes
            return taken

        def zeros(bits: int) -> NDArray[np.int64]:
            """Return where the zeros are among so many bits: each closes a list of ones."""
            packed = take("u1", 8 * ((bits + 63) // 64))
            return np.flatnonzero(np.unpackbits(packed, count=bits, bitorder="little") == 0)

        tree = zeros(2 * states + 1)
        lists = zeros(arcs + states + 1)
        take("u1", 8 * ((states + 63) // 64))
        context, follower = take("<i4", states + 1), take("<i4", arcs)
        otherwise = take("<f4", states + 1)
        take("<f4", finals)
        cost = take("<f4", arcs)
        first = lists - np.arange(lists.size)
        highest = int(follower.max()) + 1
        return cls(highest, int(tree[1]) - 2, context, otherwise, first, follower, cost)

    def followers(self, state: int) -> Arcs:
        """Return the words that follow in *state*, by their numbers, and what each costs."""
        span = slice(self.first[state], self.first[state + 1])
        arcs = np.zeros(span.stop - span.start, ARC)
        arcs["hears"] = arcs["says"] = self.follower[span]
        arcs["costs"] = self.cost[span]
        return arcs


def _after_header(graph: _Graph) -> int:
    """Return where the first table of words begins."""
    (magic,) = struct.unpack_from("<i", graph, 0)
    kind, at = _text(graph, 4)
    _, at = _text(graph, at)
    if magic != _FST or kind != "ngram":
        raise ValueError(f"a graph of kind {kind!r}, wanted 'ngram'")
    _, flags, *_ = struct.unpack_from("<iiQqqq", graph, at)
    if flags & _BOTH_TABLES != _BOTH_TABLES:
        raise ValueError("the graph does not name its words")
    return at + struct.calcsize("<iiQqqq")


def _words(graph: _Graph, table: int) -> Iterator[tuple[str, int, int]]:
    """Yield each word of the table, its number, and where its entry ends."""
    (magic,) = struct.unpack_from("<i", graph, table)
    if magic != _SYMBOLS:
        raise ValueError("the table of words is missing")
    _, at = _text(graph, table + 4)
    _, size = struct.unpack_from("<qq", graph, at)
    at += 16
    for _ in range(size):
        word, at = _text(graph, at)
        (number,) = struct.unpack_from("<q", graph, at)
        at += 8
        yield word, number, at


def _text(graph: _Graph, at: int) -> tuple[str, int]:
    """Return a text and where it ends."""
    (length,) = struct.unpack_from("<i", graph, at)
    return graph[at + 4 : at + 4 + length].decode(), at + 4 + length
