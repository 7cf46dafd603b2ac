"""Everything that can be said now as one minimal graph of words, for the decoder."""

from __future__ import annotations

from seance.dialogue.grammar.sentences import Sentences
from seance.dialogue.grammar.template_graph import Node

GraphState = tuple[bool, tuple[tuple[str, int], ...]]
"""Whether a sentence may end here, and the words that lead on, each with the index of its state."""


def word_graph(sentences: Sentences, *others: Sentences) -> tuple[GraphState, ...]:
    """Return the minimal graph that accepts exactly these sentences; its last state is the start.

    The values that *sentences* allows narrow *others* too.
    """
    numbers: dict[GraphState, int] = {}
    known: dict[frozenset[Node], int | None] = {}

    def explore(nodes: frozenset[Node]) -> int | None:
        """Return the index of the state for being at any of *nodes*, or None where no sentence can end."""
        if nodes not in known:
            arcs = [
                (word, after)
                for word, targets in sorted(_steps(sentences, nodes).items())
                if (after := explore(frozenset(targets))) is not None
            ]
            ends = any(node.ends for node in nodes)
            state = (ends, tuple(arcs))
            known[nodes] = numbers.setdefault(state, len(numbers)) if ends or arcs else None
        return known[nodes]

    explore(frozenset(template.start for each in (sentences, *others) for template in each.spoken_templates))
    return tuple(numbers)


def _steps(sentences: Sentences, nodes: frozenset[Node]) -> dict[str, set[Node]]:
    """Return the nodes to which each word leads that may be spoken at *nodes*."""
    steps: dict[str, set[Node]] = {}
    for node in nodes:
        for arcs in node.arcs.values():
            for arc in arcs:
                if arc.spoken and sentences.permits(arc):
                    steps.setdefault(arc.word, set()).add(arc.to)
    return steps
