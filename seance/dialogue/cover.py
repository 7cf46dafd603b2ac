"""The fewest whole sentences that hold every pair of neighbouring words of a graph; not every sentence.

A recogniser that is given phrases keeps no more of them than which word follows which. All sentences
of a table full of cards and psychics would be a hundred thousand, most of them the same few pairs over
and over, and would drown the rare ones: "pause" is one sentence, "red chooses card twelve" is many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from seance.dialogue.graph import Arc, Node

Permits = Callable[[Arc], bool]


def cover(start: Node, permits: Permits) -> Iterator[str]:
    """Yield sentences from *start* that hold each permitted pair of neighbours at least once."""
    follow = _followers(start, permits)
    before: dict[Arc | None, list[Arc | None]] = defaultdict(list)
    for arc, nexts in follow.items():
        for after in nexts:
            before[after].append(arc)
    ahead = {arc: _Turn(nexts) for arc, nexts in follow.items()}
    behind = {arc: _Turn(arcs) for arc, arcs in before.items()}
    held: set[_Pair] = set()
    for arc, nexts in follow.items():
        for after in nexts:
            if _pair(arc, after) not in held:
                path = [*_back(arc, behind, held), *_on(after, ahead, held)]
                held.add(_pair(arc, after))
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


def _followers(start: Node, permits: Permits) -> dict[Arc | None, list[Arc | None]]:
    """Return what may follow each spoken word: None stands for the start as a key, for the end as a value."""
    nodes: dict[Node, list[Arc | None]] = {}

    def explore(node: Node) -> list[Arc | None]:
        """Return the ways on from *node* that reach an end."""
        if node not in nodes:
            ways: list[Arc | None] = [
                arc
                for arcs in node.arcs.values()
                for arc in arcs
                if arc.spoken and permits(arc) and explore(arc.to)
            ]
            nodes[node] = [*ways, None] if node.ends else ways
        return nodes[node]

    follow: dict[Arc | None, list[Arc | None]] = {None: explore(start)}
    for ways in list(nodes.values()):
        for arc in ways:
            if arc is not None:
                follow[arc] = nodes[arc.to]
    return follow


_Pair = tuple[object, object]


def _pair(before: Arc | None, after: Arc | None) -> _Pair:
    """Return what makes two neighbours different from others: their words and values, not their place."""
    return before and (before.word, before.tags), after and (after.word, after.tags)


class _Turn:
    """Gives every way a turn, those first whose pair is not yet held."""

    __slots__ = ("at", "ways")

    def __init__(self, ways: list[Arc | None]) -> None:
        self.ways = ways
        self.at = 0

    def next(self, is_held: Callable[[Arc | None], bool]) -> Arc | None:
        """Return whose turn it is."""
        self.at += 1
        for step in range(len(self.ways)):
            way = self.ways[(self.at + step) % len(self.ways)]
            if not is_held(way):
                self.at += step
                return way
        return self.ways[self.at % len(self.ways)]


_Turns = dict[Arc | None, _Turn]


def _back(arc: Arc | None, behind: _Turns, held: set[_Pair]) -> list[Arc]:
    """Return a way from the start up to *arc*, and with it."""
    path: list[Arc] = []
    while arc is not None:
        path.append(arc)
        before = behind[arc].next(lambda way, arc=arc: _pair(way, arc) in held)  # type: ignore[misc]
        held.add(_pair(before, arc))
        arc = before
    return path[::-1]


def _on(arc: Arc | None, ahead: _Turns, held: set[_Pair]) -> list[Arc]:
    """Return a way from *arc*, and with it, to an end."""
    path: list[Arc] = []
    while arc is not None:
        path.append(arc)
        after = ahead[arc].next(lambda way, arc=arc: _pair(arc, way) in held)  # type: ignore[misc]
        held.add(_pair(arc, after))
        arc = after
    return path
