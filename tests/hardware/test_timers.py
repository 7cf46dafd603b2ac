import logging
import threading

import pytest

from hardware.timers import ManualTimers, ThreadTimers


@pytest.fixture
def real():
    timers = ThreadTimers("tested")
    yield timers
    timers.close()


def test_things_happen_in_the_order_of_their_time(time: ManualTimers) -> None:
    done = []
    time.after(2, lambda: done.append("late"))
    time.after(1, lambda: done.append("early"))
    time.advance(3)
    assert done == ["early", "late"]


def test_something_happens_at_its_own_time_not_at_the_end_of_the_turn(time: ManualTimers) -> None:
    done = []
    time.after(1, lambda: done.append(time.now()))
    time.advance(5)
    assert done == [1]


def test_what_time_was_skipped_for_happens_once_it_is_turned_again(time: ManualTimers) -> None:
    done: list[float] = []
    time.after(1, lambda: done.append(time.now()))
    time.skip(5)
    assert done == []
    time.advance(0.5)
    assert done == [5]


def test_what_is_cancelled_does_not_happen(time: ManualTimers) -> None:
    done = []
    time.after(1, lambda: done.append(1)).cancel()
    time.advance(2)
    assert done == []


def test_what_follows_from_something_happens_within_the_same_turn(time: ManualTimers) -> None:
    done = []
    time.after(1, lambda: time.after(1, lambda: done.append(time.now())))
    time.advance(3)
    assert done == [2]


def test_real_time_calls_on_a_thread_of_its_own(real: ThreadTimers) -> None:
    called, where = threading.Event(), []
    real.after(0, lambda: (where.append(threading.current_thread().name), called.set()))
    assert called.wait(10)
    assert where == ["tested"]


def test_a_sooner_timer_overtakes_one_that_is_waited_for(real: ThreadTimers) -> None:
    called = threading.Event()
    real.after(3600, lambda: None)
    real.after(0.001, called.set)
    assert called.wait(10)


def test_an_action_that_fails_does_not_stop_the_others(
    real: ThreadTimers, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("hardware.timers"), "propagate", False)  # an error is what is wanted here
    called = threading.Event()
    real.after(0, lambda: 1 / 0)
    real.after(0.001, called.set)
    assert called.wait(10)
    assert not caplog.records


def test_after_the_end_nothing_happens(real: ThreadTimers) -> None:
    done = []
    real.after(0.01, lambda: done.append(1))
    real.close()
    real.after(0, lambda: done.append(2))
    assert done == []
