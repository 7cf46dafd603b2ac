"""The queue of what is to be rendered: what is wanted now first, and what may come while it is quiet."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Protocol

from seance.audio.waves import Wave
from seance.speech.engines import CannotSpeak, LineInterrupted

_MAX_FAILURES_IN_A_ROW = 3
"""After so many failed lines in a row the engine is taken for broken, and no more lines are prepared."""

log = logging.getLogger(__name__)

Render = Callable[[], Wave]
"""Returns a sound, or raises CannotSpeak or LineInterrupted."""


class Interruptible(Protocol):
    """The process of a slow engine."""

    def interrupt(self) -> None:
        """Give up what is being rendered: its Render raises LineInterrupted."""

    def hold(self, on: bool) -> None:
        """Stop what is being rendered where it is, or go on with it."""


class Priority(IntEnum):
    """The order in which jobs are done."""

    NOW = 0
    """Somebody waits for it."""
    SOON = 1
    """It is about to be said."""
    LIKELY = 2
    """It may come to be said."""


@dataclass(frozen=True, slots=True, order=True)
class _Job:
    priority: Priority
    number: int
    key: Hashable = field(compare=False)
    render: Render = field(compare=False)
    future: Future[Wave] = field(compare=False, default_factory=Future)


class RenderQueue:
    """Does jobs one by one on a thread of its own; a more urgent one interrupts another where *process* can."""

    def __init__(self, process: Interruptible | None = None) -> None:
        self._process = process
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._jobs: list[_Job] = []
        """A heap of all but those that are likely."""
        self._likely = deque[_Job]()
        self._running: _Job | None = None
        self._is_quiet = True
        self._is_closed = False
        self._failures = 0
        self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
        self._thread.start()

    @property
    def process(self) -> Interruptible | None:
        """The process that is interrupted and held, if there is one."""
        return self._process

    @property
    def is_closed(self) -> bool:
        """Whether nothing is rendered any more."""
        return self._is_closed

    def submit(self, priority: Priority, key: Hashable, render: Render) -> Future[Wave]:
        """Return the future sound of *render*, which *key* names."""
        with self._changed:
            job = _Job(priority, next(self._numbers), key, render)
            if self._is_closed:
                job.future.set_exception(CannotSpeak("the voice is closed"))
                return job.future
            heapq.heappush(self._jobs, job)
            self._make_way(job)
            self._changed.notify_all()
            return job.future

    def set_likely(self, jobs: Iterable[tuple[Hashable, Render]]) -> None:
        """Render *jobs*, each after its key, in their order while it is quiet, and none that were set before."""
        with self._changed:
            if self._is_closed:
                return
            new = [_Job(Priority.LIKELY, next(self._numbers), key, render) for key, render in jobs]
            running = self._running
            if running is not None and running.priority is Priority.LIKELY:
                wanted = [job for job in new if job.key != running.key]
                if len(wanted) == len(new):
                    self._running = None  # so that it is not done again later
                    self._interrupt()
                new = wanted
            self._likely = deque(new)
            self._changed.notify_all()

    def set_quiet(self, quiet: bool) -> None:
        """Go on with what is likely, or hold it while somebody speaks."""
        with self._changed:
            if quiet != self._is_quiet:
                self._is_quiet = quiet
                if self._running is not None and self._running.priority is Priority.LIKELY:
                    self._hold(not quiet)
                self._changed.notify_all()

    def cancel_prepared(self) -> None:
        """Cancel all jobs that nobody waits for."""
        with self._changed:
            dropped = [*(job for job in self._jobs if job.priority is not Priority.NOW), *self._likely]
            self._jobs = [job for job in self._jobs if job.priority is Priority.NOW]
            heapq.heapify(self._jobs)
            self._likely.clear()
        for job in dropped:
            job.future.cancel()

    def close(self, end_engines: Callable[[], None]) -> None:
        """Cancel what is prepared, end the engines by *end_engines*, and wait until the thread has ended."""
        self.cancel_prepared()
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        end_engines()
        self._thread.join()
        end_engines()  # it may have begun another line meanwhile

    def _make_way(self, job: _Job) -> None:
        """Interrupt what is being rendered if *job* is more urgent; if it is the same, let nothing hold it."""
        running = self._running
        if running is None or running.priority <= job.priority:
            return
        if running.key == job.key:
            self._running = replace(running, priority=job.priority)
            self._hold(False)
        else:
            self._interrupt()

    def _interrupt(self) -> None:
        if self._process is not None:
            self._process.interrupt()

    def _hold(self, on: bool) -> None:
        if self._process is not None:
            self._process.hold(on)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                job.future.set_result(job.render())
                self._failures = 0
            except LineInterrupted:
                self._put_back(job)
            except CannotSpeak as trouble:
                job.future.set_exception(trouble)
                self._failures += 1
                if job.priority is not Priority.NOW and not self._is_closed:
                    self._report_failure(job, trouble)
            except BaseException as error:
                # Whoever waits for the line must not wait for ever once this thread has ended.
                job.future.set_exception(error)
                raise

    def _next(self) -> _Job | None:
        """Return the next job, or None when the queue is closed and empty."""
        with self._changed:
            while True:
                self._running = None
                self._changed.wait_for(lambda: bool(self._jobs) or self._is_closed or self._may_do_likely())
                if self._jobs:
                    job = heapq.heappop(self._jobs)
                elif self._is_closed:
                    return None
                else:
                    job = self._likely.popleft()
                if job.priority is not Priority.NOW and self._failures >= _MAX_FAILURES_IN_A_ROW:
                    job.future.cancel()  # it was asked for while the engine was found broken
                if job.future.running() or job.future.set_running_or_notify_cancel():
                    self._running = job
                    return job

    def _may_do_likely(self) -> bool:
        return bool(self._likely) and self._is_quiet

    def _put_back(self, job: _Job) -> None:
        """Do *job* again later, unless it was likely once and is not any more."""
        with self._changed:
            if job.priority is not Priority.LIKELY:
                heapq.heappush(self._jobs, job)
            elif self._running is not None:
                self._likely.appendleft(job)

    def _report_failure(self, job: _Job, trouble: CannotSpeak) -> None:
        """Log that a line could not be prepared; where the engine is broken, cancel the others."""
        # What may come is nobody's to read before it is said.
        why = "an engine fails" if job.priority is Priority.LIKELY else str(trouble)
        engine_broken = self._failures >= _MAX_FAILURES_IN_A_ROW
        log.warning("%s: %s", "lines are no longer prepared" if engine_broken else "a line is not prepared", why)
        if engine_broken:
            self.cancel_prepared()
