"""Speaker recognition: who spoke, by the similarity of voiceprints, and by direction where there is an array."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Voiceprint = NDArray[np.float64]
"""An x-vector of length one."""

MIN_SIMILARITY = 0.55
"""The cosine similarity, from -1 to 1, from which on two voiceprints are one person's."""
MIN_MARGIN = 0.15
"""How much more similar the best speaker must be than the next: a wrong guess costs more than a question."""
DIRECTION_ERROR_DEG = 5.0
"""The standard deviation of a measured direction from a guest's seat."""
SAME_PLACE_DEG = 18.0
"""Directions that differ by no more are one seat."""
AWAY_SHARE = 0.02
"""How often guests speak from elsewhere than their seat."""
STRANGER_SHARE = 0.1
"""How often somebody speaks who has not introduced themselves."""
USUAL_SIMILARITY = 0.15
"""The similarity of two people's voices, on average."""
VOICE_MIDDLE = 0.1
"""How much more similar than the others a voice is that tells nothing: in noise all are less similar."""
VOICE_WEIGHT = 14.0
"""By how much the log-likelihood ratio rises with each unit of similarity."""
MIN_VOICE_LLR = -3.0
"""What an unlike voice may weigh at most: short commands of one person are unlike each other."""
MAX_VOICE_LLR = 2.0
"""What a voice that is alike may weigh at most."""
MIN_POSTERIOR = 0.85
"""The posterior of direction and voice from which on somebody is identified."""


