"""Speaker recognition: who spoke, by the cosine similarity of voiceprints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Voiceprint = NDArray[np.float64]
"""An x-vector of length one."""

MIN_SIMILARITY = 0.55
"""The cosine similarity, from -1 to 1, from which on two voiceprints are one person's."""
MIN_MARGIN = 0.15
"""How much more similar the best speaker must be than the next: a wrong guess costs more than a question."""


@dataclass(slots=True)
class Speakers:
    """The people who have introduced themselves, with their voiceprints."""

    min_similarity: float = MIN_SIMILARITY
    min_margin: float = MIN_MARGIN
    _voiceprints: dict[str, list[Voiceprint]] = field(default_factory=dict)

    def enrol(self, name: str, vector: Sequence[float]) -> None:
        """Add *vector* to the voiceprints of *name*."""
        self._voiceprints.setdefault(name, []).append(_normalise(vector))

    def forget(self, name: str) -> None:
        """Remove the voiceprints of *name*."""
        self._voiceprints.pop(name, None)

    @property
    def names(self) -> frozenset[str]:
        """Everybody who has introduced themselves."""
        return frozenset(self._voiceprints)

    def identify(self, vector: Sequence[float]) -> str | None:
        """Return the speaker whose voiceprint *vector* is, or None when that is uncertain."""
        voiceprint = _normalise(vector)
        similarity = {name: float(_normalise(sum(prints)) @ voiceprint) for name, prints in self._voiceprints.items()}
        ranked = sorted(similarity, key=similarity.__getitem__, reverse=True)
        if not ranked or similarity[ranked[0]] < self.min_similarity:
            return None
        if len(ranked) > 1 and similarity[ranked[0]] - similarity[ranked[1]] < self.min_margin:
            return None
        return ranked[0]


def _normalise(vector: Sequence[float] | Voiceprint | int) -> Voiceprint:
    """Return *vector* scaled to length one."""
    array = np.asarray(vector, np.float64)
    return array / max(float(np.linalg.norm(array)), 1e-9)
