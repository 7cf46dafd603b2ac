"""The script of an evening, with the owner's lines, names and story."""

from collections.abc import Mapping
from pathlib import Path

from seance.narration.script import Script, Tone
from seance.rules import Edition, Psychic
from seance.settings import Settings


def load_evening_script(chosen: Settings, *, editions: Mapping[str, Edition], names: Mapping[str, str]) -> Script:
    """Return the script that the settings *chosen* ask for, with the owner's *names* of psychics by colour."""
    telling = chosen.telling
    return Script.load(
        chosen.language,
        Path(telling.lines).expanduser() if telling.lines else None,
        names={Psychic(colour): name for colour, name in names.items()},
        editions=editions,
        lore=telling.lore,
        tone=Tone(telling.tone),
    )
