"""The journal, a file for each night: every event is on disk before anything is said; resume, export, recover."""

from seance.journal.errors import BadDocument, BadJournal, Damaged, News, NewsKind, NoJournal, NoSuchNight, OtherVersion
from seance.journal.export import export_document, import_document
from seance.journal.folder import folder_of
from seance.journal.fresh_deals import choose_fresh_deal
from seance.journal.journal import Journal
from seance.journal.reader import JournalReader
from seance.journal.recorded_night import Entry, Night
from seance.journal.recovery import Backup, back_up, find_nights
from seance.journal.stored_night import FoundNights, NightSummary

__all__ = [
    "Backup",
    "BadDocument",
    "BadJournal",
    "Damaged",
    "Entry",
    "FoundNights",
    "Journal",
    "JournalReader",
    "News",
    "NewsKind",
    "Night",
    "NightSummary",
    "NoJournal",
    "NoSuchNight",
    "OtherVersion",
    "back_up",
    "choose_fresh_deal",
    "export_document",
    "find_nights",
    "folder_of",
    "import_document",
]
