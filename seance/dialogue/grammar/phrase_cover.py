"""The fewest whole sentences that hold every pair of neighbouring words of a graph; not every sentence.

A recogniser that is given phrases keeps no more of them than which word follows which. All sentences
of a table full of cards and psychics would be a hundred thousand, most of them the same few pairs over
and over, and would drown the rare ones: "pause" is one sentence, "red chooses card twelve" is many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from seance.dialogue.grammar.template_graph import Arc, Node

Permits = Callable[[Arc], bool]

_Ways = dict[Arc | None, list[Arc | None]]
"""None is the start of a sentence in front of its first word, and the end of it behind its last."""


def cover(start: Node, permits: Permits) -> Iterator[str]:
    """Yield sentences from *start* that hold each permitted pair of neighbours at least once."""
    follow = _followers(start, permits)
    before: _Ways = defaultdict(list)
    for arc, nexts in follow.items():
        for after in nexts:
            before[after].append(arc)
    kinds = _kinds({*follow, None})
    held: set[tuple[int, int]] = set()
    ahead = {arc: _Turn((n, (kinds[arc], kinds[n])) for n in nexts) for arc, nexts in follow.items()}
    behind = {arc: _Turn((b, (kinds[b], kinds[arc])) for b in arcs) for arc, arcs in before.items()}
    for arc, nexts in follow.items():
        for after in nexts:
            if (kinds[arc], kinds[after]) not in held:
                path = [*reversed(_walk(arc, behind, held)), *_walk(after, ahead, held)]
                held.add((kinds[arc], kinds[after]))
                yield " ".join(arc.word for arc in path)


def every(start: Node, permits: Permits) -> Iterator[str]:
    """Yield every permitted sentence from *start*."""
    follow = _followers(start, permits)

    def walk(arc: Arc | None, said: str) -> Iterator[str]:
        for after in follow[arc]:
            if after is None:
                yield said
            else:
                yield from walk(after, f"{said} {after.word}" if said else after.word)

    return walk(None, "")


def _followers(start: Node, permits: Permits) -> _Ways:
    """Return what may follow each word that can be spoken."""
    nodes: dict[Node, list[Arc | None]] = {}

    def explore(node: Node) -> list[Arc | None]:
        """Return the ways on from *node* that reach an end."""
        if node not in nodes:
            ways: list[Arc | None] = [
                arc for arcs in node.arcs.values() for arc in arcs if arc.spoken and permits(arc) and explore(arc.to)
            ]
            nodes[node] = [*ways, None] if node.ends else ways
        return nodes[node]

    follow: _Ways = {None: explore(start)}
    for ways in list(nodes.values()):
        for arc in ways:
            if arc is not None:
                follow[arc] = nodes[arc.to]
    return follow


def _kinds(arcs: set[Arc | None]) -> dict[Arc | None, int]:
    """Return a number for each arc, the same for the same word and value wherever it stands."""
    kinds: dict[object, int] = {}
    return {arc: kinds.setdefault(arc and (arc.word, arc.tags), len(kinds)) for arc in arcs}


class _Turn:
    """Gives every way a turn, those first whose pair is not yet held."""

    __slots__ = ("_at", "_ways")

    def __init__(self, ways: Iterator[tuple[Arc | None, tuple[int, int]]]) -> None:
        self._ways = list(ways)
        self._at = 0

    def next(self, held: set[tuple[int, int]]) -> Arc | None:
        """Return whose turn it is, and hold the pair."""
        ways, number = self._ways, len(self._ways)
        self._at += 1
        turns = range(self._at, self._at + number)
        self._at = next((turn for turn in turns if ways[turn % number][1] not in held), self._at)
        way, pair = ways[self._at % number]
        held.add(pair)
        return way


def _walk(arc: Arc | None, turns: dict[Arc | None, _Turn], held: set[tuple[int, int]]) -> list[Arc]:
    """Return *arc* and what lies between it and the end that *turns* lead to."""
    path: list[Arc] = []
    while arc is not None:
        path.append(arc)
        arc = turns[arc].next(held)
    return path
