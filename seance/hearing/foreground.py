"""Finds the frames of an utterance that the nearest speaker said, by level and by the words of the hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seance.hearing.decoding import Hypothesis, TimedWord
from seance.hearing.noise_reduction import FRAME_S, SILENT_LEVEL_DB

FrameLevels = NDArray[np.float64]
"""The level of each frame of an utterance, in dBFS."""

LOUD_RANGE_DB = 8.0
"""Decibels below the loudest frames within which a frame belongs to the foreground (find_by_threshold)."""
MAX_GAP_S = 0.3
"""Seconds of quieter frames that do not split the foreground (find_by_threshold)."""

SMOOTHING_S = 0.3
"""Seconds over which levels are averaged: several people talking at once are even over such a time, one is not."""
MIN_LEVEL_PERCENTILE = 15
"""Levels are clipped to this percentile: how deep a pause is does not matter."""
BACKGROUND_PERCENTILE = 30
"""Percentile of the smoothed levels that is background; the threshold lies half-way to FOREGROUND_PERCENTILE."""
FOREGROUND_PERCENTILE = 90

LEVEL_PERCENTILE = 75
"""Percentile of the levels of a range that is its level."""
LEAD_S = 0.25
"""Seconds before a found range that belong to it."""
TAIL_S = 0.12
"""Seconds after a found range that belong to it."""
SMOOTHED_TAIL_S = 0.57
"""The same for a range found by smoothed levels, which miss a soft last word."""
MIN_BACKGROUND_S = 0.4
"""Seconds of background that are worth cutting off."""
MIN_CONTRAST_DB = 2.0
"""Background that is quieter by less is the same voice."""
MAX_CONTRAST_DB = 15.0
"""Background that is quieter by more is a pause of the same voice."""
MIN_THRESHOLD_CONTRAST_DB = 3.0
"""The least contrast where nothing but the levels of single frames shows it (find_by_threshold)."""
TRAILING_SPEECH_SNR_DB = 7.0
"""Decibels above the noise floor from which on what follows a range is the same voice, softer: people begin aloud."""
BACKGROUND_PAUSE_PERCENTILE = 25
"""Percentile of the background's levels that is its softest part."""
BACKGROUND_PAUSE_DB = 24.0
"""Background whose softest part is quieter than the foreground by more is a pause, and not people talking."""

NEIGHBOURHOOD_S = 0.5
"""Seconds before and after a sentence that must be quieter: whoever goes on as loud has said more (find_by_words)."""
NEIGHBOURHOOD_GAP_S = 0.05
"""Seconds next to the sentence that are left out of it."""
MIN_SENTENCE_WORDS = 3
"""Words of a sentence that is looked for among the words of others: one or two turn up in any talk."""


class ForegroundRange(NamedTuple):
    """The frames of an utterance that the nearest speaker said."""

    begin: int
    end: int
    contrast_db: float
    """How much louder they are than the rest."""


def find_by_threshold(levels: FrameLevels, noise_floor_db: float) -> ForegroundRange | None:
    """Return the longest run of frames near the loudest level, or None where the levels are alike."""
    loud = np.flatnonzero(levels > np.percentile(levels, 90) - LOUD_RANGE_DB)
    runs = np.split(loud, np.flatnonzero(np.diff(loud) > round(MAX_GAP_S / FRAME_S)) + 1)
    longest = max(runs, key=len)
    found = _pad(levels, noise_floor_db, int(longest[0]), int(longest[-1]) + 1, TAIL_S)
    return found if found and found.contrast_db >= MIN_THRESHOLD_CONTRAST_DB else None


def find_by_level_sum(levels: FrameLevels, noise_floor_db: float) -> ForegroundRange | None:
    """Return the range whose smoothed levels sum up to most above a threshold, or None where the levels are alike.

    It finds one who speaks among others who never pause.
    """
    smooth = _smooth(np.maximum(levels, np.percentile(levels, MIN_LEVEL_PERCENTILE)))
    threshold_db = np.percentile(smooth, (BACKGROUND_PERCENTILE, FOREGROUND_PERCENTILE)).mean()
    sums = np.concatenate([[0.0], np.cumsum(smooth - threshold_db)])
    end = int((sums - np.minimum.accumulate(sums)).argmax())
    begin = int(sums[: end + 1].argmin())
    found = _pad(levels, noise_floor_db, begin, end, SMOOTHED_TAIL_S)
    return found if found and _is_background_speech(levels, found) else None


