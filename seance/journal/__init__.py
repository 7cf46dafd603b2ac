"""The journal of nights in SQLite: every event is on disk before anything is said aloud; resume, export and import."""

from seance.journal.database import NightDatabase, NightSummary
from seance.journal.errors import BadDocument, BadJournal, Damaged, News, NewsKind, NoJournal, NoSuchNight
from seance.journal.export import export_document, import_document
from seance.journal.fresh_deals import choose_fresh_deal
from seance.journal.journal import Journal
from seance.journal.recorded_night import Entry, Night

__all__ = [
    "BadDocument",
    "BadJournal",
    "Damaged",
    "Entry",
    "Journal",
    "News",
    "NewsKind",
    "Night",
    "NightDatabase",
    "NightSummary",
    "NoJournal",
    "NoSuchNight",
    "choose_fresh_deal",
    "export_document",
    "import_document",
]
