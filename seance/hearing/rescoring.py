"""Rescores n-best sentences with a second model, an encoder and decoder of text tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as _errors

from seance.audio.formats import SPEECH_RATE_HZ, Samples
from seance.hearing.scoring import RescoringScores
from seance.hearing.tokens import Tokenizer, TrieNode
from seance.hearing.vocabulary import BadModel

_BROKEN = (_errors.Fail, _errors.InvalidGraph, _errors.InvalidProtobuf, _errors.NoSuchFile, _errors.RuntimeException)
_Floats = NDArray[np.float32]
_KeyValueCache = dict[str, _Floats]

PEAK = 0.5
"""The peak to which a sound is scaled."""
MAX_TOKENS = 24
"""Tokens after which the model's own text is given up: it may begin to stammer."""
BEAM_WIDTH = 2
"""How many spellings of a sentence are followed at once."""
BEAM_LOG_RANGE = 5.0
"""A spelling that is less likely than the sentence so far by more is given up (natural logarithm)."""
MIN_BEST_LOG_LIKELIHOOD = -6.0
"""Where the model's own text is less likely than this it is a guess, and no measure for others."""
UNWRITABLE_LOG_LIKELIHOOD = -60.0
"""The log-likelihood of a sentence that cannot be written."""
PRIOR_CACHE_SIZE = 4096
"""How many sentences' priors are kept."""
PRIOR_NOISE_S = 2
"""Seconds of noise by which the priors are measured."""

_PRIOR_NOISE = np.random.default_rng(0).standard_normal(PRIOR_NOISE_S * SPEECH_RATE_HZ, np.float32)


@dataclass(frozen=True, slots=True)
class EncodedSound:
    """A sound as the model's encoder sees it, with the decoder's state before the first token."""

    hidden_states: _Floats
    cache: _KeyValueCache
    """The decoder's key-value cache, after the token that begins a text."""
    first_log_probs: _Floats
    """The log-probability of each token to come first."""
    best_log_likelihood: float
    """The log-likelihood of the model's own text."""


class _Step(NamedTuple):
    """One more token of a partly written sentence."""

    log_likelihood: float
    row: int
    """The beam that it continues."""
    token: int
    node: TrieNode


