"""What is due is called when it is due."""

import queue
import time

import pytest

from seance.audio.scheduler import Bell


@pytest.fixture
def rung():
    return queue.SimpleQueue()


@pytest.fixture
def bell():
    bell = Bell("bell")
    yield bell
    bell.close()


def test_what_is_due_first_is_called_first(bell, rung):
    now = time.monotonic()
    for later, name in ((0.2, "third"), (0.1, "second"), (0.0, "first")):
        bell.call_at(now + later, lambda name=name: rung.put(name))
    assert [rung.get(timeout=5) for _ in range(3)] == ["first", "second", "third"]


def test_nothing_is_called_before_its_time(bell, rung):
    due = time.monotonic() + 0.2
    bell.call_at(due, lambda: rung.put(time.monotonic()))
    assert rung.get(timeout=5) >= due


def test_closing_calls_what_is_left(bell, rung):
    bell.call_at(time.monotonic() + 600, lambda: rung.put("left"))
    bell.close()
    assert rung.get(timeout=5) == "left"


def test_it_can_be_closed_by_what_it_calls(bell, rung):
    bell.call_at(0.0, lambda: rung.put(bell.close()))
    assert rung.get(timeout=5) is None


def test_once_it_is_closed_everything_is_called_at_once(bell, rung):
    bell.close()
    bell.call_at(time.monotonic() + 600, lambda: rung.put("now"))
    assert rung.get_nowait() == "now"
