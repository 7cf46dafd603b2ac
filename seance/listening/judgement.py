"""Whether what was heard was meant as a command, from how likely, how near and how confirmed it is; no sound here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

AGREEMENT = 0.3
"""How much the second opinion counts beside the first when they differ on what was said."""
UNHEARD = -18.0
"""The second opinion on a sentence that it does not hear at all."""
NEAREST = 15.0
"""Decibels beyond which it does not matter by how much a voice stands out."""

GOING_ON, SURER = 0.6, 0.93
"""What begins within so many seconds of talk that was no command is more of it, unless so likely a command."""
FAINT, ALL_TALK = 6.0, 2.0
"""Where somebody has talked within so many seconds, what stands out by fewer decibels is never a command."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence that a stretch of speech could have been."""

    text: str
    intent: Any
    share: float
    """How likely it is among all that it could have been, other talk included, from 0 to 1."""
    fits: float = 1.0
    """How likely it is at this moment by what it means, beside other sentences, from 0 to 1."""

    @property
    def weight(self) -> float:
        """How likely it is beside other sentences, by its sound and by what it means."""
        return self.share * self.fits


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What speaks for a command, on a scale of logarithms of odds."""

    at_first: float
    command: float
    """For the odds that it was any sentence at all."""
    clear: float
    """For the logarithm of how likely this sentence is among all that it could have been."""
    near: float
    """For each decibel by which the voice stands out."""
    one_word: float
    """For a sentence of one word, and of two: these turn up in any talk."""
    two_words: float
    confirmed: float = 0.0
    """For the second opinion, a logarithm."""
    enough: float
    """How likely it must be that a command was meant, from 0 to 1."""


ALONE = Weights(at_first=-1.1, command=0.37, clear=3.8, near=0.16, one_word=-1.0, two_words=-1.0, enough=0.65)
TWO = Weights(
    at_first=1.4, command=0.27, clear=3.5, near=0.18, one_word=-2.0, two_words=-1.6, confirmed=0.24, enough=0.7
)
"""Fitted to commands and talk of the tuning voices in ten rooms (docs/hearing.md)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was heard in the end."""

    reading: Reading | None
    """The likeliest sentence."""
    likely: float
    """How likely it is that it was meant, from 0 to 1."""
    meant: bool
    """Whether that is enough."""


def judge(
    readings: Sequence[Reading], opinions: Sequence[float] | None, *, stands_out: float, since_talk: float
) -> Verdict:
    """Return which of *readings* was said and whether it was meant; *opinions* are a second model's on each."""
    if not readings:
        return Verdict(None, 0.0, False)
    told = [max(UNHEARD, min(opinion, 0.0)) for opinion in opinions or [0.0] * len(readings)]
    scores = [math.log(r.weight + 1e-6) + AGREEMENT * t for r, t in zip(readings, told, strict=True)]
    best = max(range(len(readings)), key=scores.__getitem__)
    clear = 1 / sum(math.exp(score - scores[best]) for score in scores)
    weights = ALONE if opinions is None else TWO
    likely = _likely(weights, readings, readings[best], clear, stands_out, told[best])
    return Verdict(readings[best], likely, likely >= needed(weights.enough, stands_out, since_talk))


def is_open(readings: Sequence[Reading], *, stands_out: float, since_talk: float) -> bool:
    """Tell whether a second opinion could make a difference."""
    if not readings:
        return False
    first = max(readings, key=lambda reading: reading.weight)
    total = sum(reading.weight for reading in readings)
    hope = _likely(TWO, readings, first, 1.0, stands_out, 0.0)
    fear = _likely(TWO, readings, first, first.weight / total, stands_out, UNHEARD)
    return fear < needed(TWO.enough, stands_out, since_talk) <= hope


def needed(enough: float, stands_out: float, since_talk: float) -> float:
    """Return how likely it must be that a command was meant: *enough*, or more soon after talk that was none."""
    if stands_out < FAINT and since_talk < ALL_TALK:
        return math.inf
    return SURER if since_talk < GOING_ON else enough


def _likely(
    weights: Weights, readings: Sequence[Reading], said: Reading, clear: float, stands_out: float, told: float
) -> float:
    command = min(max(sum(reading.share for reading in readings), 0.001), 0.999)
    odds = (
        weights.at_first
        + weights.command * math.log(command / (1 - command))
        + weights.clear * math.log(max(clear, 0.001))
        + weights.near * min(max(stands_out, 0.0), NEAREST)
        + {1: weights.one_word, 2: weights.two_words}.get(len(said.text.split()), 0.0)
        + weights.confirmed * told
    )
    return 1 / (1 + math.exp(-odds))
