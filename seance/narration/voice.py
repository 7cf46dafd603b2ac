"""The narrator's voice: text in, sound out, made in one place, checked and kept; what is said is nobody's business here."""

from __future__ import annotations

import itertools
import logging
import queue
import tempfile
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from seance.narration.sound.cache import Cache
from seance.narration.sound.effects import Effects, in_room, levelled, pitched, stretch, trimmed
from seance.narration.sound.engines import CannotSpeak, Engine
from seance.narration.sound.waves import BadWave, Wave, read

__all__ = ["CannotSpeak", "Voice"]

_RENDERING = 1
"""Raised when the same text is made to sound otherwise, so that what was kept before is not taken for it."""
_ATTEMPTS = 2
_QUIETEST = 0.002
_SHORTEST, _LONGEST, _SLACK_SECONDS = 0.3, 3.5, 1.0
"""Speech may be so many times as long as its letters suggest, and a second more: "58" is two letters and four syllables."""
_LETTERS_A_WORD = 6.0
_NOW, _IN_ADVANCE, _AT_LAST = 0, 1, 2

log = logging.getLogger(__name__)


class Voice:
    """Speech of *engine*, in the body and the room that *pitch* and *effects* make, kept in *cache*."""

    def __init__(self, engine: Engine, cache: Cache, *, pitch: float = 0.0, effects: Effects | None = None) -> None:
        self._engine, self._cache = engine, cache
        self._pitch, self._effects = pitch, effects or Effects()
        self._numbers = itertools.count()
        self._jobs: queue.PriorityQueue[tuple[int, int, str, Future[Wave] | None]] = queue.PriorityQueue()
        self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def render(self, text: str) -> Wave:
        """Return *text* as speech, at once if it was made before; ahead of all that is being prepared. Or raise CannotSpeak."""
        kept = self._kept(text)
        return self._asked(text, _NOW).result() if kept is None else kept

    def prepare(self, texts: Iterable[str]) -> Future[None]:
        """Make *texts* in the background, in their order; the future ends when nothing is left to do, and never fails."""
        asked = [self._asked(text, _IN_ADVANCE) for text in texts if not self.is_ready(text)]
        done: Future[None] = Future()
        left = itertools.count(1)

        def count(_: Future[Wave]) -> None:
            if next(left) == len(asked):
                done.set_result(None)

        for each in asked:
            each.add_done_callback(count)
        if not asked:
            done.set_result(None)
        return done

    def is_ready(self, text: str) -> bool:
        """Return whether *text* can be had at once."""
        return not _is_spoken(text) or self._key(text) in self._cache

    def forget_prepared(self) -> None:
        """Leave what is still to be prepared."""
        while True:
            try:
                order, number, text, future = self._jobs.get_nowait()
            except queue.Empty:
                return
            if order != _IN_ADVANCE:
                self._jobs.put((order, number, text, future))
                return
            if future is not None:
                future.cancel()

    def close(self) -> None:
        """End the engine; who waits for a line gets it first."""
        self.forget_prepared()
        self._jobs.put((_AT_LAST, next(self._numbers), "", None))
        self._thread.join()

    def _asked(self, text: str, order: int) -> Future[Wave]:
        future: Future[Wave] = Future()
        self._jobs.put((order, next(self._numbers), text, future))
        return future

    def _work(self) -> None:
        while (job := self._jobs.get())[3] is not None:
            order, _, text, future = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(self._kept(text) or self._made(text))
            except CannotSpeak as trouble:
                future.set_exception(trouble)
                if order == _IN_ADVANCE:
                    log.warning("lines are no longer prepared: %s", trouble)
                    self.forget_prepared()
        self._engine.close()

    def _kept(self, text: str) -> Wave | None:
        if not _is_spoken(text):
            return Wave(np.zeros(0, np.float32), 22_050)
        return self._cache.get(self._key(text))

    def _made(self, text: str) -> Wave:
        """Return *text* as the engine speaks it, asked a second time where the first was no good."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                wave = self._shaped(self._spoken(text))
            except CannotSpeak as trouble:
                if attempt == _ATTEMPTS:
                    raise
                log.info("once more: %s", trouble)
            else:
                self._cache.put(self._key(text), wave)
                return wave
        raise AssertionError("an attempt ends in speech or in trouble")

    def _spoken(self, text: str) -> Wave:
        """Return what the engine makes of *text*, or raise CannotSpeak where that is no speech."""
        with tempfile.TemporaryDirectory(prefix="seance-voice-") as folder:
            wav = Path(folder, "said.wav")
            self._engine.render(text, wav)
            try:
                wave = read(wav)
            except BadWave as bad:
                raise CannotSpeak(f"{self._engine.identity} wrote nothing for {text!r}: {bad}") from None
        guess = len(text) / _LETTERS_A_WORD * 60 / self._engine.rate
        if wave.level < _QUIETEST:
            raise CannotSpeak(f"{self._engine.identity} is silent for {text!r}")
        if not _SHORTEST * guess <= wave.seconds <= _LONGEST * guess + _SLACK_SECONDS:
            raise CannotSpeak(f"{self._engine.identity} speaks {wave.seconds:.1f} s, not about {guess:.1f} s, for {text!r}")
        return wave

    def _shaped(self, wave: Wave) -> Wave:
        return levelled(in_room(pitched(trimmed(wave), self._pitch), self._effects))

    def _key(self, text: str) -> str:
        return repr((_RENDERING, self._engine.identity, self._pitch, self._effects, text))


def _is_spoken(text: str) -> bool:
    """Return whether there is anything in *text* to pronounce."""
    return any(character.isalnum() for character in text)
