"""The ear on a thread of its own: blocks of the microphone in, what was heard into the inbox."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from seance.daemon.signals import Heard
from seance.dialogue.grammar.sentences import Sentences
from seance.narration.cues import Enrol, Expect
from seance.rules import Psychic

if TYPE_CHECKING:
    from seance.hearing.grammar import Grammar
    from seance.hearing.recogniser import Block, Recogniser

CLOSING_SECONDS = 1.5
"""How long the end of the last block is waited for."""
QUIETEST_DB = 60.0
"""How far below the loudest the meter begins (decibels)."""

log = logging.getLogger(__name__)


class Listener:
    """Hears while nobody shuts it: the house would hear itself.

    The ear wakes on a thread, for its model takes seconds to load; what is said meanwhile is heard after.
    """

    def __init__(
        self,
        wake: Callable[[], Recogniser | None],
        sentences: Sentences,
        build_grammar: Callable[[Sentences], Grammar],
        tell: Callable[[Heard], None],
    ) -> None:
        """Let *wake* return the ear, or None where there can be none."""
        self._wake, self._sentences, self._build_grammar, self._tell = wake, sentences, build_grammar, tell
        self._ear: Recogniser | None = None
        self._next: Expect | None = None
        self._turn = threading.Lock()
        """Held by whoever touches these two."""
        self._shut_by: set[str] = set()
        self._voice: tuple[float, ...] | None = None
        self._thread: threading.Thread | None = None
        self._block: Block | None = None

    def listen(self, blocks: Iterable[Block]) -> None:
        """Hear *blocks*, on a thread, until there are no more."""
        self._thread = threading.Thread(target=self._hear, args=(iter(blocks),), name="ear", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait for the last block: whoever gives them has ended."""
        if self._thread is not None:
            self._thread.join(timeout=CLOSING_SECONDS)
            if self._thread.is_alive():
                return  # it is still waking up, and ends with the program
        if self._ear is not None:
            self._ear.close()

    def shut(self, why: str, shut: bool) -> None:
        """Hear nothing, or again something, because of *why*: the house speaks, or somebody has muted it."""
        (self._shut_by.add if shut else self._shut_by.discard)(why)
        log.debug("the ear is %s", "shut" if self.is_shut else "open")

    @property
    def is_shut(self) -> bool:
        """Whether it hears nothing just now."""
        return bool(self._shut_by)

    def level(self) -> float | None:
        """Return how loud it is at the microphone, from 0 (silence) to 1; None before the first block."""
        block = self._block
        if block is None or isinstance(block, bytes):
            return None
        from seance.audio.levels import dbfs  # here, not above: it would wake numpy before the house

        return round(min(1.0, max(0.0, 1.0 + dbfs(block) / QUIETEST_DB)), 2)

    def expect(self, cue: Expect) -> None:
        """Hear what *cue* allows from the next sentence on."""
        with self._turn:
            self._next = cue
            self._narrow()

    def enrol(self, cue: Enrol) -> None:
        """Remember the voice that spoke last."""
        if self._voice is not None and self._ear is not None:
            self._ear.speakers.enrol(cue.psychic.value, self._voice)

    def _narrow(self) -> None:
        if self._ear is not None and self._next is not None:
            now = self._next.now
            self._ear.set_grammar(replace(self._build_grammar(now.narrow(self._sentences)), prior=now.prior))

    def _hear(self, blocks: Iterator[Block]) -> None:
        ear = self._wake()
        if ear is None:
            return
        with self._turn:
            self._ear = ear
            self._narrow()
        log.info("the ear is awake")
        for block in blocks:
            self._block = block
            if self.is_shut:
                # What was being said is over; the room itself is not forgotten.
                for _ in ear.finish():
                    pass
                continue
            for heard in ear.feed(block):
                self._voice = heard.voiceprint or self._voice
                speaker = Psychic(heard.speaker) if heard.speaker else None
                self._tell(Heard(heard.text, heard.intent, heard.confidence, speaker))
