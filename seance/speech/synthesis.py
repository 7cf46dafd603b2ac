"""The narrator's voice: text in, sound out, made in one place, checked, kept; it neither plays nor knows the game."""

from __future__ import annotations

import itertools
import logging
import queue
import tempfile
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from seance.audio.files import BadAudioFile, read_wave
from seance.audio.waves import Wave
from seance.speech.cache import Cache
from seance.speech.effects import Effects, in_room, levelled, pitched, trimmed
from seance.speech.engines import CannotSpeak, Engine, quoted

__all__ = ["CannotSpeak", "Voice"]

_RENDERING = 1
"""Raised when the same text is made to sound otherwise, so that what was kept before is not taken for it."""
_ATTEMPTS = 2
_HOPELESS = 3
"""So many lines in a row that fail are the engine's fault and not theirs."""
_QUIETEST = 0.002
_SHORTEST, _LONGEST, _SLACK_SECONDS = 0.3, 3.5, 1.0
"""Speech may be so many times as long as its letters suggest, and a second more: "58" is spoken longer than written."""
_LETTERS_A_WORD = 6.0

log = logging.getLogger(__name__)


class _Order(IntEnum):
    """Who is served first."""

    NOW = 0
    IN_ADVANCE = 1
    AT_LAST = 2
    """The end of all work."""


@dataclass(frozen=True, slots=True, order=True)
class _Job:
    """A line to be made."""

    order: _Order
    number: int
    text: str = field(compare=False)
    future: Future[Wave] = field(compare=False, default_factory=Future)


class Voice:
    """Speech of *engine*, in the body and the room that *pitch* and *effects* make, kept in *cache*."""

    def __init__(self, engine: Engine, cache: Cache, *, pitch: float = 0.0, effects: Effects | None = None) -> None:
        self._engine, self._cache = engine, cache
        self._pitch, self._effects = pitch, effects or Effects()
        self._numbers = itertools.count()
        self._jobs: queue.PriorityQueue[_Job] = queue.PriorityQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def render(self, text: str) -> Wave:
        """Return *text* as speech: kept from before, or made ahead of all that is prepared; or raise CannotSpeak."""
        kept = self._kept(text)
        return self._asked(text, _Order.NOW).result() if kept is None else kept

    def prepare(self, texts: Iterable[str]) -> Future[None]:
        """Make *texts* in the background, in their order; the future ends when nothing is left to do, well or not."""
        asked = [self._asked(text, _Order.IN_ADVANCE) for text in texts if not self.is_ready(text)]
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
        kept = []
        with suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job.order is _Order.IN_ADVANCE:
                    job.future.cancel()
                else:
                    kept.append(job)
        for job in kept:
            self._jobs.put(job)

    def close(self) -> None:
        """End the engine at once; a second time does nothing."""
        self._closed = True
        self.forget_prepared()
        self._asked("", _Order.AT_LAST)
        self._engine.close()
        self._thread.join()

    def _asked(self, text: str, order: _Order) -> Future[Wave]:
        job = _Job(order, next(self._numbers), text)
        if self._closed and order is not _Order.AT_LAST:
            job.future.set_exception(CannotSpeak("the voice is closed"))
        else:
            self._jobs.put(job)
        return job.future

    def _work(self) -> None:
        failures = 0
        while (job := self._jobs.get()).order is not _Order.AT_LAST:
            if not job.future.set_running_or_notify_cancel():
                continue
            try:
                job.future.set_result(self._kept(job.text) or self._made(job.text))
                failures = 0
            except CannotSpeak as trouble:
                job.future.set_exception(trouble)
                failures += 1
                if job.order is _Order.IN_ADVANCE and not self._closed:
                    self._give_up(trouble, hopeless=failures >= _HOPELESS)
            except BaseException as error:
                # Whoever waits must not wait for ever while this thread ends.
                job.future.set_exception(error)
                raise
        self._engine.close()

    def _give_up(self, trouble: CannotSpeak, *, hopeless: bool) -> None:
        """Leave a line that could not be prepared, or all of them."""
        log.warning("%s: %s", "lines are no longer prepared" if hopeless else "a line is not prepared", trouble)
        if hopeless:
            self.forget_prepared()

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
                if attempt == _ATTEMPTS or self._closed:
                    raise
                log.info("once more: %s", trouble)
            else:
                self._cache.put(self._key(text), wave)
                return wave
        raise AssertionError("an attempt ends in speech or in trouble")

    def _spoken(self, text: str) -> Wave:
        """Return what the engine makes of *text*, or raise CannotSpeak where that is no speech."""
        try:
            with tempfile.TemporaryDirectory(prefix="seance-voice-") as folder:
                wav = Path(folder, "said.wav")
                self._engine.render(text, wav)
                wave = read_wave(wav)
        except BadAudioFile as bad:
            raise CannotSpeak(f"{self._engine.identity} wrote nothing for {quoted(text)}: {bad}") from None
        except OSError as error:
            raise CannotSpeak(f"there is no room to make speech in ({error}): {quoted(text)}") from error
        guess = len(text) / _LETTERS_A_WORD * 60 / self._engine.rate
        if wave.rms < _QUIETEST:
            raise CannotSpeak(f"{self._engine.identity} is silent for {quoted(text)}")
        if not _SHORTEST * guess <= wave.seconds <= _LONGEST * guess + _SLACK_SECONDS:
            raise CannotSpeak(
                f"{self._engine.identity} speaks {wave.seconds:.1f} s, not about {guess:.1f} s, for {quoted(text)}"
            )
        return wave

    def _shaped(self, wave: Wave) -> Wave:
        return levelled(in_room(pitched(trimmed(wave), self._pitch), self._effects))

    def _key(self, text: str) -> str:
        return repr((_RENDERING, self._engine.identity, self._pitch, self._effects, text))


def _is_spoken(text: str) -> bool:
    """Return whether there is anything in *text* to pronounce."""
    return any(character.isalnum() for character in text)
