"""The ear of `script/bench echo`: the canceller and the recogniser as they are in a house, fed with simulated sound."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
import soxr
from echo_room import BLOCKS_A_SECOND, HeldNarrator
from studio import RATE, Sound

from seance.audio.echo_canceller import SpeexCanceller
from seance.audio.echo_reference import EchoReference
from seance.audio.echo_remover import EchoRemover
from seance.audio.formats import MIX_RATE_HZ, Block
from seance.daemon.world.interruption import Interruption
from seance.dialogue.grammar.sentences import Ambiguous, Intent, Sentences
from seance.hearing.recogniser import Recogniser
from seance.hearing.recognition import Recognition
from seance.models.language_models import find_rescoring_model, require_recogniser
from seance.programs.hear import build_grammar

BLOCK = RATE // BLOCKS_A_SECOND
MIXED_BLOCK = MIX_RATE_HZ // BLOCKS_A_SECOND
MIXER_BLOCK = MIX_RATE_HZ // 100


@dataclass(frozen=True, slots=True)
class Heard:
    """What was taken for a command."""

    text: str
    intent: Intent
    began_s: float
    ended_s: float


@dataclass(slots=True)
class HouseEar:
    """The canceller and the recogniser as they are in a house."""

    language: str
    drift_ppm: float = 0.0
    spent_s: float = 0.0
    erle_db: float = 0.0
    held_at_s: list[float] = field(default_factory=list)
    """When the voice would be held, in seconds of the sound."""
    _is_held: bool = False
    _now: float = 0.0
    _reference: EchoReference = field(default_factory=EchoReference)

    def hear(
        self,
        near: Sound,
        played: Sound | HeldNarrator,
        *,
        is_over_voice: bool = True,
        only: frozenset[int] | None = None,
    ) -> list[Heard]:
        """Return what is taken of *near* while *played* leaves the loudspeaker; as over the voice, or as in silence.

        The echo of sound is part of *near*; a narrator who can be held adds it. With *only* the recogniser is given the blocks of these numbers alone, each stretch of them as a whole.
        """
        recogniser = load_recogniser(self.language)
        remover = self.new_remover()
        interruption = Interruption(remover)
        taken, self._is_held = list[Heard](), False

        def note(found: Iterable[Recognition]) -> None:
            for each in found:
                intent = self._meaning(each, interruption) if is_over_voice else each.intent
                taken.extend([Heard(each.text, intent, each.began_s, each.ended_s)] if intent is not None else [])

        for number, block in enumerate(self.clean(near, played, remover)):
            if only is not None and number not in only:
                if number - 1 in only:
                    note(recogniser.finish())
                continue
            interruption.follow_clock(recogniser.now_s)
            note(recogniser.feed(block))
            if is_over_voice:
                now_s, began_s = recogniser.now_s, recogniser.utterance_began_s
                interruption.note_speaking(now_s)
                was_held = self._is_held
                self._is_held = interruption.holds(recogniser.partial_intent, began_s, now_s)
                self.held_at_s += [recogniser.now_s] if self._is_held and not was_held else []
        note(recogniser.finish())
        recogniser.close()
        return taken

    def _meaning(self, each: Recognition, interruption: Interruption) -> Intent | None:
        """Return what counts of *each* over the voice, as the hearing thread judges it."""
        if each.intent is not None:
            takes = interruption.takes(each.text, each.intent, each.began_s, each.ended_s, confidence=each.confidence)
            return each.intent if takes else None
        with suppress(Ambiguous):
            intent = Sentences.load(self.language).match(each.text)
            return intent if interruption.takes_doubtful(intent, each.began_s, each.ended_s) else None
        return None

    def new_remover(self) -> EchoRemover:
        """Return a remover that follows the time of `clean`."""
        self._now, self._reference = 0.0, EchoReference(self.drift_ppm)
        return EchoRemover([SpeexCanceller()], self._reference, clock=lambda: self._now)

    def clean(self, near: Sound, played: Sound | HeldNarrator, remover: EchoRemover) -> Iterator[Block]:
        """Yield the blocks that the recogniser is given, silence where the house is deaf."""
        speaker = None if isinstance(played, HeldNarrator) else soxr.resample(played, RATE, MIX_RATE_HZ)
        for number in range(len(near) // BLOCK):
            self._now = (number + 1) * BLOCK / RATE
            # The mixer is a block ahead of what is heard.
            for ahead in (number, number + 1) if number == 0 else (number + 1,):
                if isinstance(played, HeldNarrator):
                    mixed = played.play(near, ahead, is_held=self._is_held)
                else:
                    mixed = speaker[ahead * MIXED_BLOCK : (ahead + 1) * MIXED_BLOCK].astype(np.float32)
                self._write(mixed, ahead * MIXED_BLOCK)
            block = np.clip(near[number * BLOCK : (number + 1) * BLOCK] * 32768, -32768, 32767).astype(np.int16)
            began = time.thread_time()
            clean = remover.process(block)
            self.spent_s += time.thread_time() - began
            yield clean if remover.is_trusted else np.zeros_like(clean)
        self.erle_db = remover.erle_db or 0.0

    def _write(self, mixed: Sound, at: int) -> None:
        """Write what the mixer gives the loudspeaker from sample *at* on, in the mixer's own blocks."""
        began = time.thread_time()
        for start in range(0, len(mixed), MIXER_BLOCK):
            self._reference.write(mixed[start : start + MIXER_BLOCK], (at + start) / MIX_RATE_HZ)
        self.spent_s += time.thread_time() - began


def load_recogniser(language: str) -> Recogniser:
    """Return a recogniser of all sentences of *language*."""
    recogniser = Recogniser(
        require_recogniser(language),
        build_grammar(Sentences.load(language)),
        rescoring_model=find_rescoring_model(language),
    )
    recogniser.wait_until_loaded()
    return recogniser
