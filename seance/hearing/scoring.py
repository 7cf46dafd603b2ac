"""Whether what was heard was meant as a command, from how likely, how near and how confirmed it is; no sound here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

UNHEARD = -18.0
"""Beside its own reading, what the second model has of a sentence that it does not hear at all."""
CONTRADICTED, CERTAIN = -10.0, 40.0
"""The least and the most by which a sound can speak for a sentence, to the second model."""
NEAREST = 15.0
"""Decibels beyond which it does not matter by how much a voice stands out."""
QUIET = 25.0
"""Decibels by which a voice stands out in a quiet room."""
BRIEF = 0.95
"""Seconds, with the quiet around it, under which a sound is hardly a word."""
QUIET_AROUND, LETTER = 0.5, 0.062
"""Seconds of quiet that belong to a sound, and seconds that a letter usually takes."""
PAST, PAST_FOR_A_WORD = 0.8, 2.0
"""Seconds in which talk that was no command is mostly over; a single word may still be part of it."""
FAINT, ALL_TALK = 6.0, 2.0
"""Where somebody has talked within so many seconds, what stands out by fewer decibels is never a command, and a single
word never is."""
MANY = 5
"""Words beyond which a sentence is long."""
DECIDED = 0.85
"""What is so likely a command when it was heard once is not heard again."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a stretch of speech could have meant."""

    text: str
    """The likeliest sentence for it."""
    intent: Any
    shares: tuple[float, ...]
    """How likely it was, each time the sound was heard, among all that it could have been, other talk included."""
    fits: float = 1.0
    """How likely it is at this moment by what it means, beside others, from 0 to 1."""

    @property
    def words(self) -> int:
        """How many words it has."""
        return len(self.text.split())


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a second model has of a sentence, in logarithms."""

    beside: float
    """How likely it is beside the model's own reading."""
    told: float
    """How much likelier the sound makes it than it was before: some sentences are believed too readily."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """How something was said."""

    stands_out: float
    """Decibels between the voice and the room."""
    seconds: float
    """How long it was, with the quiet around it."""
    since_talk: float
    """Seconds since somebody said what was no command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What speaks for a command, on a scale of logarithms of odds."""

    at_first: float
    command: float
    """For the odds that it was any sentence at all."""
    clear: float
    """For the logarithm of how likely this meaning is among all that it could have been."""
    near: float
    """For each decibel by which the voice stands out."""
    one_word: float
    """For a sentence of one word, and of two: these turn up in any talk."""
    two_words: float
    long: float = 0.0
    """For each word beyond many: noise drowns words of a long sentence, and hardly ever adds one that fits."""
    brief: float
    """For each second by which it is too short for a word."""
    pace: float
    """For the squared logarithm of how much slower or faster it was than people speak."""
    going_on: float
    """For following talk at once."""
    quiet: float = 0.0
    """For a quiet room, and for `clear` there once more: what is unclear there was not said."""
    quiet_clear: float = 0.0
    beside: float = 0.0
    """For how likely it is to the second model beside its own reading."""
    told: float = 0.0
    """For how much the sound speaks for it, to the second model."""
    enough: float
    """How likely it must be that this was meant, from 0 to 1."""


ONCE = Weights(
    at_first=-1.57,
    command=0.35,
    clear=0.71,
    near=0.1,
    one_word=-0.92,
    two_words=-0.93,
    long=0.77,
    brief=-3.08,
    pace=-0.9,
    going_on=-2.5,
    quiet=0.5,
    quiet_clear=1.2,
    enough=0.5,
)
AGAIN = Weights(
    at_first=-0.5,
    command=0.14,
    clear=0.52,
    near=0.12,
    one_word=-1.02,
    two_words=-0.93,
    long=0.8,
    brief=-1.72,
    pace=-0.62,
    going_on=-2.5,
    beside=0.16,
    told=0.14,
    enough=0.5,
)
"""For what was heard once, and for what was heard again and by a second model. Fitted to commands and talk of seen
and natural voices and of people (docs/hearing.md), but for `going_on`: no command of theirs follows talk at once, as
at a table."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was heard in the end."""

    reading: Reading | None
    """The likeliest meaning."""
    likely: float
    """How likely it is that it was meant, from 0 to 1."""
    meant: bool
    """Whether that is enough."""

    @property
    def is_open(self) -> bool:
        """Whether to hear it again could make a difference: one word or two turn up in any talk, however clear."""
        return self.likely > 0 and (self.likely < DECIDED or (self.reading is not None and self.reading.words < 3))


