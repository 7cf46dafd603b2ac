"""What is due is called when it is due."""

import queue
import time

import pytest

from seance.audio.scheduler import Scheduler


@pytest.fixture
def called():
    return queue.SimpleQueue()


@pytest.fixture
def scheduler():
    scheduler = Scheduler("scheduler")
    yield scheduler
    scheduler.close()


def test_what_is_due_first_is_called_first(scheduler, called):
    now = time.monotonic()
    for later, name in ((0.2, "third"), (0.1, "second"), (0.0, "first")):
        scheduler.call_at(now + later, lambda name=name: called.put(name))
    assert [called.get(timeout=5) for _ in range(3)] == ["first", "second", "third"]


def test_nothing_is_called_before_its_time(scheduler, called):
    due = time.monotonic() + 0.2
    scheduler.call_at(due, lambda: called.put(time.monotonic()))
    assert called.get(timeout=5) >= due


def test_closing_calls_what_is_left(scheduler, called):
    scheduler.call_at(time.monotonic() + 600, lambda: called.put("left"))
    scheduler.close()
    assert called.get(timeout=5) == "left"


def test_it_can_be_closed_by_what_it_calls(scheduler, called):
    scheduler.call_at(0.0, lambda: called.put(scheduler.close()))
    assert called.get(timeout=5) is None


def test_once_it_is_closed_everything_is_called_at_once(scheduler, called):
    scheduler.close()
    scheduler.call_at(time.monotonic() + 600, lambda: called.put("now"))
    assert called.get_nowait() == "now"
