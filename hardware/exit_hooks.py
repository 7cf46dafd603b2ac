"""Hooks that run when the process exits or stops, also by a signal; after kill -9 `failsafe` has to do it."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import FrameType

Hook = Callable[[], None]
StopContext = Callable[[], AbstractContextManager[object]]

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals whose default action ends the process without running atexit; SIGINT raises KeyboardInterrupt instead."""

STOP_SIGNALS = (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
"""Signals that stop the process until it is continued: Ctrl-Z, and the use of a terminal from the background."""

log = logging.getLogger(__name__)
_hooks: list[Hook] = []
_stop_contexts: list[StopContext] = []


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


def on_stop(context: StopContext) -> Callable[[], None]:
    """Enter *context* before Ctrl-Z stops the process, and leave it when it continues; return what unregisters it.

    SIGSTOP cannot be caught: the process then stops wherever it is.
    """
    _install_signal_handlers()
    _stop_contexts.append(context)

    def unregister() -> None:
        with contextlib.suppress(ValueError):
            _stop_contexts.remove(context)

    return unregister


def _install_signal_handlers() -> None:
    if threading.current_thread() is not threading.main_thread():
        log.warning("not made in the main thread: nothing is turned off when a signal ends the program")
        return
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _handle_signal)
    for number in STOP_SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _handle_stop)


def _handle_signal(number: int, _: FrameType | None) -> None:
    """Run the hooks, then let the signal end the process as it would have."""
    _run_hooks()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _handle_stop(number: int, _: FrameType | None) -> None:
    """Enter the contexts, stop as the signal would have, and leave them when the process continues."""
    with contextlib.ExitStack() as stack:
        for context in reversed(_stop_contexts):
            try:
                stack.enter_context(context())
            except Exception:
                log.exception("before the program stops")
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)  # returns when the process continues
        signal.signal(number, _handle_stop)


@atexit.register
def _run_hooks() -> None:
    """Run the hooks, the last registered first."""
    for hook in reversed(_hooks):
        try:
            hook()
        except Exception:
            log.exception("at the end of the program")