@dataclass(slots=True)
class Speakers:
    """The people who have introduced themselves, with their voiceprints and seats."""

    min_similarity: float = MIN_SIMILARITY
    min_margin: float = MIN_MARGIN
    _voiceprints: dict[str, list[Voiceprint]] = field(default_factory=dict)
    _seats_deg: dict[str, float] = field(default_factory=dict)
    candidates: frozenset[str] | None = None
    """Who may be identified; None for everybody who has introduced themselves."""
    _heard_away_deg: dict[str, float] = field(default_factory=dict)
    """Where voices were heard last that were not at their seats."""
    _noticed_away_deg: dict[str, float] = field(default_factory=dict)
    """The places at which a change of seats was noticed."""

    def enrol(self, name: str, vector: Sequence[float] | None, direction_deg: float | None = None) -> None:
        """Add *vector* to the voiceprints of *name*, whose seat is from now on in that direction."""
        if vector:
            self._voiceprints.setdefault(name, []).append(_normalise(vector))
        if direction_deg is not None:
            self.move(name, direction_deg)

    def move(self, name: str, direction_deg: float, *, takes_over: bool = False) -> None:
        """Put the seat of *name* into that direction; if *name* *takes_over*, nobody else's seat is there any more."""
        if takes_over:
            for other in [other for other, seat in self._seats_deg.items() if _is_same_place(seat, direction_deg)]:
                del self._seats_deg[other]
        self._seats_deg[name] = direction_deg
        self._heard_away_deg.pop(name, None)
        self._noticed_away_deg.pop(name, None)

    def forget(self, name: str) -> None:
        """Remove the voiceprints and the seat of *name*."""
        for known in (self._voiceprints, self._seats_deg, self._heard_away_deg, self._noticed_away_deg):
            known.pop(name, None)

    def notice_move(self, vector: Sequence[float], direction_deg: float) -> str | None:
        """Return whose voice has now come twice in a row from the same other place, once for each such place."""
        name = self.identify(vector)
        if name is None or not self._seats_deg:
            return None
        seat = self._seats_deg.get(name)
        if seat is not None and _is_same_place(seat, direction_deg):
            self._heard_away_deg.pop(name, None)
            return None
        before, self._heard_away_deg[name] = self._heard_away_deg.get(name), direction_deg
        if before is None or not _is_same_place(before, direction_deg):
            return None
        noticed = self._noticed_away_deg.get(name)
        if noticed is not None and _is_same_place(noticed, direction_deg):
            return None
        self._noticed_away_deg[name] = direction_deg
        return name

    @property
    def names(self) -> frozenset[str]:
        """Everybody who has introduced themselves."""
        return frozenset(self._voiceprints) | frozenset(self._seats_deg)

    @property
    def seats_deg(self) -> dict[str, float]:
        """The direction of everybody's seat."""
        return dict(self._seats_deg)

    def seat_at(self, direction_deg: float) -> str | None:
        """Return whose seat is in *direction_deg*, or None where nobody's is."""
        away = {name: abs(_difference_deg(direction_deg, seat)) for name, seat in self._seats_deg.items()}
        nearest = min(away, key=away.__getitem__, default=None)
        return nearest if nearest is not None and _is_same_place(direction_deg, self._seats_deg[nearest]) else None

    def identify(self, vector: Sequence[float] | None, direction_deg: float | None = None) -> str | None:
        """Return who spoke with the voice *vector* from *direction_deg*, or None when that is uncertain."""
        similarity: dict[str, float] = {}
        if vector:
            voiceprint = _normalise(vector)
            similarity = {
                name: float(_normalise(sum(prints)) @ voiceprint)
                for name, prints in self._voiceprints.items()
                if self._may_be(name)
            }
        if direction_deg is not None and any(map(self._may_be, self._seats_deg)):
            return self._identify_by_seat(similarity, direction_deg)
        ranked = sorted(similarity, key=similarity.__getitem__, reverse=True)
        if not ranked or similarity[ranked[0]] < self.min_similarity:
            return None
        if len(ranked) > 1 and similarity[ranked[0]] - similarity[ranked[1]] < self.min_margin:
            return None
        return ranked[0]

    def _may_be(self, name: str) -> bool:
        return self.candidates is None or name in self.candidates

    def _identify_by_seat(self, similarity: dict[str, float], direction_deg: float) -> str | None:
        """Return the speaker of the highest posterior of voice and direction, if it is high enough."""
        anywhere = 1 / 360
        likelihoods = {}
        for name in filter(self._may_be, self.names):
            llr = VOICE_WEIGHT * (_excess(similarity, name) - VOICE_MIDDLE) if name in similarity else 0.0
            density = anywhere
            if name in self._seats_deg:
                away = _difference_deg(direction_deg, self._seats_deg[name]) / DIRECTION_ERROR_DEG
                at_seat = math.exp(-away * away / 2) / (DIRECTION_ERROR_DEG * math.sqrt(2 * math.pi))
                density = (1 - AWAY_SHARE) * at_seat + AWAY_SHARE * anywhere
            likelihoods[name] = math.exp(min(max(llr, MIN_VOICE_LLR), MAX_VOICE_LLR)) * density
        known = (1 - STRANGER_SHARE) / len(likelihoods)
        total = STRANGER_SHARE * anywhere + known * sum(likelihoods.values())
        best = max(likelihoods, key=likelihoods.__getitem__)
        return best if known * likelihoods[best] / total >= MIN_POSTERIOR else None


def _difference_deg(one: float, other: float) -> float:
    """Return the angle from *other* to *one*, -180 to 180 degrees."""
    return (one - other + 180) % 360 - 180


def _is_same_place(one: float, other: float) -> bool:
    return abs(_difference_deg(one, other)) <= SAME_PLACE_DEG


def _excess(similarity: Mapping[str, float], name: str) -> float:
    """Return by how much more similar a voice is to that of *name* than to those of the others, and to a usual one."""
    others = [value for other, value in similarity.items() if other != name]
    return similarity[name] - (sum(others) + USUAL_SIMILARITY) / (len(others) + 1)


def _normalise(vector: Sequence[float] | Voiceprint | int) -> Voiceprint:
    """Return *vector* scaled to length one."""
    array = np.asarray(vector, np.float64)
    return array / max(float(np.linalg.norm(array)), 1e-9)
