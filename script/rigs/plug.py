"""The plug pulled, again and again, from a machine in the middle of an hour; its disk is then read from outside."""

import json
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from chores import ROOT
from guest import Guest, Parts, read_back
from page import Page, State
from report import Broken, Report, insist

sys.path.insert(0, str(ROOT))

from seance.codec import encode, view_fields
from seance.journal import Journal
from seance.rules import Seat, view

LONGEST = 12.0
"""Seconds until the plug is pulled, at most."""


def check(report: Report, parts: Parts, room: Path, *, times: int) -> None:
    """Wake the machine that sleeps in *room* and pull its plug, *times* over."""
    chance = random.Random()
    for number in range(1, times + 1):
        seconds = chance.uniform(0.2, LONGEST)
        fact = f"plug {number} of {times}: the journal opens, and nothing that was acknowledged is lost"
        with report.check(fact) as told, tempfile.TemporaryDirectory(dir=room) as folder:
            shown = _play_and_cut(parts, room, Path(folder), seconds, chance)
            told.append(f"cut after {seconds:.1f} s and {len(shown)} states")
            written = _written(Path(folder))
            told.append(f"{len(written)} steps on the disk")
            for state in shown:
                insist(state in written, f"this was shown, and is not on the disk: {state['psychics']}")


def _play_and_cut(parts: Parts, room: Path, folder: Path, seconds: float, chance: random.Random) -> list[State]:
    """Return every night that a guest was shown, as long as the plug was in."""
    nights = folder / "nights.qcow2"
    shutil.copy(room / "nights-asleep.qcow2", nights)
    with Guest(parts, folder / "machine", nights, asleep=room / "asleep") as machine:
        page = Page(machine.port)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            one = chance.choice(page.night["psychics"])
            place = chance.choice(("first", "second", "third", "fourth"))
            page.say(f"{one['colour']} chooses the {place} {one['searching']}")
            # The page lets nobody say more than two things a second for long.
            time.sleep(min(left, chance.uniform(0.1, 0.9)))
        page.close()
        shown = [state["night"] for state in page.states if state["night"]]
        machine.unplug()
    return shown


def _written(folder: Path) -> list[State]:
    """Return the night on a disk after each of its steps, as the table saw it."""
    there = folder / "there"
    there.mkdir()
    read_back(folder / "nights.qcow2", there)
    try:
        with Journal.open(there / "nights.sqlite") as journal:
            night = journal.unfinished()
            damaged = list(journal.news())
    except (OSError, ValueError) as why:
        raise Broken(f"the journal does not open: {why}") from why
    insist(not damaged, f"the journal was damaged: {damaged}")
    if night is None:
        raise Broken("the night is gone")
    return [json.loads(encode({"night": view_fields(view(state, Seat.ROOM))}))["night"] for _, state in night.states()]
