"""What must be done when the process ends, whichever way it can hear of; kill -9 it cannot, and needs `safe`."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

Action = Callable[[], None]

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""They end a program without a word; SIGINT raises KeyboardInterrupt, and so reaches the exit."""

log = logging.getLogger(__name__)
_actions: list[Action] = []


def at_every_end(action: Action) -> Callable[[], None]:
    """Call *action* at exit and before a signal ends the process; return what takes that back.

    A program with a handler of its own for a signal ends in its own way, through the exit.
    """
    _watch_signals()
    _actions.append(action)

    def take_back() -> None:
        with contextlib.suppress(ValueError):
            _actions.remove(action)

    return take_back


def _watch_signals() -> None:
    if threading.current_thread() is not threading.main_thread():
        log.warning("not made in the main thread: nothing is turned off when a signal ends the program")
        return
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _: FrameType | None) -> None:
    _say_farewell()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


@atexit.register
def _say_farewell() -> None:
    for action in reversed(_actions):
        try:
            action()
        except Exception:
            log.exception("at the end of the program")
