"""Sets up logging to standard error: plain lines for a person, lines with a priority prefix for journald."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Mapping
from types import TracebackType

PLAIN_FORMAT = "%(levelname)s %(threadName)s %(name)s: %(message)s"
JOURNALD_FORMAT = "%(threadName)s %(name)s: %(message)s"
PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
"""Priorities of sd-daemon(3) by logging level."""

log = logging.getLogger(__name__)


class JournaldFormatter(logging.Formatter):
    """Puts the priority before each line, as journald reads it."""

    def __init__(self) -> None:
        super().__init__(JOURNALD_FORMAT)

    def format(self, record: logging.LogRecord) -> str:
        """Return the record with its priority on every line."""
        level = next((number for at, number in PRIORITIES.items() if record.levelno >= at), 7)
        return "\n".join(f"<{level}>{line}" for line in super().format(record).splitlines())


def is_journald(stream: int = 2, environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether the file descriptor *stream* is connected to journald directly."""
    device, _, inode = environ.get("JOURNAL_STREAM", "").partition(":")
    if not (device.isdecimal() and inode.isdecimal()):
        return False
    there = os.fstat(stream)
    return (there.st_dev, there.st_ino) == (int(device), int(inode))


def log_to_stderr(level: int) -> None:
    """Log to standard error from *level* on; under journald, uncaught exceptions are logged too."""
    handler = logging.StreamHandler()
    if is_journald():
        handler.setFormatter(JournaldFormatter())
        sys.excepthook = _log_crash
        threading.excepthook = lambda args: _log_crash(args.exc_type, args.exc_value, args.exc_traceback)
    else:
        handler.setFormatter(logging.Formatter(PLAIN_FORMAT))
    logging.basicConfig(level=level, handlers=[handler])


def _log_crash(kind: type[BaseException], error: BaseException | None, traceback: TracebackType | None) -> None:
    if error is not None:
        log.critical("uncaught exception", exc_info=(kind, error, traceback))
