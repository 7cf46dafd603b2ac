"""Cuts the power of a machine in the middle of an hour, again and again, and reads its journal from the disk."""

import json
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from guest import Guest, MachineImages, read_back
from page import Page, State
from processes import ROOT
from report import CheckFailed, Report, require

sys.path.insert(0, str(ROOT))

from seance.codec import encode, view_fields
from seance.journal import Journal
from seance.rules import Seat, view

MAX_DELAY_S = 12.0
"""The longest time until the power is cut."""


def check(report: Report, parts: MachineImages, room: Path, *, times: int) -> None:
    """Restore the snapshot in *room* and cut its power, *times* over."""
    chance = random.Random()
    for number in range(1, times + 1):
        seconds = chance.uniform(0.2, MAX_DELAY_S)
        fact = f"plug {number} of {times}: the journal opens, and nothing that was acknowledged is lost"
        with report.check(fact) as details, tempfile.TemporaryDirectory(dir=room) as folder:
            shown = _play_and_cut(parts, room, Path(folder), seconds, chance)
            details.append(f"cut after {seconds:.1f} s and {len(shown)} states")
            written = _written(Path(folder))
            details.append(f"{len(written)} steps on the disk")
            for state in shown:
                require(state in written, f"this was shown, and is not on the disk: {state['psychics']}")


def _play_and_cut(parts: MachineImages, room: Path, folder: Path, seconds: float, chance: random.Random) -> list[State]:
    """Play for *seconds*, cut the power, and return every state of the night that the page was shown."""
    nights = folder / "nights.qcow2"
    shutil.copy(room / "nights-asleep.qcow2", nights)
    with Guest(parts, folder / "machine", nights, snapshot=room / "asleep") as machine:
        page = Page(machine.port)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            one = chance.choice(page.night["psychics"])
            place = chance.choice(("first", "second", "third", "fourth"))
            page.say(f"{one['colour']} chooses the {place} {one['searching']}")
            # The page limits a guest to about two sentences a second.
            time.sleep(min(left, chance.uniform(0.1, 0.9)))
        page.close()
        shown = [state["night"] for state in page.states if state["night"]]
        machine.unplug()
    return shown


def _written(folder: Path) -> list[State]:
    """Return the table's view of the night on the disk after each of its steps."""
    there = folder / "there"
    there.mkdir()
    read_back(folder / "nights.qcow2", there)
    try:
        with Journal.open(there / "nights") as journal:
            night = journal.unfinished()
            damaged = list(journal.news())
    except (OSError, ValueError) as why:
        raise CheckFailed(f"the journal does not open: {why}") from why
    require(not damaged, f"the journal was damaged: {damaged}")
    if night is None:
        raise CheckFailed("the night is gone")
    return [json.loads(encode({"night": view_fields(view(state, Seat.ROOM))}))["night"] for _, state in night.states()]
