"""Signals about who sits where around a microphone array."""

from collections.abc import Mapping
from dataclasses import dataclass

from seance.daemon.signals import Signal
from seance.permissions import Action, Source
from seance.rules import Psychic


@dataclass(frozen=True, slots=True)
class ChairSignal(Signal):
    """Something about the chairs."""


@dataclass(frozen=True, slots=True)
class ChairsKnown(ChairSignal):
    """The recogniser knows these chairs now, in degrees around the array."""

    chairs_deg: Mapping[Psychic, float]


@dataclass(frozen=True, slots=True)
class ChairChange(ChairSignal):
    """The voice of a guest comes from another place than their chair."""

    psychic: Psychic
    direction_deg: float


@dataclass(frozen=True, slots=True)
class ChairMove(ChairSignal):
    """The host puts the chair of a guest elsewhere."""

    psychic: Psychic
    direction_deg: float
    source: Source = Source.HOST_PHONE

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.MOVE_CHAIR, self.source


@dataclass(frozen=True, slots=True)
class GhostOverheard(ChairSignal):
    """Something was said where the ghost sits."""
