"""A vosk model whose language is a table's sentences and other talk; what either means it does not know.

Vosk's own phrase grammar keeps no more of the phrases than which word may follow which, so that in noise
their words recombine. The decoder underneath reads the graph of its language from a file of the model: we
show it a folder that is the model in everything but that file. In our graph a sentence is whole or it is
left, after any of its words, for the common words of the language: what is not a command is heard as what
it is, instead of as the command most like it.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import vosk

from seance.hearing.vocabulary import ARC, Arcs, BadModel, Vocabulary, with_arc

State = tuple[bool, Sequence[tuple[str, int]]]
"""Whether a sentence may end here, and which words lead to which state."""
WordGraph = Sequence[State]
"""States, the last of which is the start."""

_Costly = tuple[float, Arcs]
"""What it costs to end a sentence in a state, and the state's arcs."""

FORESEEN = 0.5
"""How much it counts how likely a sentence is before anything is heard: with none of it noise becomes long sentences,
with all of it long sentences become short ones."""

LEAVING = 6.0
"""What it costs to leave a sentence for other talk, as minus the logarithm of a likelihood."""

ANOTHER = 3.5
"""What it costs to say another sentence in the same breath."""

RETURNING = 4.0
"""What it costs to begin a sentence after other talk in the same breath."""

FILLER, WITHIN = 6.0, 10.0
"""What it costs to say what means nothing before a sentence, and after or among its words."""

_MAGIC = 2125659606
_SORTED_ACCEPTOR = 0x3 | 0x10000 | 0x10000000 | 0x40000000
_DECODING = """
--min-active=200
--max-active=3000
--beam=11.0
--lattice-beam=6.0
--acoustic-scale=1.0
--frame-subsampling-factor=3
--endpoint.silence-phones=1:2:3:4:5:6:7:8:9:10
--endpoint.rule1.min-trailing-silence=1000
--endpoint.rule2.min-trailing-silence=1000
--endpoint.rule3.min-trailing-silence=1000
--endpoint.rule4.min-trailing-silence=1000
--endpoint.rule5.min-utterance-length=1000
"""
"""As the small English model has it, but that vosk never ends an utterance by itself (1000 s is never)."""

_KEPT = ("am", "ivector", "graph/HCLr.fst", "graph/disambig_tid.int", "graph/phones")
"""What of a model's folder stays as it is."""
_MEMORY = "/dev/shm"  # noqa: S108 - a folder of our own is made in it


class UnknownWords(ValueError):
    """The model has never heard some words of the sentences."""


def from_phrases(phrases: Iterable[str]) -> WordGraph:
    """Return the graph that says *phrases* and nothing else."""
    root: dict[str, object] = {}
    for phrase in phrases:
        place = root
        for word in phrase.split():
            place = place.setdefault(word, {})  # type: ignore[assignment]
        place[""] = True
    numbers: dict[State, int] = {}

    def number(place: Mapping[str, object]) -> int:
        arcs = tuple((word, number(after)) for word, after in sorted(place.items()) if word)  # type: ignore[arg-type]
        return numbers.setdefault(("" in place, arcs), len(numbers))

    number(root)
    return tuple(numbers)


def words_of(graph: WordGraph, fillers: Iterable[str] = ()) -> frozenset[str]:
    """Return every word that *graph* can say, and those of *fillers*."""
    return frozenset(word for _, arcs in graph for word, _ in arcs).union(*map(str.split, fillers))