def find_by_words(
    levels: FrameLevels,
    noise_floor_db: float,
    hypotheses: Sequence[Hypothesis],
    *,
    parse: Callable[[str], Any],
    is_prefix: Callable[[str], bool],
) -> ForegroundRange | None:
    """Return the likeliest sentence in any of *hypotheses* that is louder than the rest and than its neighbourhood."""
    sentences: list[tuple[Any, list[float], float, float]] = []
    for hypothesis in hypotheses:
        for intent, begin_s, end_s in _find_sentences(hypothesis.words, parse, is_prefix):
            posteriors = next((posteriors for known, posteriors, *_ in sentences if known == intent), None)
            if posteriors is None:
                sentences.append((intent, posteriors := [], begin_s, end_s))
            posteriors.append(hypothesis.posterior)
    for _, _, begin_s, end_s in sorted(sentences, key=lambda sentence: -sum(sentence[1])):
        begin, end = round(begin_s / FRAME_S), min(round(end_s / FRAME_S), levels.size)
        is_louder = _exceeds_neighbourhood(levels, begin, end)
        found = _pad(levels, noise_floor_db, begin, end, TAIL_S) if is_louder else None
        if found and _is_background_speech(levels, found):
            return found
    return None


def _find_sentences(
    words: Sequence[TimedWord], parse: Callable[[str], Any], is_prefix: Callable[[str], bool]
) -> Iterator[tuple[Any, float, float]]:
    """Yield intent, begin and end in seconds of the longest sentence from each word on, none within another."""
    covered = 0
    for begin, first in enumerate(words):
        found = None
        for end in range(begin + 1, len(words) + 1):
            text = " ".join(timed.word for timed in words[begin:end])
            if end - begin >= MIN_SENTENCE_WORDS and end > covered and (intent := parse(text)) is not None:
                found = intent, end
            if not is_prefix(text):
                break
        if found:
            intent, covered = found
            yield intent, first.begin_s, words[covered - 1].end_s


def _exceeds_neighbourhood(levels: FrameLevels, begin: int, end: int) -> bool:
    """Return whether the frames are louder than those just before and just after them."""
    far, near = round(NEIGHBOURHOOD_S / FRAME_S), round(NEIGHBOURHOOD_GAP_S / FRAME_S)
    neighbours = levels[max(0, begin - far) : max(0, begin - near)], levels[end + near : end + far]
    limit_db = _level(levels[begin:end]) - MIN_CONTRAST_DB if end > begin else -np.inf
    return all(not side.size or _level(side) <= limit_db for side in neighbours)


def _is_background_speech(levels: FrameLevels, found: ForegroundRange) -> bool:
    """Return whether all but the *found* range is people who go on talking, and not a pause with a word before it."""
    background = _background(levels, found.begin, found.end)
    # The silence that is assumed before the first sound is no pause.
    background = background[int(np.argmax(background > SILENT_LEVEL_DB)) :]
    softest_db = np.percentile(background, BACKGROUND_PAUSE_PERCENTILE)
    return bool(_level(levels[found.begin : found.end]) - softest_db < BACKGROUND_PAUSE_DB)


def _pad(levels: FrameLevels, noise_floor_db: float, begin: int, end: int, tail_s: float) -> ForegroundRange | None:
    """Return the frames with some before and after, or None unless the rest is background."""
    begin, end = max(0, begin - round(LEAD_S / FRAME_S)), min(levels.size, end + round(tail_s / FRAME_S))
    background = _background(levels, begin, end)
    # A word may be decoded into the silence that is added at the end: the range may be empty.
    is_enough = begin < end and background.size * FRAME_S >= MIN_BACKGROUND_S
    if not is_enough or _continues(levels[end:], noise_floor_db):
        return None
    contrast_db = float(_level(levels[begin:end]) - _level(background))
    is_background = MIN_CONTRAST_DB <= contrast_db <= MAX_CONTRAST_DB
    return ForegroundRange(begin, end, contrast_db) if is_background else None


def _continues(after: FrameLevels, noise_floor_db: float) -> bool:
    """Return whether the frames *after* a range are the same voice, more softly."""
    is_enough = after.size * FRAME_S >= MIN_BACKGROUND_S
    return bool(is_enough and _level(after) > noise_floor_db + TRAILING_SPEECH_SNR_DB)


def _level(levels: FrameLevels) -> np.float64:
    return np.float64(np.percentile(levels, LEVEL_PERCENTILE))


def _background(levels: FrameLevels, begin: int, end: int) -> FrameLevels:
    return np.concatenate([levels[:begin], levels[end:]])


def _smooth(levels: FrameLevels) -> FrameLevels:
    """Return the mean level around each frame, averaged as power."""
    count = round(SMOOTHING_S / FRAME_S)
    power = np.pad(10 ** (levels / 10), (count // 2, count - 1 - count // 2), mode="edge")
    smooth: FrameLevels = 10 * np.log10(np.convolve(power, np.ones(count) / count, "valid"))
    return smooth
