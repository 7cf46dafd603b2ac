"""A small set of whole sentences that holds every pair of neighbouring words of a graph (a phrase cover).

A recogniser that is given phrases learns only which word follows which. All sentences of a table full of
cards and psychics would be a hundred thousand, most of them the same few pairs over and over, and would
drown the rare ones: "pause" is one sentence, "red chooses card twelve" is many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from seance.dialogue.grammar.template_graph import Arc, Node

Permits = Callable[[Arc], bool]

_Followers = dict[Arc | None, list[Arc | None]]
"""What may follow each word; None is the start of a sentence as a key, and its end as a value."""


def covering_phrases(start: Node, permits: Permits) -> Iterator[str]:
    """Yield sentences from *start* that hold each permitted pair of neighbouring words at least once."""
    follow = _followers(start, permits)
    before: _Followers = defaultdict(list)
    for arc, nexts in follow.items():
        for after in nexts:
            before[after].append(arc)
    kinds = _kinds({*follow, None})
    held: set[tuple[int, int]] = set()
    ahead = {arc: _RoundRobin((n, (kinds[arc], kinds[n])) for n in nexts) for arc, nexts in follow.items()}
    behind = {arc: _RoundRobin((b, (kinds[b], kinds[arc])) for b in arcs) for arc, arcs in before.items()}
    for arc, nexts in follow.items():
        for after in nexts:
            if (kinds[arc], kinds[after]) not in held:
                path = [*reversed(_walk(arc, behind, held)), *_walk(after, ahead, held)]
                held.add((kinds[arc], kinds[after]))
                yield " ".join(arc.word for arc in path)


def every_phrase(start: Node, permits: Permits) -> Iterator[str]:
    """Yield every permitted sentence from *start*."""
    follow = _followers(start, permits)

    def walk(arc: Arc | None, said: str) -> Iterator[str]:
        for after in follow[arc]:
            if after is None:
                yield said
            else:
                yield from walk(after, f"{said} {after.word}" if said else after.word)

    return walk(None, "")


def _followers(start: Node, permits: Permits) -> _Followers:
    """Return what may follow each word that may be spoken."""
    nodes: dict[Node, list[Arc | None]] = {}

    def explore(node: Node) -> list[Arc | None]:
        """Return the arcs from *node* from which an end can be reached."""
        if node not in nodes:
            ways: list[Arc | None] = [
                arc for arcs in node.arcs.values() for arc in arcs if arc.spoken and permits(arc) and explore(arc.to)
            ]
            nodes[node] = [*ways, None] if node.ends else ways
        return nodes[node]

    follow: _Followers = {None: explore(start)}
    for ways in list(nodes.values()):
        for arc in ways:
            if arc is not None:
                follow[arc] = nodes[arc.to]
    return follow


def _kinds(arcs: set[Arc | None]) -> dict[Arc | None, int]:
    """Return a number for each arc, the same for all arcs with the same word and tags."""
    kinds: dict[object, int] = {}
    return {arc: kinds.setdefault(arc and (arc.word, arc.tags), len(kinds)) for arc in arcs}


class _RoundRobin:
    """Hands out arcs in turn, those first whose pair of words is not yet held."""

    __slots__ = ("_at", "_ways")

    def __init__(self, ways: Iterator[tuple[Arc | None, tuple[int, int]]]) -> None:
        self._ways = list(ways)
        self._at = 0

    def next(self, held: set[tuple[int, int]]) -> Arc | None:
        """Return the arc whose turn it is, and add its pair to *held*."""
        ways, number = self._ways, len(self._ways)
        self._at += 1
        turns = range(self._at, self._at + number)
        self._at = next((turn for turn in turns if ways[turn % number][1] not in held), self._at)
        way, pair = ways[self._at % number]
        held.add(pair)
        return way


def _walk(arc: Arc | None, turns: dict[Arc | None, _RoundRobin], held: set[tuple[int, int]]) -> list[Arc]:
    """Return *arc* and the arcs after it up to the end to which *turns* lead."""
    path: list[Arc] = []
    while arc is not None:
        path.append(arc)
        arc = turns[arc].next(held)
    return path
