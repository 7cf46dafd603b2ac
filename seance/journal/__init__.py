"""The journal: every event on disk before anything is said aloud; resume, replay, export and import."""

from seance.journal.documents import document, from_document
from seance.journal.file import NightsFile, Summary
from seance.journal.journal import Journal
from seance.journal.night import Entry, Night
from seance.journal.seen import freshest
from seance.journal.troubles import BadDocument, BadJournal, Damaged, Kind, News, NoJournal, NoSuchNight

__all__ = [
    "BadDocument",
    "BadJournal",
    "Damaged",
    "Entry",
    "Journal",
    "Kind",
    "News",
    "Night",
    "NightsFile",
    "NoJournal",
    "NoSuchNight",
    "Summary",
    "document",
    "freshest",
    "from_document",
]
