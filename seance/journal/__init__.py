"""The journal: every event on disk before anything is said aloud; resume, replay, export and import."""

from seance.journal.database import NightsFile, Summary
from seance.journal.errors import BadDocument, BadJournal, Damaged, Kind, News, NoJournal, NoSuchNight
from seance.journal.export import document, from_document
from seance.journal.fresh_deals import freshest
from seance.journal.journal import Journal
from seance.journal.recorded_night import Entry, Night

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
