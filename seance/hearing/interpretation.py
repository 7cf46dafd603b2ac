"""Interprets one segment of speech after another: as it is, joined to the one before, or its foreground alone."""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from seance.hearing import foreground
from seance.hearing.active_grammar import Grammar
from seance.hearing.decoding import Hypothesis, Utterance
from seance.hearing.foreground import ForegroundRange
from seance.hearing.scoring import AcousticContext, Candidate, Decision, decide
from seance.hearing.transcripts import Transcriber, is_in_doubt, transcript_log_odds
from seance.hearing.vocabulary import BadModel

if TYPE_CHECKING:
    from seance.hearing.rescoring import EncodedSound, Rescorer

log = logging.getLogger(__name__)

MAX_HESITATION_S = 2.0
"""Seconds after which nobody goes on with a sentence that was broken off."""
KEPT_HESITATION_S = 0.4
"""Seconds of such a pause that are kept when its two sides are joined."""
MIN_FOREGROUND_POSTERIOR = 0.7
"""The posterior from which on the foreground of a segment is accepted."""
MIN_FOREGROUND_WORDS = 2
"""Words that the foreground has at least: one turns up in any talk."""
MAX_UTTERANCE_S = 9.0
"""Seconds after which an utterance is ended: no sentence is so long."""
MAX_CANDIDATES = 10
"""How many candidates are scored."""
REMEMBERED_TALK = 8
"""How many segments of talk are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechSegment:
    """Some speech that has ended."""

    utterance: Utterance
    grammar: Grammar
    """The sentences that could be said."""
    began_s: float
    """When the speech began, in seconds of the stream."""
    ended_s: float
    """When the speech ended."""
    trailing_silence_s: float
    noise_floor_db: float
    snr_db: float


class Interpretation(NamedTuple):
    """What was decided about a segment."""

    segment: SpeechSegment
    """The segment, joined to the one before or cut to its foreground where that was interpreted."""
    text: str
    """The best hypothesis for all of it."""
    decision: Decision


class Interpreter:
    """Decides what was meant, with a second pass and rescoring where the first pass is uncertain."""

    def __init__(
        self, rescoring_model: Path | None, workers: ThreadPoolExecutor, transcriber: Transcriber | None = None
    ) -> None:
        """Ask *transcriber* what was said where both models are in doubt."""
        self._transcriber = transcriber
        self._loading_rescorer = workers.submit(_load_rescorer, rescoring_model) if rescoring_model else None
        self._rescoring_thread = ThreadPoolExecutor(1, "rescoring")
        self.reset()

    def wait_until_loaded(self) -> None:
        """Wait for the rescoring model."""
        if self._loading_rescorer is not None:
            self._loading_rescorer.result()

    def reset(self) -> None:
        """Forget all earlier segments."""
        self._early_encoding: Future[EncodedSound] | None = None
        self._talk_ended_s: deque[float] = deque(maxlen=REMEMBERED_TALK)
        """When the latest segments that were no command ended."""
        self._unfinished: Interpretation | None = None
        """The beginning of a sentence that somebody has broken off."""

    def drop_unfinished(self) -> None:
        """Do not join the next segment to the last one."""
        self._unfinished = None

    def close(self) -> None:
        """Stop the rescoring thread."""
        self._rescoring_thread.shutdown(cancel_futures=True)

    def encode_early(self, utterance: Utterance) -> None:
        """Begin to encode an utterance for the rescoring model that is probably over."""
        if self._early_encoding is None and (rescorer := self._rescorer()):
            self._early_encoding = self._rescoring_thread.submit(rescorer.encode, utterance.raw_sound())

    def discard_encoding(self) -> None:
        """Discard an early encoding: the utterance was not over."""
        self._early_encoding = None

    def interpret(self, segment: SpeechSegment) -> Interpretation:
        """Return the interpretation of *segment*, which follows the earlier ones."""
        interpretation = self._interpret(segment)
        _, text, decision = interpretation
        self._early_encoding = None
        is_unfinished = not decision.accepted and segment.grammar.is_prefix(text)
        self._unfinished = interpretation if is_unfinished else None
        if text and segment.snr_db > 0 and not decision.accepted:
            self._talk_ended_s.append(segment.ended_s)
        return interpretation

    def interpret_alone(self, segment: SpeechSegment) -> Interpretation:
        """Return the interpretation of *segment* as one utterance, without regard to earlier ones."""
        self.reset()
        return Interpretation(segment, *self._decide(segment, is_whole=True))

    def _interpret(self, segment: SpeechSegment) -> Interpretation:
        text, decision = self._decide(segment, self._early_encoding, is_whole=True)
        if joined := self._join_unfinished(segment, text, decision):
            joined_text, joined_decision = self._decide(joined)
            still_unfinished = not decision.accepted and segment.grammar.is_prefix(joined_text)
            if joined_decision.accepted or still_unfinished:
                return Interpretation(joined, joined_text, joined_decision)
        if decision.accepted:
            return Interpretation(segment, text, decision)
        return self._interpret_foreground(segment, text) or Interpretation(segment, text, decision)

    def _interpret_foreground(self, segment: SpeechSegment, text: str) -> Interpretation | None:
        """Return the interpretation of what the nearest speaker said in *segment*, or None unless it is accepted."""
        for part in _foreground_parts(segment):
            _, decision = self._decide(part)
            is_likely = decision.posterior >= MIN_FOREGROUND_POSTERIOR
            if is_likely and decision.candidate and decision.candidate.word_count >= MIN_FOREGROUND_WORDS:
                return Interpretation(part, text, decision)
        return None

    def _join_unfinished(self, segment: SpeechSegment, text: str, decision: Decision) -> SpeechSegment | None:
        """Return *segment* joined to the unfinished sentence shortly before it, or None.

        A complete sentence stays alone, unless it is also the end of the unfinished one.
        """
        if self._unfinished is None:
            return None
        begun, begun_text, _ = self._unfinished
        duration_s = segment.utterance.duration_s + begun.utterance.duration_s
        if segment.began_s - begun.ended_s > MAX_HESITATION_S or duration_s > MAX_UTTERANCE_S:
            return None
        if decision.accepted and segment.grammar.parse(f"{begun_text} {text}") is None:
            return None
        trim_s = begun.trailing_silence_s - KEPT_HESITATION_S
        utterance = Utterance.join(begun.utterance, segment.utterance, trim_s=trim_s)
        snr_db = min(begun.snr_db, segment.snr_db)
        return replace(segment, utterance=utterance, began_s=begun.began_s, snr_db=snr_db)

    def _decide(
        self, segment: SpeechSegment, encoding: Future[EncodedSound] | None = None, *, is_whole: bool = False
    ) -> tuple[str, Decision]:
        """Return the best hypothesis for *segment*, and what is decided about it.

        Only what *is_whole*, and neither joined nor cut, is worth the time of asking another machine.
        """
        utterance, grammar = segment.utterance, segment.grammar
        first_pass = utterance.finish()
        # Talk that ended later is part of the same sentence, which somebody has broken off.
        earlier_talk_s = (ended_s for ended_s in self._talk_ended_s if ended_s <= segment.began_s)
        context = AcousticContext(
            snr_db=segment.snr_db,
            duration_s=utterance.duration_s,
            since_talk_s=segment.began_s - max(earlier_talk_s, default=-math.inf),
        )
        candidates, scores = find_candidates([first_pass], grammar), None
        decision = decide(candidates, context)
        if decision.is_uncertain and (rescorer := self._rescorer()):
            # The rescoring thread works while this one decodes again.
            encoding = encoding or self._rescoring_thread.submit(rescorer.encode, utterance.raw_sound())
            priors = self._rescoring_thread.submit(rescorer.cache_priors, [each.text for each in candidates])
            candidates = find_candidates([first_pass, utterance.decode_again()], grammar)
            priors.result()
            scores = rescorer.rescore(encoding.result(), [each.text for each in candidates])
            decision = decide(candidates, context, scores)
        if is_whole and self._transcriber is not None and is_in_doubt(decision):
            transcript = self._transcriber.transcribe(utterance.raw_sound())
            added_log_odds = transcript_log_odds(transcript, candidates, self._transcriber.language)
            decision = decide(candidates, context, scores, added_log_odds)
        return first_pass[0].text, decision

    def _rescorer(self) -> Rescorer | None:
        """Return the rescoring model if it is loaded by now."""
        loading = self._loading_rescorer
        return loading.result() if loading is not None and loading.done() else None


def find_candidates(passes: Sequence[Sequence[Hypothesis]], grammar: Grammar) -> list[Candidate]:
    """Return the intents among the hypotheses of all *passes*, the likeliest first."""
    found: list[tuple[Any, dict[str, float], list[float]]] = []
    for number, hypotheses in enumerate(passes):
        for hypothesis in hypotheses:
            if (intent := grammar.parse(hypothesis.text)) is None:
                continue
            same = next((one for one in found if one[0] == intent), None)
            if same is None:
                found.append(same := (intent, {}, [0.0] * len(passes)))
            _, texts, posteriors = same
            texts[hypothesis.text] = texts.get(hypothesis.text, 0.0) + hypothesis.posterior
            posteriors[number] += hypothesis.posterior
    candidates = [
        Candidate(max(texts, key=texts.__getitem__), intent, tuple(posteriors), grammar.prior(intent))
        for intent, texts, posteriors in found
    ]
    return sorted(candidates, key=lambda candidate: -sum(candidate.posteriors) * candidate.prior)[:MAX_CANDIDATES]


def _foreground_parts(segment: SpeechSegment) -> Iterator[SpeechSegment]:
    """Yield what the nearest speaker may have said in *segment*, found in several ways.

    A part that was yielded must have been decoded before the next is asked for: its words may be searched, too.
    """
    utterance, floor_db = segment.utterance, segment.noise_floor_db
    if found := foreground.find_by_threshold(utterance.levels_db(), floor_db):
        yield _cut(segment, found)
    if found := foreground.find_by_level_sum(utterance.levels_db(), floor_db):
        yield (part := _cut(segment, found))
        if within := _find_by_words(part):
            yield replace(part, utterance=part.utterance.cut(within.begin, within.end))
    if found := _find_by_words(segment):
        yield _cut(segment, found)


def _find_by_words(segment: SpeechSegment) -> ForegroundRange | None:
    utterance, grammar = segment.utterance, segment.grammar
    return foreground.find_by_words(
        utterance.levels_db(),
        segment.noise_floor_db,
        utterance.hypotheses,
        parse=grammar.parse,
        is_prefix=grammar.is_prefix,
    )


def _cut(segment: SpeechSegment, found: ForegroundRange) -> SpeechSegment:
    """Return the *found* frames of *segment*, whose background counts as noise."""
    utterance = segment.utterance.cut(found.begin, found.end)
    return replace(segment, utterance=utterance, snr_db=min(found.contrast_db, segment.snr_db))


def _load_rescorer(folder: Path) -> Rescorer | None:
    """Return the rescoring model, or None where it cannot be loaded."""
    try:
        # onnxruntime takes as long to import as all else together.
        from seance.hearing.rescoring import Rescorer

        return Rescorer(folder)
    except (ImportError, BadModel) as why:
        log.warning("there is no second opinion on what is heard: %s", why)
        return None
