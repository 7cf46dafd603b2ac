"""What can be wrong with the disk and the file on it, as values; nothing here reads or writes."""

import errno
import sqlite3
from dataclasses import dataclass
from enum import StrEnum


class BadJournal(ValueError):
    """The file cannot be used, and only a person can say what to do; the message names it."""


class BadDocument(ValueError):
    """What was exported cannot be imported; the message says where it is wrong."""


class Damaged(Exception):
    """The file is no longer what was written."""


class NoJournal(BadJournal):
    """There is no file yet."""


class NoSuchNight(BadJournal):
    """The journal has no night of this number."""


class Kind(StrEnum):
    """What there can be to tell the host of."""

    SET_ASIDE = "set_aside"
    IN_MEMORY = "in_memory"
    WRITTEN_AGAIN = "written_again"
    UNREADABLE = "unreadable"


class Fault(StrEnum):
    """Why something could not be read or written."""

    FULL = "the disk is full"
    READ_ONLY = "the disk is read-only"
    BUSY = "another program is writing in it"
    FAILING = "the disk does not answer"
    DAMAGED = "the file is damaged"


@dataclass(frozen=True, slots=True)
class News:
    """Something about the journal that the host should be told once."""

    kind: Kind
    says: str
    """One sentence in English; a voice has its own for each kind."""
    fault: Fault | None = None
    """Why nothing can be written, where that is the news."""


_OF_SQLITE = {
    sqlite3.SQLITE_FULL: Fault.FULL,
    sqlite3.SQLITE_READONLY: Fault.READ_ONLY,
    sqlite3.SQLITE_PERM: Fault.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Fault.FAILING,
    sqlite3.SQLITE_IOERR: Fault.FAILING,
    sqlite3.SQLITE_PROTOCOL: Fault.FAILING,
    sqlite3.SQLITE_BUSY: Fault.BUSY,
    sqlite3.SQLITE_LOCKED: Fault.BUSY,
    sqlite3.SQLITE_CORRUPT: Fault.DAMAGED,
    sqlite3.SQLITE_NOTADB: Fault.DAMAGED,
    # All that is asked is constant: where it is wrong, the tables are not those that were made.
    sqlite3.SQLITE_ERROR: Fault.DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: Fault.DAMAGED,
    sqlite3.SQLITE_MISMATCH: Fault.DAMAGED,
    sqlite3.SQLITE_TOOBIG: Fault.DAMAGED,
    sqlite3.SQLITE_FORMAT: Fault.DAMAGED,
}
_OF_SYSTEM = {errno.ENOSPC: Fault.FULL, errno.EDQUOT: Fault.FULL, errno.EFBIG: Fault.FULL} | dict.fromkeys(
    (errno.EROFS, errno.EACCES, errno.EPERM), Fault.READ_ONLY
)


def fault_of(error: Exception) -> Fault:
    """Return what is wrong when *error* came up, or raise it again where it is no fault of the disk."""
    match error:
        case Damaged():
            return Fault.DAMAGED
        case OSError():
            return _OF_SYSTEM.get(error.errno or 0, Fault.FAILING)
        case sqlite3.Error():
            # The lowest byte is the kind; what is above tells variants of it apart.
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code in _OF_SQLITE:
                return _OF_SQLITE[code]
    raise error
