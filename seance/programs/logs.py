"""Where the log goes: plain lines for a person, lines that bear their level for journald, which keeps the time."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Mapping
from types import TracebackType

PLAIN = "%(levelname)s %(threadName)s %(name)s: %(message)s"
JOURNALS = "%(threadName)s %(name)s: %(message)s"
PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
"""What systemd calls the levels (sd-daemon)."""

log = logging.getLogger(__name__)


class JournalFormatter(logging.Formatter):
    """Puts the level before each line, as journald reads it."""

    def __init__(self) -> None:
        super().__init__(JOURNALS)

    def format(self, record: logging.LogRecord) -> str:
        """Return the record with its level, on every one of its lines."""
        level = next((number for at, number in PRIORITIES.items() if record.levelno >= at), 7)
        return "\n".join(f"<{level}>{line}" for line in super().format(record).splitlines())


def is_journal(stream: int = 2, environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether what is written to a stream goes to journald, and not into a pipe or file put before it."""
    device, _, inode = environ.get("JOURNAL_STREAM", "").partition(":")
    if not (device.isdecimal() and inode.isdecimal()):
        return False
    there = os.fstat(stream)
    return (there.st_dev, there.st_ino) == (int(device), int(inode))


def log_to_stderr(level: int) -> None:
    """Log to standard error from *level* on; what ends the program is logged, too, where journald reads it."""
    handler = logging.StreamHandler()
    if is_journal():
        handler.setFormatter(JournalFormatter())
        sys.excepthook = _note_the_end
        threading.excepthook = lambda args: _note_the_end(args.exc_type, args.exc_value, args.exc_traceback)
    else:
        handler.setFormatter(logging.Formatter(PLAIN))
    logging.basicConfig(level=level, handlers=[handler])


def _note_the_end(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if error is not None:
        log.critical("this ends the house", exc_info=(kind, error, trace))
