"""Logistic scoring: which candidate was said, and the posterior probability that it was meant as a command."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MIN_LLR_VS_BEST = -18.0
"""The clipping limit of a sentence that the rescoring model does not hear at all."""
MIN_LLR_VS_PRIOR = -10.0
MAX_LLR_VS_PRIOR = 40.0
MAX_SNR_DB = 15.0
"""Signal-to-noise ratio above which more of it does not count."""
QUIET_ROOM_SNR_DB = 25.0
"""Signal-to-noise ratio of a voice in a quiet room; from MAX_SNR_DB to here the room becomes quiet."""
MIN_WORD_S = 0.95
"""Seconds, with the silence around it, below which a sound is hardly a word."""
SURROUNDING_SILENCE_S = 0.5
"""Seconds of an utterance that are the silence around it."""
MIN_SPEECH_S = 0.08
"""The least speech that the pace is calculated from."""
LETTER_S = 0.062
"""Seconds that a letter usually takes."""
TALK_DECAY_S = 0.8
"""Time constant in which talk that was no command is over."""
ONE_WORD_TALK_DECAY_S = 2.0
"""The same for a single word, which may still be part of it."""
FAINT_SNR_DB = 6.0
"""Below this a single word is never a command, and right after talk nothing is."""
FAINT_TALK_S = 2.0
"""Seconds after talk in which nothing faint is a command."""
LONG_SENTENCE_WORDS = 5
"""Words above which each one more counts for the sentence."""
CERTAIN_POSTERIOR = 0.85
"""The first pass decides where it is so sure."""
SHORT_SENTENCE_WORDS = 2
"""Sentences of so many words turn up in any talk: the first pass never decides."""

_MIN_COMMAND_POSTERIOR = 0.001
_MAX_COMMAND_POSTERIOR = 0.999
_POSTERIOR_FLOOR = 1e-4
_MAX_LOG_ODDS = 50.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """One intent that an utterance could have."""

    text: str
    """Its likeliest sentence."""
    intent: Any
    posteriors: tuple[float, ...]
    """Its posterior in each pass, among all hypotheses, other talk included."""
    prior: float = 1.0
    """How likely the intent is at this moment beside others, from 0 to 1."""

    @property
    def word_count(self) -> int:
        """How many words its sentence has."""
        return len(self.text.split())


@dataclass(frozen=True, slots=True)
class RescoringScores:
    """The log-likelihood ratios of a sentence in the rescoring model."""

    llr_vs_best: float
    """Against the model's own best text."""
    llr_vs_prior: float
    """Against the sentence's likelihood in noise: the model writes some sentences too readily."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcousticContext:
    """How an utterance was said."""

    snr_db: float
    duration_s: float
    """With the silence around it."""
    since_talk_s: float
    """Seconds since somebody said what was no command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The logistic weights of the features."""

    bias: float
    command_log_odds: float
    """For the log odds that it was any sentence of the grammar."""
    log_posterior: float
    """For the log posterior of this candidate."""
    snr_db: float
    """For each decibel of signal-to-noise ratio, up to MAX_SNR_DB."""
    one_word: float
    """For a sentence of one word: these turn up in any talk."""
    two_words: float
    """For a sentence of two words."""
    extra_word: float = 0.0
    """For each word above LONG_SENTENCE_WORDS: noise drowns words of a long sentence, and hardly ever adds one."""
    missing_s: float
    """For each second by which the utterance is shorter than MIN_WORD_S."""
    pace: float
    """For the squared log ratio of its pace to the usual one."""
    after_talk: float
    """For following talk at once."""
    quiet_room: float = 0.0
    """For a quiet room."""
    quiet_room_log_posterior: float = 0.0
    """For the log posterior in a quiet room: what is unclear there was not said."""
    llr_vs_best: float = 0.0
    llr_vs_prior: float = 0.0
    threshold: float
    """The posterior from which on a command is accepted, from 0 to 1."""


# Fitted to commands and talk of seen and natural voices and of people (docs/hearing.md), but for `after_talk`: none of
# their commands follows talk at once, as at a table.
FIRST_PASS_WEIGHTS = Weights(
    bias=-1.57,
    command_log_odds=0.35,
    log_posterior=0.71,
    snr_db=0.1,
    one_word=-0.92,
    two_words=-0.93,
    extra_word=0.77,
    missing_s=-3.08,
    pace=-0.9,
    after_talk=-2.5,
    quiet_room=0.5,
    quiet_room_log_posterior=1.2,
    threshold=0.5,
)
RESCORED_WEIGHTS = Weights(
    bias=-0.5,
    command_log_odds=0.14,
    log_posterior=0.52,
    snr_db=0.12,
    one_word=-1.02,
    two_words=-0.93,
    extra_word=0.8,
    missing_s=-1.72,
    pace=-0.62,
    after_talk=-2.5,
    llr_vs_best=0.16,
    llr_vs_prior=0.14,
    threshold=0.5,
)
"""For two passes and the rescoring model together."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The best candidate, and whether it is accepted as a command."""

    candidate: Candidate | None
    posterior: float
    """How likely it is that the candidate was meant, from 0 to 1."""
    accepted: bool

    @property
    def is_uncertain(self) -> bool:
        """Whether a second pass and rescoring could make a difference."""
        is_short = self.candidate is not None and self.candidate.word_count <= SHORT_SENTENCE_WORDS
        return self.posterior > 0 and (self.posterior < CERTAIN_POSTERIOR or is_short)


