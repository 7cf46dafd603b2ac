"""Which part of a breath somebody nearer has said, by its levels and by the words that it could be; no sound here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seance.hearing.noise_reduction import FRAME_S, SILENT_LEVEL_DB

Levels = NDArray[np.float64]
"""Decibels of a breath, frame by frame."""
Timed = tuple[str, float, float]
"""A word, and the seconds at which it begins and ends."""

SOFTER, GAP = 8.0, 0.3
"""Decibels under the loudest, and seconds of that, which part a voice from others that are heard in the same breath."""
SMOOTH = 0.3
"""Seconds over which a level is taken: several who talk at once are even over such a time, and one alone is not."""
LEAST = 15
"""The share, in per cent, of a breath that is too soft to matter how soft it is."""
SOFT, LOUD = 30, 90
"""Shares, in per cent, of a breath that are others, and that are not who is nearest: what lies half-way parts them."""
BEFORE, AFTER, AFTER_SMOOTH = 0.25, 0.12, 0.57
"""Seconds before and after a part that belong to it; by smooth levels a soft last word is not found."""
MUCH = 0.4
"""Seconds of others that make a difference."""
OTHERS = (2.0, 15.0)
"""By how many decibels others are softer: who is as loud is the same voice, what is softer is its pause."""
CLEARLY = 3.0
"""The least of that where nothing but the levels of single frames tells it."""
GOES_ON = 7.0
"""Decibels over the room from which on what follows a part is the same voice, and softer: people begin aloud."""
NEVER_PAUSE = 24.0
"""Decibels by which others who go on talking are softer even when they are softest."""
AROUND, APART = 0.5, 0.05
"""Seconds before and after the words of a sentence, without the first, in which others are softer, too: who goes on as
loud has said more than that."""
LEAST_WORDS = 3
"""Words of a sentence that is looked for among others: one or two turn up in any talk."""


class Part(NamedTuple):
    """Some frames of a breath."""

    begin: int
    end: int
    by: float
    """Decibels by which it is louder than the rest."""


@dataclass(frozen=True, slots=True)
class Way:
    """What a breath could have been."""

    words: Sequence[Timed]
    share: float
    """How likely that is among all that it could have been."""


def loudest(levels: Levels, room: float) -> Part | None:
    """Return the longest stretch in which nothing is much softer than the loudest; None where all is alike."""
    at = np.flatnonzero(levels > np.percentile(levels, 90) - SOFTER)
    longest = max(np.split(at, np.flatnonzero(np.diff(at) > round(GAP / FRAME_S)) + 1), key=len)
    part = _cut(levels, room, int(longest[0]), int(longest[-1]) + 1, AFTER)
    return part if part and part.by >= CLEARLY else None


def nearest(levels: Levels, room: float) -> Part | None:
    """Return the stretch over which it is louder, all in all, than others who never pause; None where all is alike."""
    smooth = _smooth(np.maximum(levels, np.percentile(levels, LEAST)))
    # the stretch whose levels sum up to most beyond what parts the loud from the soft
    total = np.concatenate([[0.0], np.cumsum(smooth - np.percentile(smooth, (SOFT, LOUD)).mean())])
    end = int((total - np.minimum.accumulate(total)).argmax())
    begin = int(total[: end + 1].argmin())
    part = _cut(levels, room, begin, end, AFTER_SMOOTH)
    return part if part and _never_pause(levels, part) else None


def sentence_within(
    levels: Levels, room: float, ways: Sequence[Way], whole: Callable[[str], Any], is_beginning: Callable[[str], bool]
) -> Part | None:
    """Return the likeliest sentence in any of *ways* that is louder than the rest and than what is around it."""
    met: list[tuple[Any, list[float], float, float]] = []
    for way in ways:
        for intent, begin, end in _sentences(way.words, whole, is_beginning):
            same = next((shares for known, shares, *_ in met if known == intent), None)
            if same is None:
                met.append((intent, same := [], begin, end))
            same.append(way.share)
    for _, _, begin, end in sorted(met, key=lambda one: -sum(one[1])):
        first, last = round(begin / FRAME_S), min(round(end / FRAME_S), levels.size)
        part = _cut(levels, room, first, last, AFTER) if _stands_apart(levels, first, last) else None
        if part and _never_pause(levels, part):
            return part
    return None


def _sentences(
    words: Sequence[Timed], whole: Callable[[str], Any], is_beginning: Callable[[str], bool]
) -> Iterator[tuple[Any, float, float]]:
    """Yield what the longest sentence from each word on means, but for those within another, and when it was said."""
    after = 0
    for begin, (_, began, _) in enumerate(words):
        found = None
        for end in range(begin + 1, len(words) + 1):
            text = " ".join(word for word, *_ in words[begin:end])
            if end - begin >= LEAST_WORDS and end > after and (intent := whole(text)) is not None:
                found = intent, end
            if not is_beginning(text):
                break
        if found:
            intent, after = found
            yield intent, began, words[after - 1][2]


def _stands_apart(levels: Levels, begin: int, end: int) -> bool:
    """Tell whether what is just before and just after is softer."""
    near, next_to = round(AROUND / FRAME_S), round(APART / FRAME_S)
    around = levels[max(0, begin - near) : max(0, begin - next_to)], levels[end + next_to : end + near]
    loud = np.percentile(levels[begin:end], 75) - OTHERS[0] if end > begin else -np.inf
    return all(not side.size or np.percentile(side, 75) <= loud for side in around)


def _never_pause(levels: Levels, part: Part) -> bool:
    """Tell whether all but *part* is others who go on talking, and not a pause with a word before it."""
    rest = _rest(levels, part.begin, part.end)
    # what is supposed to have been before the first sound is no pause
    rest = rest[int(np.argmax(rest > SILENT_LEVEL_DB)) :]
    loud, softest = np.percentile(levels[part.begin : part.end], 75), np.percentile(rest, 25)
    return bool(loud - softest < NEVER_PAUSE)


def _cut(levels: Levels, room: float, begin: int, end: int, after: float) -> Part | None:
    """Return these frames, some before and those of so many seconds *after*, if others are softer than that."""
    begin, end = max(0, begin - round(BEFORE / FRAME_S)), min(levels.size, end + round(after / FRAME_S))
    rest = _rest(levels, begin, end)
    # a word may be heard into the quiet that is added at the end
    if begin >= end or rest.size * FRAME_S < MUCH or _goes_on(levels[end:], room):
        return None
    by = float(np.percentile(levels[begin:end], 75) - np.percentile(rest, 75))
    return Part(begin, end, by) if OTHERS[0] <= by <= OTHERS[1] else None


def _goes_on(after: Levels, room: float) -> bool:
    """Tell whether what comes *after* a part stands out of the *room* as others do not."""
    return bool(after.size * FRAME_S >= MUCH and np.percentile(after, 75) > room + GOES_ON)


def _rest(levels: Levels, begin: int, end: int) -> Levels:
    return np.concatenate([levels[:begin], levels[end:]])


def _smooth(levels: Levels) -> Levels:
    """Return the level of what is around each frame."""
    count = round(SMOOTH / FRAME_S)
    power = np.pad(10 ** (levels / 10), (count // 2, count - 1 - count // 2), mode="edge")
    smooth: Levels = 10 * np.log10(np.convolve(power, np.ones(count) / count, "valid"))
    return smooth
