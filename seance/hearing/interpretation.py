"""What was meant by one stretch of speech after another: by all of it, by more, or by a part; not when it was said."""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from seance.hearing.decoding import Utterance
from seance.hearing.scoring import AcousticContext, Decision, decide
from seance.hearing.vocabulary import BadModel

if TYPE_CHECKING:
    from seance.hearing.rescoring import EncodedSound, Rescorer

log = logging.getLogger(__name__)

HESITATION = 2.0
"""Seconds after which nobody goes on with a sentence that was broken off."""
HELD = 0.4
"""Seconds of such a pause that are kept."""
NEARER = 0.7
"""How likely it must be that a part of a stretch of speech was meant."""
LEAST_NEARER = 2
"""Words that such a part has at least: one turns up in any talk."""
LONGEST = 9.0
"""Seconds after which talk is cut: no sentence is so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Some speech that is over."""

    utterance: Utterance
    began: float
    ended: float
    """Seconds of sound, at its first and at its last."""
    quiet: float
    """Seconds of quiet since then."""
    room: float
    """The level of the room, in decibels."""
    stands_out: float
    """Decibels between the voice and the room."""


class Understood(NamedTuple):
    """What was said, its words, and what they were meant for."""

    stretch: Stretch
    words: str
    decision: Decision


class Understanding:
    """Makes out what was meant, with a second opinion where the first is in doubt."""

    def __init__(self, second_model: Path | None, workers: ThreadPoolExecutor) -> None:
        self._second = workers.submit(_load, second_model) if second_model else None
        self._asking = ThreadPoolExecutor(1, "ear-asks")
        self.forget()

    def settle(self) -> None:
        """Wait for the second model to be loaded."""
        if self._second is not None:
            self._second.result()

    def forget(self) -> None:
        """Forget whatever was said."""
        self._encoding: Future[EncodedSound] | None = None
        self._talked: deque[float] = deque(maxlen=8)
        """When talk that was no command was over, lately."""
        self._begun: Understood | None = None
        """The beginning of a sentence that somebody has broken off."""

    def break_off(self) -> None:
        """Take nothing that follows for the rest of what was begun."""
        self._begun = None

    def close(self) -> None:
        """Let go of the thread that asks the second model."""
        self._asking.shutdown(cancel_futures=True)

    def look_ahead(self, utterance: Utterance) -> None:
        """Let the second model hear what will probably be all, not to wait for it at the end."""
        if self._encoding is None and (rescorer := self._rescorer()):
            self._encoding = self._asking.submit(rescorer.encode, utterance.sound())

    def look_back(self) -> None:
        """Drop what was heard ahead: it was not all."""
        self._encoding = None

    def of(self, stretch: Stretch) -> Understood:
        """Return what was meant by *stretch*, which follows those before it."""
        understood = self._understood(stretch)
        _, words, decision = understood
        self._encoding = None
        begun = not decision.accepted and stretch.utterance.expected.is_beginning(words)
        self._begun = understood if begun else None
        if words and stretch.stands_out > 0 and not decision.accepted:
            self._talked.append(stretch.ended)
        return understood

    def as_one(self, stretch: Stretch) -> Understood:
        """Return what was meant by all of *stretch*, which follows nothing."""
        self.forget()
        return Understood(stretch, *self._judged(stretch))

    def _understood(self, stretch: Stretch) -> Understood:
        alone = words, decision = self._judged(stretch, self._encoding)
        if whole := self._after_hesitation(stretch, *alone):
            all_words, judged = self._judged(whole)
            if judged.accepted or (not decision.accepted and stretch.utterance.expected.is_beginning(all_words)):
                return Understood(whole, all_words, judged)
        return Understood(stretch, words, decision) if decision.accepted else self._nearer(stretch, words, decision)

    def _nearer(self, stretch: Stretch, words: str, decision: Decision) -> Understood:
        """Return what somebody nearer has said in *stretch* if it was meant, else what is known of all of it."""
        for part in _parts(stretch):
            _, judged = self._judged(part)
            if judged.posterior >= NEARER and judged.candidate and judged.candidate.word_count >= LEAST_NEARER:
                return Understood(part, words, judged)
        return Understood(stretch, words, decision)

    def _after_hesitation(self, stretch: Stretch, words: str, decision: Decision) -> Stretch | None:
        """Return *stretch* with the beginning of a sentence that somebody broke off shortly before; or None.

        What is a sentence by itself stays one, unless it is the end of that one.
        """
        if self._begun is None:
            return None
        begun, before, _ = self._begun
        length = stretch.utterance.seconds + begun.utterance.seconds
        if stretch.began - begun.ended > HESITATION or length > LONGEST:
            return None
        if decision.accepted and stretch.utterance.expected.whole(f"{before} {words}") is None:
            return None
        utterance = stretch.utterance.after(begun.utterance, without=begun.quiet - HELD)
        stands_out = min(begun.stands_out, stretch.stands_out)
        return replace(stretch, utterance=utterance, began=begun.began, stands_out=stands_out)

    def _judged(self, stretch: Stretch, encoding: Future[EncodedSound] | None = None) -> tuple[str, Decision]:
        """Return the words of *stretch*, and what they were meant for; where it is open it is heard again."""
        utterance = stretch.utterance
        first = utterance.hear_out()
        # what somebody has begun themselves is no other talk
        since_talk = stretch.began - max((at for at in self._talked if at <= stretch.began), default=-math.inf)
        where = AcousticContext(snr_db=stretch.stands_out, duration_s=utterance.seconds, since_talk_s=since_talk)
        candidates = utterance.candidates([first])
        decision = decide(candidates, where)
        if decision.is_uncertain and (rescorer := self._rescorer()):
            encoding = encoding or self._asking.submit(rescorer.encode, utterance.sound())
            priors = self._asking.submit(rescorer.cache_priors, [each.text for each in candidates])
            candidates = utterance.candidates([first, utterance.hear_again()])
            priors.result()
            scores = rescorer.rescore(encoding.result(), [each.text for each in candidates])
            decision = decide(candidates, where, scores)
        return first[0][0], decision

    def _rescorer(self) -> Rescorer | None:
        """Return the second model, if it is there by now."""
        return self._second.result() if self._second is not None and self._second.done() else None


def _parts(stretch: Stretch) -> Iterator[Stretch]:
    """Yield what somebody nearer may have said in *stretch*; what is within a part is known once that was heard."""
    for part in (Utterance.loudest, Utterance.nearest, Utterance.sentence_within):
        if found := part(stretch.utterance, stretch.room):
            utterance, by = found
            yield (louder := replace(stretch, utterance=utterance, stands_out=min(by, stretch.stands_out)))
            if part is Utterance.nearest and (within := utterance.sentence_within(stretch.room)):
                yield replace(louder, utterance=within[0])


def _load(folder: Path) -> Rescorer | None:
    """Return the second model, loaded; None where it cannot be, for the ear hears without it."""
    try:
        # its library takes as long to import as all else together
        from seance.hearing.rescoring import Rescorer

        return Rescorer(folder)
    except (ImportError, BadModel) as why:
        log.warning("there is no second opinion on what is heard: %s", why)
        return None
