"""A second model, asked how likely sentences are in a sound that the first has made out; it finds none by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as _errors

from seance.audio.formats import SPEECH_RATE_HZ, Sound
from seance.hearing.scoring import Opinion
from seance.hearing.tokens import Place, Spelling
from seance.hearing.vocabulary import BadModel

_BROKEN = (_errors.Fail, _errors.InvalidGraph, _errors.InvalidProtobuf, _errors.NoSuchFile, _errors.RuntimeException)
_Numbers = NDArray[np.float32]
_Step = tuple[float, int, int, Place]
"""How likely some text is with one more piece, which way it goes on, the piece, and where that leads."""

LOUDEST = 0.5
"""The peak to which a sound is brought."""
LONGEST = 24
"""Pieces of text after which a reading is given up: the model may begin to stammer."""
WAYS = 2
"""How many ways to write a sentence are followed at once."""
BEHIND = 5.0
"""A way so much less likely than another that is whole is given up, in logarithms."""
AT_LEAST = -6.0
"""Where the model's own reading is less likely than this it is a guess, and no measure for others."""
NEVER = -60.0
"""The likelihood of a sentence that cannot be written."""
FORESEEN = 4096
"""How many sentences are remembered by how likely they are where nothing is said."""

_NOTHING = np.random.default_rng(0).standard_normal(2 * SPEECH_RATE_HZ, np.float32)
"""A sound in which nothing is said."""


@dataclass(frozen=True, slots=True)
class Impression:
    """What the second model has of a sound."""

    sound: _Numbers
    """As its encoder sees it."""
    memory: dict[str, _Numbers]
    """What its decoder keeps, after the piece that begins a text."""
    first: _Numbers
    """The logarithms of how likely each piece is to come first."""
    free: float
    """The logarithm of how likely its own reading is."""


class SecondOpinion:
    """Weighs sentences against the model's own reading of a sound."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        # the weights are not laid out anew for speed: they would be in memory twice
        options.add_session_config_entry("session.disable_prepacking", "1")
        try:
            self._encoder = onnxruntime.InferenceSession(folder / "encoder_model.ort", options)
            self._decoder = onnxruntime.InferenceSession(folder / "decoder_model_merged.ort", options)
            self._spelling = Spelling(folder / "tokenizer.bin")
        except (*_BROKEN, OSError, LookupError) as why:
            raise BadModel(f"{folder}: it cannot be loaded, fetch the model again ({why})") from None
        kept = [given for given in self._decoder.get_inputs() if given.name.startswith("past")]
        self._shapes = {given.name: (given.shape[1], given.shape[3]) for given in kept}
        self._silence = self.listen(_NOTHING)
        self._foreseen: dict[str, float] = {}
        """The logarithms of how likely sentences are where nothing is said."""

    def listen(self, sound: Sound) -> Impression:
        """Return the impression that *sound* makes."""
        sound = (sound * (LOUDEST / max(float(np.abs(sound).max()), 1e-6)))[None].astype(np.float32)
        heard = {"input_values": sound, "attention_mask": np.ones(sound.shape, np.int64)}
        (seen,) = self._encoder.run(None, heard)
        scores, memory = self._write(seen, self._nothing(seen.shape[1]), [self._spelling.begin], at_first=True)
        return Impression(seen, memory, scores[0], self._read(seen, memory, scores[0]))

    def weigh(self, impression: Impression, sentences: Sequence[str]) -> list[Opinion]:
        """Return what the model has of each of *sentences*."""
        self.foresee(sentences)
        found = zip(sentences, self._written(impression, sentences), strict=True)
        measure = max(impression.free, AT_LEAST)
        return [Opinion(likely - measure, likely - self._foreseen[sentence]) for sentence, likely in found]

    def foresee(self, sentences: Sequence[str]) -> None:
        """Make up its mind how likely *sentences* are before anything is heard."""
        if len(self._foreseen) > FORESEEN:
            self._foreseen.clear()
        if new := [sentence for sentence in sentences if sentence not in self._foreseen]:
            self._foreseen.update(zip(new, self._written(self._silence, new), strict=True))

    def _written(self, impression: Impression, sentences: Sequence[str]) -> list[float]:
        """Return the logarithm of how likely the model is to write each of *sentences*."""
        found = [NEVER] * len(sentences)
        memory, scores = impression.memory, impression.first[None]
        ways: list[tuple[float, Place]] = [(0.0, self._spelling.places(sentences))]
        while ways:
            steps = [
                (likely + float(scores[row, piece]), row, piece, place)
                for row, (likely, here) in enumerate(ways)
                for piece, place in here.pieces.items()
            ]
            steps = _worth_following(sorted(steps, key=lambda step: -step[0]), found)
            if not steps:
                break
            rows = [row for _, row, *_ in steps]
            memory = {name: kept if ".encoder." in name else kept[rows] for name, kept in memory.items()}
            scores, memory = self._write(impression.sound, memory, [piece for *_, piece, _ in steps])
            ways = [(likely, place) for likely, *_, place in steps]
            for row, (likely, place) in enumerate(ways):
                for number in place.whole:
                    found[number] = float(np.logaddexp(found[number], likely + self._ending(scores[row])))
        return found

    def _nothing(self, length: int) -> dict[str, _Numbers]:
        """Return the memory of a decoder that has not begun, beside a sound of that *length*."""
        lengths = {name: length if ".encoder." in name else 0 for name in self._shapes}
        return {name: np.zeros((1, a, lengths[name], b), np.float32) for name, (a, b) in self._shapes.items()}

    def _read(self, seen: _Numbers, memory: dict[str, _Numbers], scores: _Numbers) -> float:
        """Return how likely the model's own reading is."""
        likely = 0.0
        for _ in range(LONGEST):
            ending = self._ending(scores)
            piece = int(scores.argmax())
            if piece in self._spelling.ends:
                return likely + ending
            likely += float(scores[piece])
            several, memory = self._write(seen, memory, [piece])
            scores = several[0]
        return likely

    def _ending(self, scores: _Numbers) -> float:
        return float(np.logaddexp.reduce(scores[list(self._spelling.ends)]))

    def _write(
        self, seen: _Numbers, memory: dict[str, _Numbers], pieces: Sequence[int], *, at_first: bool = False
    ) -> tuple[_Numbers, dict[str, _Numbers]]:
        """Return how likely each piece is after *pieces*, one for each way, and what is to be remembered."""
        given = {
            "encoder_hidden_states": seen,
            "encoder_attention_mask": np.ones(seen.shape[:2], np.int64),
            "input_ids": np.array(pieces, np.int64)[:, None],
            "use_cache_branch": np.array([not at_first]),
            **memory,
        }
        logits, *after = self._decoder.run(None, given)
        beneath = logits[:, -1] - logits[:, -1].max(axis=1, keepdims=True)
        scores = beneath - np.log(np.exp(beneath).sum(axis=1, keepdims=True))
        kept = dict(zip(memory, after, strict=True))
        # what it keeps of the sound is given out once, and stays
        return scores, kept if at_first else kept | {name: memory[name] for name in memory if ".encoder." in name}


def _worth_following(steps: Sequence[_Step], found: Sequence[float]) -> list[_Step]:
    """Return those of *steps*, the likeliest first, that are among the best of any sentence that is not yet written."""
    followed = [0] * len(found)
    kept = []
    for step in steps:
        wanted = [n for n in step[3].sentences if followed[n] < WAYS and step[0] > found[n] - BEHIND]
        for number in wanted:
            followed[number] += 1
        if wanted:
            kept.append(step)
    return kept
