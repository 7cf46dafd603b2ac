"""Exceptions of the journal, faults of the disk, and the news that the host is told."""

import errno
import sqlite3
from dataclasses import dataclass
from enum import StrEnum


class BadJournal(ValueError):
    """The journal cannot be used and needs a person; the message names the file."""


class BadDocument(ValueError):
    """A document cannot be imported; the message says where it is wrong."""


class Damaged(Exception):
    """The file is corrupt: its content is not what was written."""


class NoJournal(BadJournal):
    """The journal's file does not exist yet."""


class NoSuchNight(BadJournal):
    """The journal has no night of this number."""


class NewsKind(StrEnum):
    """What the journal can tell the host."""

    SET_ASIDE = "set_aside"
    IN_MEMORY = "in_memory"
    WRITTEN_AGAIN = "written_again"
    UNREADABLE = "unreadable"


class DiskFault(StrEnum):
    """Why something could not be read or written."""

    FULL = "the disk is full"
    READ_ONLY = "the disk is read-only"
    BUSY = "another program is writing in it"
    FAILING = "the disk does not answer"
    DAMAGED = "the file is damaged"


@dataclass(frozen=True, slots=True)
class News:
    """Something about the journal that the host should be told once."""

    kind: NewsKind
    text: str
    """One sentence in English."""
    fault: DiskFault | None = None
    """Why nothing can be written, if the kind is IN_MEMORY."""


_SQLITE_FAULTS = {
    sqlite3.SQLITE_FULL: DiskFault.FULL,
    sqlite3.SQLITE_READONLY: DiskFault.READ_ONLY,
    sqlite3.SQLITE_PERM: DiskFault.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: DiskFault.FAILING,
    sqlite3.SQLITE_IOERR: DiskFault.FAILING,
    sqlite3.SQLITE_PROTOCOL: DiskFault.FAILING,
    sqlite3.SQLITE_BUSY: DiskFault.BUSY,
    sqlite3.SQLITE_LOCKED: DiskFault.BUSY,
    sqlite3.SQLITE_CORRUPT: DiskFault.DAMAGED,
    sqlite3.SQLITE_NOTADB: DiskFault.DAMAGED,
    # Our SQL is constant, so an error in it means that the tables are not those we created.
    sqlite3.SQLITE_ERROR: DiskFault.DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: DiskFault.DAMAGED,
    sqlite3.SQLITE_MISMATCH: DiskFault.DAMAGED,
    sqlite3.SQLITE_TOOBIG: DiskFault.DAMAGED,
    sqlite3.SQLITE_FORMAT: DiskFault.DAMAGED,
}
_OS_FAULTS = {errno.ENOSPC: DiskFault.FULL, errno.EDQUOT: DiskFault.FULL, errno.EFBIG: DiskFault.FULL} | dict.fromkeys(
    (errno.EROFS, errno.EACCES, errno.EPERM), DiskFault.READ_ONLY
)


def fault_of(error: Exception) -> DiskFault:
    """Return the fault behind *error*, or raise *error* again where it is not a fault of the disk."""
    match error:
        case Damaged():
            return DiskFault.DAMAGED
        case OSError():
            return _OS_FAULTS.get(error.errno or 0, DiskFault.FAILING)
        case sqlite3.Error():
            # The lowest byte is the primary result code; the bytes above it make it an extended one.
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code in _SQLITE_FAULTS:
                return _SQLITE_FAULTS[code]
    raise error