def sentence_model(model: Path, graph: WordGraph, vocabulary: Vocabulary, fillers: Sequence[str] = ()) -> vosk.Model:
    """Return *model*, loaded, with *graph*, *fillers* anywhere in it and common talk for its language."""
    numbers = vocabulary.numbers
    if strange := sorted(words_of(graph, fillers) - numbers.keys()):
        raise UnknownWords(f"{model.name} does not know {', '.join(strange)}: give them a sound-alike")
    with TemporaryDirectory(prefix="seance-ear-", dir=_memory()) as scratch:
        folder = Path(scratch)
        for name in _KEPT:
            if not (model / name).exists():
                raise BadModel(f"{model}: {name} is missing, fetch the model again")
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).symlink_to((model / name).resolve())
        (folder / "conf").mkdir()
        (folder / "conf" / "model.conf").write_text(_DECODING)
        (folder / "conf" / "mfcc.conf").write_text(_features(model))
        (folder / "graph" / "Gr.fst").write_bytes(_written(graph, vocabulary, fillers))
        words = "".join(f"{word} {number}\n" for word, number in numbers.items())
        (folder / "graph" / "words.txt").write_text("<eps> 0\n" + words, encoding="utf-8")
        return vosk.Model(str(folder))


def _memory() -> str | None:
    """Return a folder that is no disk: a night narrows the ear dozens of times, 4 MB each; or None."""
    return _MEMORY if os.access(_MEMORY, os.W_OK) else None


def _features(model: Path) -> str:
    """Return how *model* looks at sound, without the chance that it adds by itself: the same sound is heard alike."""
    try:
        return (model / "conf" / "mfcc.conf").read_text() + "\n--dither=0\n"
    except OSError:
        raise BadModel(f"{model}: conf/mfcc.conf is missing, fetch the model again") from None


def _written(graph: WordGraph, vocabulary: Vocabulary, fillers: Sequence[str]) -> bytes:
    """Return other talk and *graph* after it as OpenFst writes them, arcs in the order of their words."""
    numbers, first = vocabulary.numbers, len(vocabulary.talk)
    start = first + len(graph) - 1
    states: list[_Costly] = [(0.0, arcs) for arcs in vocabulary.talk]
    within: list[_Costly] = []
    for here, (ends, words) in enumerate(graph, first):
        end, each = _costs(ends, len(words))
        ways = [(numbers[word], each, first + to) for word, to in words]
        ways += [(0, LEAVING, 0)] + [(0, ANOTHER, start)] * ends
        for filler in fillers:
            said = [numbers[word] for word in filler.split()]
            # a filler of several words leads through states of its own, and back here
            through = [*range(start + len(within) + 1, start + len(within) + len(said)), here]
            ways.append((said[0], FILLER if here == start else WITHIN, through[0]))
            within += [(math.inf, _arcs([(number, 0.0, to)])) for number, to in zip(said[1:], through[1:], strict=True)]
        states.append((end, _arcs(ways)))
    states += within
    # words only, no leaving: a circle of steps without a word is more than the decoder bears
    states[0] = 0.0, with_arc(vocabulary.talk[0], 0, RETURNING, len(states))
    _, each = _costs(False, len(graph[-1][1]))
    states.append((math.inf, _arcs((numbers[word], each, first + to) for word, to in graph[-1][1])))
    return _packed(states, start)


def _costs(ends: bool, words: int) -> tuple[float, float]:
    """Return what it costs to end a sentence in a state, and what each of so many *words* costs that may follow.

    Each word is as likely as the next, and to end as likely as to go on: without that all sentences would be alike,
    and most of them are long ones that nobody says.
    """
    choice = FORESEEN * math.log(2) if ends and words else 0.0
    return choice if ends else math.inf, FORESEEN * math.log(max(words, 1)) + choice


def _packed(states: Sequence[_Costly], start: int) -> bytes:
    """Return *states* as a file of OpenFst."""
    out = [struct.pack("<i", _MAGIC)]
    out += [struct.pack("<i", len(name)) + name for name in (b"vector", b"standard")]
    count = sum(arcs.size for _, arcs in states)
    out.append(struct.pack("<iiQqqq", 2, 0, _SORTED_ACCEPTOR, start, len(states), count))
    for end, arcs in states:
        out += (struct.pack("<fq", end, arcs.size), arcs.tobytes())
    return b"".join(out)


def _arcs(ways: Iterable[tuple[int, float, int]]) -> Arcs:
    """Return a state's arcs: each hears and says a word, costs something, and leads somewhere."""
    return np.array(sorted((number, number, cost, to) for number, cost, to in ways), ARC)
