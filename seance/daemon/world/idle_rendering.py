"""All lines that a night may need, rendered while nobody is there: `seance voices render` as a process of its own."""

import logging
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress

IDLE_AFTER_S = 600.0
"""Seconds in which nobody has said or done anything, after which it begins."""
NICENESS = 15
"""Lower priority than all else, also than what is rendered in a night."""
STOP_TIMEOUT_S = 3.0
"""How long the process may take to end."""

log = logging.getLogger(__name__)


class IdleRendering:
    """Runs *command* while the house is idle, and ends it as soon as somebody speaks or does anything.

    When it has ended by itself it is not run again.
    """

    def __init__(self, command: Sequence[str], *, idle_after_s: float = IDLE_AFTER_S) -> None:
        self._command, self._idle_after_s = tuple(command), idle_after_s
        self._process: subprocess.Popen[bytes] | None = None
        self._is_ending = self._is_done = False

    def follow(self, idle_s: float) -> None:
        """Begin or end the process: nobody has said or done anything for *idle_s* seconds."""
        self._reap()
        is_idle = idle_s >= self._idle_after_s
        if self._process is None and is_idle and not self._is_done:
            self._start()
        elif self._process is not None and not is_idle and not self._is_ending:
            self._end()

    def close(self) -> None:
        """End the process, if there is one; what it has rendered stays."""
        if self._process is None:
            return
        self._end()
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._send(signal.SIGKILL)
            self._process.wait()
        self._process = None

    def _start(self) -> None:
        log.info("the house is idle: lines are rendered ahead of time")
        self._is_ending = False
        try:
            self._process = subprocess.Popen(  # noqa: S603
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # so that signals reach what it starts, too
            )
            os.setpriority(os.PRIO_PROCESS, self._process.pid, NICENESS)
        except OSError as why:
            self._is_done = self._process is None
            log.warning("lines are not rendered ahead of time: %s", why)

    def _end(self) -> None:
        self._is_ending = True
        self._send(signal.SIGTERM)

    def _reap(self) -> None:
        """Note that the process has ended, if it has."""
        if self._process is None or (status := self._process.poll()) is None:
            return
        self._process = None
        if self._is_ending:
            return
        self._is_done = True
        if status:
            log.warning("not all lines are rendered ahead of time: `seance voices render --all` says why")
        else:
            log.info("all lines are rendered ahead of time")

    def _send(self, number: signal.Signals) -> None:
        """Send a signal to the process and all that it has started."""
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)
