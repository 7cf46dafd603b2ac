"""Writes the decoder's grammar FST (Gr.fst) for a set of sentences, and loads a vosk model with it.

Vosk's own phrase grammar is a bigram model: it keeps only which word may follow which, so that in noise the words
of the phrases recombine. The decoder reads its grammar from a file of the model, so the model is loaded from a
folder that links to everything but that file. In our graph a sentence is complete, or it is left after any of its
words for a background model of common words: what is not a command is decoded as what it is, and not as the
command most like it.
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

from seance.hearing.vocabulary import ARC, EPSILON, Arcs, BadModel, Vocabulary, add_arc

WordState = tuple[bool, Sequence[tuple[str, int]]]
"""Whether a sentence may end here, and which words lead to which state."""
WordGraph = Sequence[WordState]
"""States, the last of which is the start."""

_FstState = tuple[float, Arcs]
"""The cost of ending in a state, and the state's arcs."""

# All costs are negative log-likelihoods.
PRIOR_SCALE = 0.5
"""The scale of the sentences' prior probabilities: at 0 noise becomes long sentences, at 1 long sentences become
short ones."""
EXIT_COST = 6.0
"""The cost of leaving a sentence for the background model."""
RESTART_COST = 3.5
"""The cost of another sentence after a complete one."""
REENTRY_COST = 4.0
"""The cost of beginning a sentence after the background model."""
LEADING_FILLER_COST = 6.0
"""The cost of a filler before a sentence."""
INNER_FILLER_COST = 10.0
"""The cost of a filler within or after a sentence."""

_FST_MAGIC = 2125659606
_SORTED_ACCEPTOR = 0x3 | 0x10000 | 0x10000000 | 0x40000000
_MODEL_CONF = """
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
"""The small English model's configuration, with vosk's own endpointing switched off (1000 s is never)."""

_LINKED_FILES = ("am", "ivector", "graph/HCLr.fst", "graph/disambig_tid.int", "graph/phones")
"""What of a model's folder is used as it is."""
_RAM_DISK = "/dev/shm"  # noqa: S108 - a folder of our own is made in it


class UnknownWords(ValueError):
    """Some words of the sentences are not in the model's vocabulary."""


def build_word_graph(phrases: Iterable[str]) -> WordGraph:
    """Return a minimal graph that accepts exactly *phrases*."""
    root: dict[str, object] = {}
    for phrase in phrases:
        node = root
        for word in phrase.split():
            node = node.setdefault(word, {})  # type: ignore[assignment]
        node[""] = True
    states: dict[WordState, int] = {}

    def add_state(node: Mapping[str, object]) -> int:
        arcs = tuple((word, add_state(after)) for word, after in sorted(node.items()) if word)  # type: ignore[arg-type]
        return states.setdefault(("" in node, arcs), len(states))

    add_state(root)
    return tuple(states)


def graph_words(graph: WordGraph, fillers: Iterable[str] = ()) -> frozenset[str]:
    """Return every word of *graph* and of *fillers*."""
    return frozenset(word for _, arcs in graph for word, _ in arcs).union(*map(str.split, fillers))


def build_model(model: Path, graph: WordGraph, vocabulary: Vocabulary, fillers: Sequence[str] = ()) -> vosk.Model:
    """Load *model* with *graph*, *fillers* anywhere in it, and the background model of *vocabulary*."""
    word_ids = vocabulary.word_ids
    if strange := sorted(graph_words(graph, fillers) - word_ids.keys()):
        raise UnknownWords(f"{model.name} does not know {', '.join(strange)}: give them a sound-alike")
    with TemporaryDirectory(prefix="seance-ear-", dir=_scratch_folder()) as scratch:
        folder = Path(scratch)
        for name in _LINKED_FILES:
            if not (model / name).exists():
                raise BadModel(f"{model}: {name} is missing, fetch the model again")
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).symlink_to((model / name).resolve())
        (folder / "conf").mkdir()
        (folder / "conf" / "model.conf").write_text(_MODEL_CONF)
        (folder / "conf" / "mfcc.conf").write_text(_read_mfcc_conf(model))
        (folder / "graph" / "Gr.fst").write_bytes(_build_fst(graph, vocabulary, fillers))
        words = "".join(f"{word} {word_id}\n" for word, word_id in word_ids.items())
        (folder / "graph" / "words.txt").write_text("<eps> 0\n" + words, encoding="utf-8")
        return vosk.Model(str(folder))


