"""The folder of a journal while it is written: locked, with old nights taken over and the last one mended."""

import errno
import fcntl
import logging
import os
from contextlib import suppress
from pathlib import Path

from seance.journal.disk import file_identity, make_folder_durably, remove_temporary_files
from seance.journal.errors import BadJournal, Damaged, OtherVersion
from seance.journal.folder import NightFolder, database_of, folder_of
from seance.journal.take_over import take_over

log = logging.getLogger(__name__)


class LockedFolder:
    """Makes the folder of a journal ready for writing, and holds its lock."""

    def __init__(self, path: Path) -> None:
        """Stand for the folder of the journal that the settings call *path*, which need not exist."""
        self.nights = NightFolder(folder_of(path))
        self._path = path
        self._lock: int | None = None
        """The open folder, locked against other processes."""
        self._is_ready = False

    @property
    def is_ready(self) -> bool:
        """Return whether the folder is prepared, and still the one that is locked."""
        return self._is_ready and self._is_locked()

    def prepare(self, stamp: str) -> list[str]:
        """Make, lock and mend the folder, and return what was damaged, each as a sentence.

        Damaged files are renamed with *stamp*. Raise OSError, or BadJournal where a person has to decide.
        """
        if self.is_ready:
            return []
        self._is_ready = False
        folder = self.nights.path
        if not self._is_locked():
            self.release()
            make_folder_durably(folder)
            self._take_lock()
        if not os.access(folder, os.W_OK, effective_ids=True):
            raise OSError(errno.EROFS, f"{folder} cannot be written")
        remove_temporary_files(folder)
        database = database_of(self._path)
        lost = None if database is None else take_over(database, self.nights, stamp)
        complaints = [complaint for complaint in (lost, self._mend_last_night(stamp)) if complaint is not None]
        self._is_ready = True
        return complaints

    def release(self) -> None:
        """Let other processes write."""
        if self._lock is not None:
            with suppress(OSError):
                os.close(self._lock)
            self._lock = None
        self._is_ready = False

    def _mend_last_night(self, stamp: str) -> str | None:
        """Drop a line of the last night that was cut off, or set its damaged file aside; return what is lost."""
        number = self.nights.last_number()
        if number is None:
            return None
        try:
            found = self.nights.load(number)
        except OtherVersion:
            return None
        except Damaged as error:
            return _complain(str(error), self.nights.set_aside(number, stamp))
        loss = found.night.loss
        if loss is None and not found.torn:
            return None
        if loss is not None and not found.night.entries:
            return _complain(loss, self.nights.set_aside(number, stamp))
        aside = self.nights.write(found.night.numbered(number), stamp)
        return None if loss is None else _complain(loss, aside)

    def _is_locked(self) -> bool:
        """Return whether the folder at the path is still the one that is locked."""
        if self._lock is None:
            return False
        found = os.fstat(self._lock)
        return (found.st_dev, found.st_ino) == file_identity(self.nights.path)

    def _take_lock(self) -> None:
        """Lock the folder itself, whatever name another process has for it; or raise BadJournal."""
        folder = self.nights.path
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise BadJournal(f"{folder}: another séance is writing in this journal: end it first") from None
        except OSError as error:
            log.warning("%s cannot be locked: %s", folder, error)
        self._lock = lock


def _complain(loss: str, aside: Path | None) -> str:
    where = "" if aside is None else f"; its file is set aside as {aside.name}, and what is sound is kept"
    return f"{loss[:1].upper()}{loss[1:]}{where}."
