"""What a bigger recogniser writes down as evidence for sentences: how nearly its text is each of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from unicode_rbnf import RbnfEngine

from seance.audio.formats import Samples
from seance.hearing.scoring import CERTAIN_POSTERIOR, Candidate, Decision


class Transcriber(Protocol):
    """A bigger recogniser, which writes down whatever is said."""

    @property
    def language(self) -> str:
        """The code of the language that it writes."""

    def transcribe(self, sound: Samples) -> str | None:
        """Return the text of *sound*, at SPEECH_RATE_HZ; None where there is no answer in time."""


MIN_POSTERIOR = 0.05
"""Below this nothing was meant, whatever a transcript says."""
MAX_TRANSCRIPT_LETTERS = 200
"""No sentence is so long: what is longer is nonsense."""
# Fitted to 54 doubtful sounds (docs/hearing.md) with `script/bench second --fit`. Half of a sentence is no evidence for
# it ("I choose"), and quite another sentence hardly any against it: in noise a recogniser invents.
TRANSCRIPT_BIAS = -6.0
SIMILARITY_WEIGHT = 9.0
"""The same sentence adds the sum of the two."""
MIN_TRANSCRIPT_LOG_ODDS = -0.1
"""What a transcript adds that is like no sentence."""


def is_in_doubt(decision: Decision) -> bool:
    """Return whether a bigger recogniser could change *decision*."""
    return MIN_POSTERIOR <= decision.posterior < CERTAIN_POSTERIOR


def transcript_log_odds(transcript: str | None, candidates: Sequence[Candidate], language: str) -> list[float] | None:
    """Return the log odds that *transcript* adds to each of *candidates*; None where it is none or nonsense."""
    if transcript is None or len(transcript) > MAX_TRANSCRIPT_LETTERS:
        return None
    written = fold(transcript, language)
    if not written:
        return None
    return [similarity_log_odds(similarity(written, fold(candidate.text, language))) for candidate in candidates]


def similarity_log_odds(alike: float, *, bias: float = TRANSCRIPT_BIAS, weight: float = SIMILARITY_WEIGHT) -> float:
    """Return the log odds that a transcript adds to a sentence to which it is so *alike*, from 0 to 1."""
    return max(MIN_TRANSCRIPT_LOG_ODDS, bias + weight * alike)


def fold(text: str, language: str) -> str:
    """Return *text* as letters alone: numbers as words, without accents, case, spaces and punctuation."""
    words = re.sub(r"\d{1,6}", lambda digits: f" {_number_words(int(digits[0]), language)} ", text)
    plain = unicodedata.normalize("NFKD", words.casefold())
    return "".join(letter for letter in plain if letter.isalpha())


def similarity(one: str, other: str) -> float:
    """Return 1 for the same letters, less for each that must be changed (Levenshtein), 0 for nothing in common."""
    row = list(range(len(other) + 1))
    for down, letter in enumerate(one, 1):
        diagonal, row[0] = row[0], down
        for across, another in enumerate(other, 1):
            changed = diagonal + (letter != another)
            diagonal, row[across] = row[across], min(row[across] + 1, row[across - 1] + 1, changed)
    return 1 - row[-1] / max(len(one), len(other), 1)


@lru_cache(maxsize=1024)
def _number_words(number: int, language: str) -> str:
    try:
        return RbnfEngine.for_language(language).format_number(number).text
    except (KeyError, ValueError):  # it does not know the language
        return str(number)
