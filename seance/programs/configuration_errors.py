"""Errors in the files that the settings name, explained with the line of the settings that names them."""

from collections.abc import Mapping
from pathlib import Path

from hardware.board import BadBoard
from seance import settings
from seance.dialogue.grammar.sentences import BadNames
from seance.journal import BadJournal
from seance.narration.lore import BadLore
from seance.narration.script import BadScript
from seance.text_files import BadTextFile

_SETTINGS: Mapping[type[ValueError], str] = {
    BadBoard: "body.board",
    BadNames: "hearing.names",
    BadLore: "telling.lore",
    BadScript: "telling.lines",
    BadJournal: "journal.path",
}
"""The setting that names the file of which each error complains; the first that fits."""


def configuration_error(error: Exception, config: Path | None, *, board: str | None = None) -> str | None:
    """Return the message of an error in a file of the owner, with the line of the settings that names the file.

    None for any other error. *config* is the settings file, and *board* the board that was asked for in its place.
    """
    if not isinstance(error, BadTextFile | BadJournal):
        return None
    key = next((key for kind, key in _SETTINGS.items() if isinstance(error, kind)), None)
    where = None if key is None or (board and key == "body.board") else settings.locate(key, config)
    return f"{where}: {error}" if where else str(error)
