"""The order in which lines are rendered, with a process that does as it is told."""

import logging
import threading

import numpy as np
import pytest

from seance.audio.waves import Wave
from seance.speech.engines import CannotSpeak, LineInterrupted
from seance.speech.render_queue import Priority, RenderQueue

SOUND = Wave(np.zeros(10, np.float32), 24_000)


class Process:
    """A process that renders until it may go on, and can be interrupted and held."""

    def __init__(self):
        self.done, self.held, self.begun = [], [], threading.Semaphore(0)
        self._changed = threading.Condition()
        self._may_end, self._is_interrupted = False, False

    def job(self, name):
        """Return the key and the rendering of the line *name*."""
        return name, lambda: self._render(name)

    def let_end(self):
        with self._changed:
            self._may_end = True
            self._changed.notify_all()

    def interrupt(self):
        with self._changed:
            self._is_interrupted = True
            self._changed.notify_all()

    def hold(self, on):
        self.held.append(on)

    def _render(self, name):
        self.begun.release()
        with self._changed:
            self._is_interrupted = False
            assert self._changed.wait_for(lambda: self._may_end or self._is_interrupted, 10)
            if self._is_interrupted:
                raise LineInterrupted
            self.done.append(name)
            return SOUND


@pytest.fixture
def process():
    return Process()


@pytest.fixture
def queue(process):
    queue = RenderQueue(process)
    yield queue
    process.let_end()
    queue.close(lambda: None)


def begin_likely(queue, process, *names):
    """Let the first of the likely lines *names* be under way."""
    queue.set_likely([process.job(name) for name in names])
    assert process.begun.acquire(timeout=10)


def test_a_line_that_is_wanted_interrupts_one_that_may_come(queue, process):
    begin_likely(queue, process, "may come")
    wanted = queue.submit(Priority.NOW, *process.job("wanted"))
    assert process.begun.acquire(timeout=10)
    process.let_end()
    wanted.result(10)
    assert process.done[0] == "wanted"


def test_what_was_interrupted_is_rendered_afterwards(queue, process):
    begin_likely(queue, process, "may come", "last")
    queue.submit(Priority.NOW, *process.job("wanted"))
    assert process.begun.acquire(timeout=10)
    process.let_end()
    for _ in ("may come", "last"):
        assert process.begun.acquire(timeout=10)
    assert process.done[:2] == ["wanted", "may come"]


def test_the_line_that_is_under_way_is_not_interrupted_when_it_is_wanted_itself(queue, process):
    begin_likely(queue, process, "line")
    wanted = queue.submit(Priority.NOW, *process.job("line"))
    process.let_end()
    wanted.result(10)
    assert process.done[0] == "line"
    assert process.held == [False]


def test_what_may_come_is_held_while_somebody_speaks(queue, process):
    begin_likely(queue, process, "first", "second")
    queue.set_quiet(False)
    assert process.held == [True]
    queue.set_quiet(True)
    assert process.held == [True, False]


def test_nothing_that_may_come_is_begun_while_somebody_speaks(queue, process):
    process.let_end()
    queue.set_quiet(False)
    queue.set_likely([process.job("may come")])
    queue.submit(Priority.SOON, *process.job("soon")).result(10)
    assert process.done == ["soon"]
    queue.set_quiet(True)
    assert process.begun.acquire(timeout=10)
    assert process.begun.acquire(timeout=10)


def test_what_is_no_longer_likely_is_given_up(queue, process):
    begin_likely(queue, process, "before")
    queue.set_likely([process.job("after")])
    assert process.begun.acquire(timeout=10)
    process.let_end()
    queue.submit(Priority.SOON, *process.job("end")).result(10)
    assert "before" not in process.done


def test_what_is_still_likely_goes_on(queue, process):
    begin_likely(queue, process, "line")
    queue.set_likely([process.job("another"), process.job("line")])
    process.let_end()
    assert process.begun.acquire(timeout=10)
    assert process.done[0] == "line"


def test_the_log_has_no_word_of_what_may_come(queue, caplog):
    failed = threading.Event()

    def fail():
        failed.set()
        raise CannotSpeak("it hangs for 'the culprit is seven'")

    with caplog.at_level(logging.DEBUG):
        queue.set_likely([("culprit", fail)])
        assert failed.wait(10)
        queue.submit(Priority.NOW, "line", lambda: SOUND).result(10)
    assert "a line is not prepared: an engine fails" in caplog.messages
    assert "culprit" not in caplog.text
