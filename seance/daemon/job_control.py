"""Ctrl-Z and `fg`: the terminal is given back while the program is stopped, and taken when it continues."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Protocol, Self


class TerminalUser(Protocol):
    """Something that changes the terminal, such as its mode or its cursor."""

    def suspend(self) -> None:
        """Leave the terminal as it was before; calling it again does nothing."""

    def resume(self) -> None:
        """Use the terminal again; calling it again does nothing."""


class JobControl:
    """Suspends the users of the terminal before the program stops, and resumes them in the foreground."""

    def __init__(self) -> None:
        self._users: tuple[TerminalUser, ...] = ()
        self._handler_before: Any = None

    def __enter__(self) -> Self:
        # Not when `stopped` is left: after `bg` the terminal is somebody else's until `fg` sends the signal again.
        self._handler_before = signal.signal(signal.SIGCONT, self._handle_continue)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGCONT, self._handler_before)

    def add(self, *users: TerminalUser) -> None:
        """Suspend and resume *users* too; they are suspended in reverse order."""
        self._users += users

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Suspend the users before the program stops, if the terminal is theirs."""
        if is_in_foreground():
            for user in reversed(self._users):
                user.suspend()
        yield

    def _handle_continue(self, _number: int, _frame: FrameType | None) -> None:
        if is_in_foreground():
            for user in self._users:
                user.resume()


def is_in_foreground() -> bool:
    """Tell whether this program may use the terminal at its standard input."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError):
        return False
