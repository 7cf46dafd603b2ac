"""Speech recognition on a thread: takes blocks of the microphone and reports what was heard."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from seance.daemon.signals import Heard, HearingChange
from seance.dialogue.grammar.sentences import Sentences
from seance.narration.cues import Enrol, Expect
from seance.rules import Psychic

if TYPE_CHECKING:
    from seance.hearing.active_grammar import Grammar
    from seance.hearing.recogniser import AudioBlock, Recogniser

JOIN_TIMEOUT_S = 1.5
"""How long to wait for the last block when closing."""
SPEAKING = "speaking"
"""The reason to be muted while the house itself is speaking."""
METER_RANGE_DB = 60.0
"""Range of the level meter, below full scale."""

log = logging.getLogger(__name__)


class HearingThread:
    """Recognises speech while it is not muted: the house would hear itself.

    The recogniser is loaded on the thread, as its model takes seconds; what is said meanwhile is heard afterwards.
    """

    def __init__(
        self,
        load_recogniser: Callable[[], Recogniser | None],
        sentences: Sentences,
        build_grammar: Callable[[Sentences], Grammar],
        on_heard: Callable[[Heard], None],
        on_change: Callable[[HearingChange], None] = lambda _: None,
    ) -> None:
        """Load the recogniser by *load_recogniser*, which returns None if there can be none.

        *on_change* is told when it cannot hear any more, and when it can again.
        """
        self._load_recogniser, self._sentences = load_recogniser, sentences
        self._build_grammar, self._on_heard, self._on_change = build_grammar, on_heard, on_change
        self._recogniser: Recogniser | None = None
        self._expect: Expect | None = None
        self._lock = threading.Lock()
        """Guards the recogniser and what it is to expect."""
        self._mute_reasons: set[str] = set()
        self._missing_parts: set[str] = set()
        self._can_hear = True
        self._change_lock = threading.Lock()
        """Keeps reports to *on_change* in their order."""
        self._last_voiceprint: tuple[float, ...] | None = None
        self._thread: threading.Thread | None = None
        self._last_block: AudioBlock | None = None

    def start(self, blocks: Iterable[AudioBlock]) -> None:
        """Recognise *blocks* on a thread until there are no more."""
        self._thread = threading.Thread(target=self._run, args=(iter(blocks),), name="ear", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait for the last block; the source of the blocks must be closed."""
        if self._thread is not None:
            self._thread.join(timeout=JOIN_TIMEOUT_S)
            if self._thread.is_alive():
                return  # the model is still loading; the thread ends with the program
        if self._recogniser is not None:
            self._recogniser.close()

    def set_muted(self, reason: str, muted: bool) -> None:
        """Mute or unmute for *reason*, such as `speaking`; it hears while there is no reason left."""
        (self._mute_reasons.add if muted else self._mute_reasons.discard)(reason)
        log.debug("the ear is %s", "shut" if self.is_muted else "open")
        self._report_change()

    def set_missing(self, part: str, missing: bool) -> None:
        """Note that *part*, such as `microphone`, does not work or works again."""
        (self._missing_parts.add if missing else self._missing_parts.discard)(part)
        self._report_change()

    @property
    def is_muted(self) -> bool:
        """Whether there is any reason to hear nothing."""
        return bool(self._mute_reasons)

    def level(self) -> float | None:
        """Return the level at the microphone: 0 is METER_RANGE_DB below full scale, 1 is full scale.

        None before the first block.
        """
        block = self._last_block
        if block is None or isinstance(block, bytes):
            return None
        from seance.audio.levels import dbfs  # here, not above: numpy takes long to import

        return round(min(1.0, max(0.0, 1.0 + dbfs(block) / METER_RANGE_DB)), 2)

    def expect(self, cue: Expect) -> None:
        """Recognise what *cue* allows from the next sentence on."""
        with self._lock:
            self._expect = cue
            self._update_grammar()

    def enrol(self, cue: Enrol) -> None:
        """Enrol the voice that spoke last."""
        if self._last_voiceprint is not None and self._recogniser is not None:
            self._recogniser.speakers.enrol(cue.psychic.value, self._last_voiceprint)

    def _report_change(self) -> None:
        with self._change_lock:
            # While the house speaks it does not hear either, but only for a moment.
            can_hear = not self._missing_parts and not self._mute_reasons - {SPEAKING}
            if can_hear != self._can_hear:
                self._can_hear = can_hear
                self._on_change(HearingChange(can_hear))

    def _update_grammar(self) -> None:
        if self._recogniser is not None and self._expect is not None:
            now = self._expect.intents
            self._recogniser.set_grammar(replace(self._build_grammar(now.narrow(self._sentences)), prior=now.prior))

    def _run(self, blocks: Iterator[AudioBlock]) -> None:
        recogniser = self._load_recogniser()
        if recogniser is None:
            self.set_missing("recogniser", True)
            return
        with self._lock:
            self._recogniser = recogniser
            self._update_grammar()
        log.info("the ear is awake")
        for block in blocks:
            self._last_block = block
            if self.is_muted:
                # End the sentence that was begun, but keep what is known of the room's noise.
                for _ in recogniser.finish():
                    pass
                continue
            for heard in recogniser.feed(block):
                self._last_voiceprint = heard.voiceprint or self._last_voiceprint
                speaker = Psychic(heard.speaker) if heard.speaker else None
                self._on_heard(Heard(heard.text, heard.intent, heard.confidence, speaker))