class Rescorer:
    """Calculates the likelihood of sentences in a sound, against the model's own text."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        # Prepacking would make the weights faster, and keep them in memory twice.
        options.add_session_config_entry("session.disable_prepacking", "1")
        try:
            self._encoder = onnxruntime.InferenceSession(folder / "encoder_model.ort", options)
            self._decoder = onnxruntime.InferenceSession(folder / "decoder_model_merged.ort", options)
            self._tokenizer = Tokenizer(folder / "tokenizer.bin")
        except (*_BROKEN, OSError, LookupError) as why:
            raise BadModel(f"{folder}: it cannot be loaded, fetch the model again ({why})") from None
        cached = [given for given in self._decoder.get_inputs() if given.name.startswith("past")]
        self._cache_shapes = {given.name: (given.shape[1], given.shape[3]) for given in cached}
        self._noise = self.encode(_PRIOR_NOISE)
        self._priors: dict[str, float] = {}
        """The log-likelihood of sentences in noise."""

    def encode(self, sound: Samples) -> EncodedSound:
        """Encode *sound* and calculate the likelihood of the model's own text."""
        sound = (sound * (PEAK / max(float(np.abs(sound).max()), 1e-6)))[None].astype(np.float32)
        inputs = {"input_values": sound, "attention_mask": np.ones(sound.shape, np.int64)}
        (hidden_states,) = self._encoder.run(None, inputs)
        begin, empty = [self._tokenizer.begin_token], self._empty_cache(hidden_states.shape[1])
        log_probs, cache = self._decode_step(hidden_states, empty, begin, is_first=True)
        best = self._best_log_likelihood(hidden_states, cache, log_probs[0])
        return EncodedSound(hidden_states, cache, log_probs[0], best)

    def rescore(self, encoded: EncodedSound, sentences: Sequence[str]) -> list[RescoringScores]:
        """Return the log-likelihood ratios of each of *sentences*."""
        self.cache_priors(sentences)
        best = max(encoded.best_log_likelihood, MIN_BEST_LOG_LIKELIHOOD)
        return [
            RescoringScores(llr_vs_best=likelihood - best, llr_vs_prior=likelihood - self._priors[sentence])
            for sentence, likelihood in zip(sentences, self._log_likelihoods(encoded, sentences), strict=True)
        ]

    def cache_priors(self, sentences: Sequence[str]) -> None:
        """Calculate and keep the log-likelihood of *sentences* in noise."""
        if len(self._priors) > PRIOR_CACHE_SIZE:
            self._priors.clear()
        if new := [sentence for sentence in sentences if sentence not in self._priors]:
            self._priors.update(zip(new, self._log_likelihoods(self._noise, new), strict=True))

    def _log_likelihoods(self, encoded: EncodedSound, sentences: Sequence[str]) -> list[float]:
        """Return the log-likelihood of each of *sentences*, summed over its likeliest spellings by beam search."""
        found = [UNWRITABLE_LOG_LIKELIHOOD] * len(sentences)
        cache, log_probs = encoded.cache, encoded.first_log_probs[None]
        beams: list[tuple[float, TrieNode]] = [(0.0, self._tokenizer.build_trie(sentences))]
        while beams:
            steps = [
                _Step(likelihood + float(log_probs[row, token]), row, token, child)
                for row, (likelihood, node) in enumerate(beams)
                for token, child in node.children.items()
            ]
            steps = _prune(sorted(steps, key=lambda step: -step.log_likelihood), found)
            if not steps:
                break
            rows = [step.row for step in steps]
            cache = {name: values if ".encoder." in name else values[rows] for name, values in cache.items()}
            log_probs, cache = self._decode_step(encoded.hidden_states, cache, [step.token for step in steps])
            beams = [(step.log_likelihood, step.node) for step in steps]
            for row, (likelihood, node) in enumerate(beams):
                for index in node.complete:
                    ended = likelihood + self._closing_log_prob(log_probs[row])
                    found[index] = float(np.logaddexp(found[index], ended))
        return found

    def _empty_cache(self, length: int) -> _KeyValueCache:
        """Return the cache of a decoder that has not begun, for *length* hidden states."""
        lengths = {name: length if ".encoder." in name else 0 for name in self._cache_shapes}
        return {name: np.zeros((1, a, lengths[name], b), np.float32) for name, (a, b) in self._cache_shapes.items()}

    def _best_log_likelihood(self, hidden_states: _Floats, cache: _KeyValueCache, log_probs: _Floats) -> float:
        """Return the log-likelihood of the model's own text, by greedy search."""
        likelihood = 0.0
        for _ in range(MAX_TOKENS):
            closing = self._closing_log_prob(log_probs)
            token = int(log_probs.argmax())
            if token in self._tokenizer.closing_tokens:
                return likelihood + closing
            likelihood += float(log_probs[token])
            rows, cache = self._decode_step(hidden_states, cache, [token])
            log_probs = rows[0]
        return likelihood

    def _closing_log_prob(self, log_probs: _Floats) -> float:
        return float(np.logaddexp.reduce(log_probs[list(self._tokenizer.closing_tokens)]))

    def _decode_step(
        self, hidden_states: _Floats, cache: _KeyValueCache, tokens: Sequence[int], *, is_first: bool = False
    ) -> tuple[_Floats, _KeyValueCache]:
        """Return the log-probabilities of the tokens after *tokens*, one row for each, and the next cache."""
        inputs = {
            "encoder_hidden_states": hidden_states,
            "encoder_attention_mask": np.ones(hidden_states.shape[:2], np.int64),
            "input_ids": np.array(tokens, np.int64)[:, None],
            "use_cache_branch": np.array([not is_first]),
            **cache,
        }
        logits, *after = self._decoder.run(None, inputs)
        shifted = logits[:, -1] - logits[:, -1].max(axis=1, keepdims=True)
        log_probs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        updated = dict(zip(cache, after, strict=True))
        # The cache of the encoder's states is returned at the first step only, and stays.
        fixed = {} if is_first else {name: cache[name] for name in cache if ".encoder." in name}
        return log_probs, updated | fixed


def _prune(steps: Sequence[_Step], found: Sequence[float]) -> list[_Step]:
    """Return those of *steps*, the likeliest first, that are among the best BEAM_WIDTH of any unfinished sentence."""
    followed = [0] * len(found)
    kept = []
    for step in steps:
        wanted = [
            index
            for index in step.node.sentences
            if followed[index] < BEAM_WIDTH and step.log_likelihood > found[index] - BEAM_LOG_RANGE
        ]
        for index in wanted:
            followed[index] += 1
        if wanted:
            kept.append(step)
    return kept
