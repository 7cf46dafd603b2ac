"""Logging to standard error: plain lines for a person, lines with a priority prefix for journald; none too often."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from seance.plain_text import strip_controls, strip_line_controls

PLAIN_FORMAT = "%(levelname)s %(threadName)s %(name)s: %(message)s"
JOURNALD_FORMAT = "%(threadName)s %(name)s: %(message)s"
PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
"""Priorities of sd-daemon(3) by logging level."""

MAX_MESSAGES = 5
"""How often a message is logged in PERIOD_S."""
PERIOD_S = 60.0

log = logging.getLogger(__name__)


class PlainFormatter(logging.Formatter):
    """Formats records so that no text of others in them can command a terminal or forge a line."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the record's message on one line."""
        record.message = strip_controls(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """Return the traceback, which may have several lines."""
        return strip_line_controls(super().formatException(ei))


class JournaldFormatter(PlainFormatter):
    """Puts the priority before each line, as journald reads it."""

    def __init__(self) -> None:
        super().__init__(JOURNALD_FORMAT)

    def format(self, record: logging.LogRecord) -> str:
        """Return the record with its priority on every line."""
        level = next((number for at, number in PRIORITIES.items() if record.levelno >= at), 7)
        return "\n".join(f"<{level}>{line}" for line in super().format(record).splitlines())


@dataclass(slots=True)
class _Period:
    """What one line of the program has logged since *began*."""

    began: float
    last: logging.LogRecord
    logged: int = 0
    suppressed: int = 0


class RateLimitedHandler(logging.StreamHandler[Any]):
    """Writes what one line of the program logs a few times a minute, then how many more there were.

    Debug messages are not limited.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._periods: dict[tuple[str, int], _Period] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write *record*, unless it came too often, after the summaries that are due."""
        if record.levelno < logging.INFO:
            super().emit(record)
            return
        now = self._clock()
        for place, period in list(self._periods.items()):
            if now - period.began >= PERIOD_S:
                del self._periods[place]
                self._summarise(period)
        period = self._periods.setdefault((record.pathname, record.lineno), _Period(now, record))
        period.last = record
        if period.logged < MAX_MESSAGES:
            period.logged += 1
            super().emit(record)
        else:
            period.suppressed += 1

    def close(self) -> None:
        """Write the summaries that are not written yet."""
        periods, self._periods = self._periods, {}
        for period in periods.values():
            self._summarise(period)
        super().close()

    def _summarise(self, period: _Period) -> None:
        if period.suppressed:
            last = period.last
            message, arguments = "%d more of these: %s", (period.suppressed, last.getMessage())
            summary = logging.LogRecord(last.name, last.levelno, last.pathname, last.lineno, message, arguments, None)
            super().emit(summary)


def is_journald(stream: int = 2, environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether the file descriptor *stream* is connected to journald directly."""
    device, _, inode = environ.get("JOURNAL_STREAM", "").partition(":")
    if not (device.isdecimal() and inode.isdecimal()):
        return False
    there = os.fstat(stream)
    return (there.st_dev, there.st_ino) == (int(device), int(inode))


def log_to_stderr(level: int) -> None:
    """Log to standard error from *level* on; under journald, uncaught exceptions are logged too."""
    handler = RateLimitedHandler()
    if is_journald():
        handler.setFormatter(JournaldFormatter())
        sys.excepthook = _log_crash
        threading.excepthook = lambda args: _log_crash(args.exc_type, args.exc_value, args.exc_traceback)
    else:
        handler.setFormatter(PlainFormatter(PLAIN_FORMAT))
    logging.basicConfig(level=level, handlers=[handler])


def limit_warnings() -> None:
    """Let warnings of a program that does not log be written as plain text, and not too often."""
    handler = RateLimitedHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(PlainFormatter("%(message)s"))
    logging.lastResort = handler


def _log_crash(kind: type[BaseException], error: BaseException | None, traceback: TracebackType | None) -> None:
    if error is not None:
        log.critical("uncaught exception", exc_info=(kind, error, traceback))
