"""Lookups for the pages: the last finished night, and the doctor's findings."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from seance import settings as s
from seance.journal import BadJournal, JournalReader, Night
from seance.web.callbacks import Lookups


def page_lookups(chosen: s.Settings) -> Lookups:
    """Return the lookups for the settings *chosen*; each opens its files itself and may run on any thread."""
    return Lookups(
        chronicle=lambda: chronicle(chosen),
        replay=lambda: replay(chosen),
        checks=lambda: checks(chosen),
    )


def chronicle(chosen: s.Settings) -> str | None:
    """Return the chronicle of the last finished night as an HTML page; None without one."""
    # Here, not above: the start must not wait for what may never be looked up.
    from seance.chronicle.words import ChronicleWords
    from seance.programs.chronicle import page_of
    from seance.programs.owner_settings import changed_names

    night = last_finished_night(chosen)
    return (
        None
        if night is None
        else page_of(night, ChronicleWords.load(chosen.language, changed_names(chosen) | dict(night.names)))
    )


def replay(chosen: s.Settings) -> Mapping[str, Any] | None:
    """Return the last finished night step by step, each with its lines and the room's view; None without one."""
    from seance.daemon.page_publisher import edition_info
    from seance.narration.cues import Say
    from seance.narration.script import Memory, Script
    from seance.narration.staging import NarrationStyle, Opening, Pace, stage_events
    from seance.rules import RoomView, Seat, heard, room_view
    from seance.web.page_json import edition_fields

    night = last_finished_night(chosen)
    if night is None:
        return None
    stage = NarrationStyle(
        script=Script.load(chosen.language), pace=Pace.BRISK, opening=Opening.SKIPPED, first_night=False
    )
    steps, memory, before, edition = [], Memory(), None, {}
    for entry, state in night.states():
        room: RoomView = room_view(state)
        staged = stage_events(stage, memory, heard(entry.events, Seat.ROOM), before, room)
        told = " ".join(cue.text for cue in staged.cues if isinstance(cue, Say))
        steps.append({"hour": room.hour, "told": told, "view": room})
        memory, before = staged.memory, room
        edition = edition_fields(edition_info(state.setup.edition, state))
    return {**edition, "steps": steps}


def checks(chosen: s.Settings) -> list[dict[str, str]]:
    """Return the doctor's findings, without checks that would disturb a running evening."""
    from seance.doctor import as_rows, run_checks
    from seance.programs.doctor import doctor_settings

    return as_rows(run_checks(doctor_settings(chosen), in_use=True, aloud=False))


def last_finished_night(chosen: s.Settings) -> Night | None:
    """Return the last night that has ended and was told to the room; None without one or a readable journal."""
    from seance.daemon.snapshot import is_told

    with suppress(BadJournal), JournalReader.open(s.journal_path(chosen)) as reader:
        for number in reversed(reader.numbers()):
            with suppress(BadJournal):  # a night that cannot be read hides no other
                if reader.summary(number).outcome is not None and is_told(night := reader.night(number)):
                    return night
    return None
