"""Two meanings of the same words, found in the graphs themselves: so for every sentence, not for a sample."""

from __future__ import annotations

from collections.abc import Iterator

from seance.dialogue.grammar.sentences import Sentences
from seance.dialogue.grammar.template_graph import Node, Tag
from seance.dialogue.grammar.templates import ROW, Template

Filled = frozenset[tuple[str, object]]
Pair = tuple[Template, Template, Node, Node, Filled, Filled]


def double_meanings(sentences: Sentences) -> Iterator[str]:
    """Yield each way in which two sentences with the same words mean different things."""
    templates = [(number, t) for number, t in enumerate(sentences._templates) if t in sentences.typed_templates]
    nothing: Filled = frozenset()
    waiting: list[tuple[Pair, str]] = [
        ((a, b, a.start, b.start, nothing, nothing), "") for i, a in templates for j, b in templates if i <= j
    ]
    seen = {pair for pair, _ in waiting}
    while waiting:
        pair, said = waiting.pop()
        a, b, here, there, only_a, only_b = pair
        yield from (f"{said!r}: {a.intent} or {b.intent}" for _ in _both_end(pair))
        for word in here.arcs.keys() & there.arcs.keys():
            for one in here.arcs[word]:
                for other in there.arcs[word]:
                    mine, yours = only_a | _filled(one.tags), only_b | _filled(other.tags)
                    same = mine & yours
                    after = (a, b, one.to, other.to, mine - same, yours - same)
                    if after not in seen:
                        seen.add(after)
                        waiting.append((after, f"{said} {word}".strip()))


def _both_end(pair: Pair) -> Iterator[None]:
    a, b, here, there, only_a, only_b = pair
    for end_a in here.ends:
        for end_b in there.ends:
            one = only_a | _filled(end_a) | set(a.slots.items())
            other = only_b | _filled(end_b) | set(b.slots.items())
            if a.intent != b.intent or one != other:
                yield None


def _filled(tags: tuple[Tag, ...]) -> Filled:
    # Which cards the words of a row are is settled by a rule of its own: a number is as long as it can be.
    return frozenset((tag.slot, tag.value) for tag in tags if tag.slot != ROW)