def _scratch_folder() -> str | None:
    """Return a folder in memory, or None: a night loads dozens of graphs of 4 MB, too many writes for an SD card."""
    return _RAM_DISK if os.access(_RAM_DISK, os.W_OK) else None


def _read_mfcc_conf(model: Path) -> str:
    """Return the feature configuration of *model* without dithering, so that decoding is reproducible."""
    try:
        return (model / "conf" / "mfcc.conf").read_text() + "\n--dither=0\n"
    except OSError:
        raise BadModel(f"{model}: conf/mfcc.conf is missing, fetch the model again") from None


def _build_fst(graph: WordGraph, vocabulary: Vocabulary, fillers: Sequence[str]) -> bytes:
    """Return the FST of the background model followed by *graph*."""
    word_ids, offset = vocabulary.word_ids, len(vocabulary.background)
    start = offset + len(graph) - 1
    states: list[_FstState] = [(0.0, arcs) for arcs in vocabulary.background]
    filler_states: list[_FstState] = []
    for here, (is_final, words) in enumerate(graph, offset):
        end_cost, word_cost = _prior_costs(is_final, len(words))
        arcs = [(word_ids[word], word_cost, offset + to) for word, to in words]
        arcs += [(EPSILON, EXIT_COST, 0)] + [(EPSILON, RESTART_COST, start)] * is_final
        for filler in fillers:
            said = [word_ids[word] for word in filler.split()]
            # A filler of several words leads through states of its own, and back here.
            path = [*range(start + len(filler_states) + 1, start + len(filler_states) + len(said)), here]
            arcs.append((said[0], LEADING_FILLER_COST if here == start else INNER_FILLER_COST, path[0]))
            filler_states += [
                (math.inf, _sort_arcs([(word_id, 0.0, to)])) for word_id, to in zip(said[1:], path[1:], strict=True)
            ]
        states.append((end_cost, _sort_arcs(arcs)))
    states += filler_states
    # The state of reentry has words only and no exit: the decoder cannot bear a cycle of epsilon arcs.
    states[0] = 0.0, add_arc(vocabulary.background[0], EPSILON, REENTRY_COST, len(states))
    _, word_cost = _prior_costs(False, len(graph[-1][1]))
    states.append((math.inf, _sort_arcs((word_ids[word], word_cost, offset + to) for word, to in graph[-1][1])))
    return _pack_fst(states, start)


def _prior_costs(is_final: bool, word_count: int) -> tuple[float, float]:
    """Return the cost of ending a sentence in a state, and of each of the words that may follow there.

    Each word is as likely as the next, and ending as likely as going on: without that all sentences would be equally
    likely, and most of them are long ones that nobody says.
    """
    choice = PRIOR_SCALE * math.log(2) if is_final and word_count else 0.0
    return choice if is_final else math.inf, PRIOR_SCALE * math.log(max(word_count, 1)) + choice


def _pack_fst(states: Sequence[_FstState], start: int) -> bytes:
    """Return *states* in OpenFst's binary vector format."""
    out = [struct.pack("<i", _FST_MAGIC)]
    out += [struct.pack("<i", len(name)) + name for name in (b"vector", b"standard")]
    arc_count = sum(arcs.size for _, arcs in states)
    out.append(struct.pack("<iiQqqq", 2, 0, _SORTED_ACCEPTOR, start, len(states), arc_count))
    for end_cost, arcs in states:
        out += (struct.pack("<fq", end_cost, arcs.size), arcs.tobytes())
    return b"".join(out)


def _sort_arcs(arcs: Iterable[tuple[int, float, int]]) -> Arcs:
    """Return the arcs of a state, given as word id, cost and next state, sorted by word id."""
    return np.array(sorted((word_id, word_id, cost, to) for word_id, cost, to in arcs), ARC)
