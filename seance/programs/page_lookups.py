"""What the pages look up beside the night that is played: the last one that is over, and whether all is well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seance import settings as s
from seance.codec import NotACommand, NotAnEvent
from seance.journal import BadJournal, Night, NightDatabase
from seance.web.callbacks import Lookups


def lookups(chosen: s.Settings) -> Lookups:
    """Return what the pages of the house that is *chosen* so look up; each reads for itself, on any thread."""
    return Lookups(
        chronicle=lambda: chronicle(chosen),
        replay=lambda: replay(chosen),
        checks=lambda: checks(chosen),
    )


def chronicle(chosen: s.Settings) -> str | None:
    """Return the story of the last night that is over, as a page; None without one."""
    # Here, not above: the house must not wait for what may never be asked for.
    from seance.chronicle.words import ChronicleWords
    from seance.programs.chronicle import page_of
    from seance.programs.owner_settings import changed_names

    night = last_over(chosen)
    if night is None:
        return None
    return page_of(night, ChronicleWords.load(chosen.language, changed_names(chosen) | dict(night.names)))


def replay(chosen: s.Settings) -> Mapping[str, Any] | None:
    """Return the last night that is over, step by step: what was said of it, and what lay on the table."""
    from seance.daemon.page_state import manners_of
    from seance.narration.cues import Say
    from seance.narration.script import Memory, Script
    from seance.narration.staging import NarrationStyle, Opening, Pace, stage_events
    from seance.rules import RoomView, Seat, heard, room_view
    from seance.web.page_json import manners_fields

    night = last_over(chosen)
    if night is None:
        return None
    stage = NarrationStyle(
        script=Script.load(chosen.language), pace=Pace.BRISK, opening=Opening.SKIPPED, first_night=False
    )
    steps, memory, before, manners = [], Memory(), None, {}
    for entry, state in night.states():
        room: RoomView = room_view(state)
        staged = stage_events(stage, memory, heard(entry.events, Seat.ROOM), before, room)
        told = " ".join(cue.text for cue in staged.cues if isinstance(cue, Say))
        steps.append({"hour": room.hour, "told": told, "view": room})
        memory, before, manners = staged.memory, room, manners_fields(manners_of(state.setup.edition, state))
    return {**manners, "steps": steps}


def checks(chosen: s.Settings) -> list[dict[str, str]]:
    """Return what the doctor finds in a house that is awake."""
    from seance.doctor import as_rows, run_checks
    from seance.programs.doctor import doctor_settings

    return as_rows(run_checks(doctor_settings(chosen), in_use=True, aloud=False))


def last_over(chosen: s.Settings) -> Night | None:
    """Return the last night that is over; None without one that can be read."""
    try:
        with NightDatabase.open_for_reading(s.journal_path(chosen)) as file:
            for number in reversed(file.numbers()):
                if file.summary(number).outcome is not None:
                    return file.night(number)
    except (BadJournal, NotACommand, NotAnEvent):
        return None
    return None