def decide(
    candidates: Sequence[Candidate],
    context: AcousticContext,
    scores: Sequence[RescoringScores] | None = None,
    added_log_odds: Sequence[float] | None = None,
) -> Decision:
    """Return the best of *candidates* and whether it is accepted.

    *scores* and *added_log_odds* have what the rescoring model, and other evidence, says of each, if there are.
    """
    if not candidates or _is_too_faint(candidates[0], context):
        return Decision(candidates[0] if candidates else None, 0.0, False)
    weights = FIRST_PASS_WEIGHTS if scores is None else RESCORED_WEIGHTS
    log_odds = [
        _log_odds(weights, candidate, log_posterior, context)
        for candidate, log_posterior in zip(candidates, _log_posteriors(candidates), strict=True)
    ]
    if scores is not None:
        log_odds = [one + _rescoring_log_odds(weights, score) for one, score in zip(log_odds, scores, strict=True)]
    if added_log_odds is not None:
        log_odds = [one + added for one, added in zip(log_odds, added_log_odds, strict=True)]
    command_log_odds = weights.command_log_odds * _command_log_odds(candidates)
    odds = [math.exp(min(one + command_log_odds, _MAX_LOG_ODDS)) for one in log_odds]
    best = max(range(len(candidates)), key=odds.__getitem__)
    posterior = odds[best] / (1 + sum(odds))
    return Decision(candidates[best], posterior, posterior >= weights.threshold)


def _is_too_faint(candidate: Candidate, context: AcousticContext) -> bool:
    """Return whether an utterance is too faint for a command, whatever its words."""
    is_talk = context.since_talk_s < FAINT_TALK_S or candidate.word_count == 1
    return context.snr_db < FAINT_SNR_DB and is_talk


def _command_log_odds(candidates: Sequence[Candidate]) -> float:
    """Return the log odds that the utterance was any of *candidates*, and no other talk."""
    posterior = sum(sum(candidate.posteriors) for candidate in candidates) / len(candidates[0].posteriors)
    posterior = min(max(posterior, _MIN_COMMAND_POSTERIOR), _MAX_COMMAND_POSTERIOR)
    return math.log(posterior / (1 - posterior))


def _log_posteriors(candidates: Sequence[Candidate]) -> list[float]:
    """Return the log posterior of each candidate with its prior, averaged over the passes."""
    totals = [0.0] * len(candidates)
    for posteriors in zip(*(candidate.posteriors for candidate in candidates), strict=True):
        weighted = [posterior * candidate.prior for posterior, candidate in zip(posteriors, candidates, strict=True)]
        # Normalised among the candidates: one that is unlikely at the moment stays likely where nothing else matches.
        scale = sum(posteriors) / sum(weighted) if sum(weighted) else 1.0
        totals = [
            total + math.log(posterior * scale + _POSTERIOR_FLOOR)
            for total, posterior in zip(totals, weighted, strict=True)
        ]
    return [total / len(candidates[0].posteriors) for total in totals]


def _rescoring_log_odds(weights: Weights, scores: RescoringScores) -> float:
    """Return what the rescoring model adds to the log odds."""
    llr_vs_best = min(max(scores.llr_vs_best, MIN_LLR_VS_BEST), 0.0)
    llr_vs_prior = min(max(scores.llr_vs_prior, MIN_LLR_VS_PRIOR), MAX_LLR_VS_PRIOR)
    return weights.llr_vs_best * llr_vs_best + weights.llr_vs_prior * llr_vs_prior


def _log_odds(weights: Weights, candidate: Candidate, log_posterior: float, context: AcousticContext) -> float:
    """Return the log odds of *candidate* by the features of the decoder and of the sound."""
    usual_s = LETTER_S * (len(candidate.text) + 1)
    pace = math.log(max(context.duration_s - SURROUNDING_SILENCE_S, MIN_SPEECH_S) / usual_s)
    talk_decay_s = ONE_WORD_TALK_DECAY_S if candidate.word_count == 1 else TALK_DECAY_S
    quiet_room = min(max((context.snr_db - MAX_SNR_DB) / (QUIET_ROOM_SNR_DB - MAX_SNR_DB), 0.0), 1.0)
    return (
        weights.bias
        + weights.log_posterior * log_posterior
        + weights.snr_db * min(max(context.snr_db, 0.0), MAX_SNR_DB)
        + {1: weights.one_word, 2: weights.two_words}.get(candidate.word_count, 0.0)
        + weights.extra_word * max(0, candidate.word_count - LONG_SENTENCE_WORDS)
        + weights.missing_s * max(0.0, MIN_WORD_S - context.duration_s)
        + weights.pace * pace * pace
        + quiet_room * (weights.quiet_room + weights.quiet_room_log_posterior * log_posterior)
        + weights.after_talk * math.exp(-max(context.since_talk_s, 0.0) / talk_decay_s)
    )
