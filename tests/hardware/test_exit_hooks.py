import signal

import pytest

from hardware.exit_hooks import _run_hooks, on_exit


@pytest.fixture
def own_handler():
    """A program that ends in its own way on SIGTERM."""

    def handler(*_: object) -> None: ...

    before = signal.signal(signal.SIGTERM, handler)
    yield handler
    signal.signal(signal.SIGTERM, before)


def test_a_program_that_hears_a_signal_itself_keeps_its_handler(own_handler) -> None:
    on_exit(lambda: None)()
    assert signal.getsignal(signal.SIGTERM) is own_handler


def test_the_last_to_come_is_the_first_to_end() -> None:
    done: list[int] = []
    unregister = [on_exit(lambda number=number: done.append(number)) for number in (1, 2)]
    _run_hooks()
    for each in unregister:
        each()
    assert done == [2, 1]


def test_what_is_taken_back_is_not_done() -> None:
    done: list[int] = []
    on_exit(lambda: done.append(1))()
    _run_hooks()
    assert done == []
