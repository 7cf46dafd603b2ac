"""Takes over the nights of an SQLite journal of an earlier version into a folder of night files."""

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from seance.journal.disk import rename_with_companions, unused_name
from seance.journal.errors import BadJournal, Damaged
from seance.journal.folder import NightFolder
from seance.journal.sqlite_file import COMPANIONS, read_database
from seance.journal.stored_night import FoundNights

log = logging.getLogger(__name__)


def take_over(database: Path, folder: NightFolder, stamp: str) -> str | None:
    """Copy the nights in *database* that are not in *folder*, rename it, and return what was lost, as a sentence.

    Interrupted anywhere, it can be done again: a night that is there already is not copied twice, and the database is
    renamed last. Raise OSError where something cannot be written, BadJournal if the database is not ours.
    """
    with _old_lock(database):
        try:
            found = read_database(database)
        except Damaged as error:
            found = FoundNights((), (str(error),))
        added = list(folder.additions(found.nights))
        for night in added:
            folder.write(night, stamp)
        label = f"damaged-{stamp}" if found.losses else "taken-over"
        aside = unused_name(database, label, COMPANIONS)
        rename_with_companions(database, aside, COMPANIONS)
    log.info("%d nights of %s were taken over into %s", len(added), database, folder.path)
    if not found.losses:
        return None
    count = f"{len(found.nights)} night{'' if len(found.nights) == 1 else 's'}"
    lost = "; ".join(found.losses)
    return f"The journal was damaged and is set aside as {aside.name}; {count} could be read. Lost: {lost}."


@contextmanager
def _old_lock(database: Path) -> Iterator[None]:
    """Hold the lock of an earlier version, and remove it afterwards; or raise BadJournal while that is running."""
    path = database.with_name(f"{database.name}.lock")
    try:
        lock = os.open(path, os.O_RDONLY)
    except OSError:
        yield
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
        with suppress(OSError):
            path.unlink()
    except BlockingIOError:
        raise BadJournal(f"{database}: another séance is writing in this journal: end it first") from None
    finally:
        os.close(lock)
