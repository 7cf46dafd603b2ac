"""What a psychic can take back in this turn (S4); one step more costs the same however many there are.

A psychic's steps are the latest one on each thing, in the order in which they were made; earlier ones hang on them.
"""

from typing import NamedTuple, TypeAlias

from seance.rules.terms import Psychic


class Step(NamedTuple):
    """One thing to take back: what was there before."""

    what: str
    """`vision`, `intuition` or `bet`."""
    on: Psychic | None
    """On whose intuition it was done: one's own, or with a bet another's; None for a vision."""
    before: int | None
    """The number of visions, or the card, or the token (1 agrees, 0 does not) that was there; None for nothing."""
    number: int
    """Later steps of the same psychic have higher numbers."""
    earlier: "Step | None"
    """The step before this one on the same thing."""

    def __eq__(self, other: object) -> bool:
        mine: Step | None = self
        # Not by recursion, as tuples do: a psychic may move thousands of times in an hour.
        while mine is not other:
            if not isinstance(mine, Step) or not isinstance(other, Step) or mine[:4] != other[:4]:
                return False
            mine, other = mine.earlier, other.earlier
        return True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:4])


Steps: TypeAlias = tuple[Step, ...]


def remembered(steps: Steps, what: str, on: Psychic | None, before: int | None) -> Steps:
    """Return *steps* and one more."""
    number = steps[-1].number + 1 if steps else 1
    for step in steps:
        if step.on is on:
            return (*without(steps, on), Step(what, on, before, number, step))
    return (*steps, Step(what, on, before, number, None))


def undone(steps: Steps) -> Steps:
    """Return *steps* but for the last."""
    *others, last = steps
    if last.earlier is None:
        return tuple(others)
    return tuple(sorted((*others, last.earlier), key=lambda step: step.number))


def without(steps: Steps, on: Psychic | None) -> Steps:
    """Return *steps* but for all on one thing."""
    return tuple([step for step in steps if step.on is not on])
