"""Exceptions of the journal, faults of the disk, and the news that the host is told."""

import errno
from dataclasses import dataclass
from enum import StrEnum


class BadJournal(ValueError):
    """The journal cannot be used and needs a person; the message names the file."""


class BadDocument(ValueError):
    """A document cannot be imported; the message says where it is wrong."""


class NoJournal(BadJournal):
    """There is no journal at the path yet."""


class NoSuchNight(BadJournal):
    """The journal has no night of this number."""


class Damaged(BadJournal):
    """The bytes of a night, or of a whole file, are not those that were written."""


class OtherVersion(BadJournal):
    """A night is intact, but has something in it that this version does not know."""


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
    FAILING = "the disk does not answer"


@dataclass(frozen=True, slots=True)
class News:
    """Something about the journal that the host should be told once."""

    kind: NewsKind
    text: str
    """One sentence in English."""
    fault: DiskFault | None = None
    """Why nothing can be written, if the kind is IN_MEMORY."""


_FAULTS = {errno.ENOSPC: DiskFault.FULL, errno.EDQUOT: DiskFault.FULL} | dict.fromkeys(
    (errno.EROFS, errno.EACCES, errno.EPERM), DiskFault.READ_ONLY
)


def fault_of(error: OSError) -> DiskFault:
    """Return the fault behind *error*."""
    return _FAULTS.get(error.errno or 0, DiskFault.FAILING)