def judge(readings: Sequence[Reading], where: Circumstances, opinions: Sequence[Opinion] | None = None) -> Verdict:
    """Return which of *readings* was said and whether it was meant.

    *opinions* are those of a second model on each, once the sound was heard again.
    """
    if not readings or (where.stands_out < FAINT and (where.since_talk < ALL_TALK or readings[0].words == 1)):
        return Verdict(readings[0] if readings else None, 0.0, False)
    weights = ONCE if opinions is None else AGAIN
    odds = [_odds(weights, reading, clear, where) for reading, clear in zip(readings, _clear(readings), strict=True)]
    if opinions is not None:
        odds = [one + _confirmed(weights, opinion) for one, opinion in zip(odds, opinions, strict=True)]
    command = weights.command * _command(readings)
    likely = [math.exp(min(one + command, 50.0)) for one in odds]
    best = max(range(len(readings)), key=likely.__getitem__)
    share = likely[best] / (1 + sum(likely))
    return Verdict(readings[best], share, share >= weights.enough)


def _command(readings: Sequence[Reading]) -> float:
    """Return the logarithm of the odds that it was any of *readings*, and no other talk."""
    share = sum(sum(reading.shares) for reading in readings) / len(readings[0].shares)
    share = min(max(share, 0.001), 0.999)
    return math.log(share / (1 - share))


def _clear(readings: Sequence[Reading]) -> list[float]:
    """Return the logarithm of how likely each of *readings* is by its sound and by what it means."""
    found = [0.0] * len(readings)
    for shares in zip(*(reading.shares for reading in readings), strict=True):
        fitting = [share * reading.fits for share, reading in zip(shares, readings, strict=True)]
        # what is unlikely at the moment is likely all the same where nothing else sounds like it
        back = sum(shares) / sum(fitting) if sum(fitting) else 1.0
        found = [so_far + math.log(share * back + 1e-4) for so_far, share in zip(found, fitting, strict=True)]
    return [total / len(readings[0].shares) for total in found]


def _confirmed(weights: Weights, opinion: Opinion) -> float:
    """Return what an *opinion* adds to the odds."""
    beside, told = min(max(opinion.beside, UNHEARD), 0.0), min(max(opinion.told, CONTRADICTED), CERTAIN)
    return weights.beside * beside + weights.told * told


def _odds(weights: Weights, reading: Reading, clear: float, where: Circumstances) -> float:
    usual = LETTER * (len(reading.text) + 1)
    pace = math.log(max(where.seconds - QUIET_AROUND, 0.08) / usual)
    past = PAST_FOR_A_WORD if reading.words == 1 else PAST
    quiet = min(max((where.stands_out - NEAREST) / (QUIET - NEAREST), 0.0), 1.0)
    return (
        weights.at_first
        + weights.clear * clear
        + weights.near * min(max(where.stands_out, 0.0), NEAREST)
        + {1: weights.one_word, 2: weights.two_words}.get(reading.words, 0.0)
        + weights.long * max(0, reading.words - MANY)
        + weights.brief * max(0.0, BRIEF - where.seconds)
        + weights.pace * pace * pace
        + quiet * (weights.quiet + weights.quiet_clear * clear)
        + weights.going_on * math.exp(-max(where.since_talk, 0.0) / past)
    )
