"""Whose voice it was, as far as it can be told; it never hears a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Voiceprint = NDArray[np.float64]

LIKENESS = 0.55
"""How alike two voices must be, from -1 to 1, to be taken for one person's."""
LEAD = 0.15
"""By how much the most alike must be ahead of the next: to ask costs a moment, to guess wrongly a guess."""


@dataclass(slots=True)
class Speakers:
    """The people who have introduced themselves, by the sound of their voices."""

    likeness: float = LIKENESS
    lead: float = LEAD
    _prints: dict[str, list[Voiceprint]] = field(default_factory=dict)

    def enrol(self, name: str, vector: Sequence[float]) -> None:
        """Remember *vector* as a way *name* sounds, beside those already known."""
        self._prints.setdefault(name, []).append(_unit(vector))

    def forget(self, name: str) -> None:
        """Forget how *name* sounds."""
        self._prints.pop(name, None)

    @property
    def names(self) -> frozenset[str]:
        """Everybody who has introduced themselves."""
        return frozenset(self._prints)

    def whose(self, vector: Sequence[float]) -> str | None:
        """Return whose voice *vector* is, or None when one had better ask."""
        voice = _unit(vector)
        alike = {name: float(_unit(sum(prints)) @ voice) for name, prints in self._prints.items()}
        ranked = sorted(alike, key=alike.__getitem__, reverse=True)
        if not ranked or alike[ranked[0]] < self.likeness:
            return None
        if len(ranked) > 1 and alike[ranked[0]] - alike[ranked[1]] < self.lead:
            return None
        return ranked[0]


def _unit(vector: Sequence[float] | Voiceprint | int) -> Voiceprint:
    """Return *vector* with length one."""
    array = np.asarray(vector, np.float64)
    return array / max(float(np.linalg.norm(array)), 1e-9)
