"""Hooks that run when the process exits, also when a signal ends it; after kill -9 `failsafe` has to do it."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

Hook = Callable[[], None]

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals whose default action ends the process without running atexit; SIGINT raises KeyboardInterrupt instead."""

log = logging.getLogger(__name__)
_hooks: list[Hook] = []


def on_exit(hook: Hook) -> Callable[[], None]:
    """Call *hook* at exit and before a signal ends the process; return a function that unregisters it.

    A signal for which the program has a handler of its own keeps that handler; the hook then runs at exit.
    """
    _install_signal_handlers()
    _hooks.append(hook)

    def unregister() -> None:
        with contextlib.suppress(ValueError):
            _hooks.remove(hook)

    return unregister


def _install_signal_handlers() -> None:
    if threading.current_thread() is not threading.main_thread():
        log.warning("not made in the main thread: nothing is turned off when a signal ends the program")
        return
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _handle_signal)


def _handle_signal(number: int, _: FrameType | None) -> None:
    """Run the hooks, then let the signal end the process as it would have."""
    _run_hooks()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


@atexit.register
def _run_hooks() -> None:
    """Run the hooks, the last registered first."""
    for hook in reversed(_hooks):
        try:
            hook()
        except Exception:
            log.exception("at the end of the program")
