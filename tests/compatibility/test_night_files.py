"""Night files that an earlier version has written are listed, told and gone on with."""

import json
import shutil
from pathlib import Path

import pytest

from seance.journal import Journal, JournalReader
from seance.rules import Psychic
from tests.compatibility.files import FOLDER, called, lost, told
from tests.daemon.evenings import table

FILES = FOLDER / "journal"
"""Nights 1 and 17 of the finished ones, the second imported, and the one with running sand, a step further."""


@pytest.fixture
def folder(home) -> Path:
    return shutil.copytree(FILES, home / "data" / "seance" / "nights")


def test_every_file_is_whole(folder):
    with JournalReader.open(folder) as reader:
        summaries, complaints = reader.examine()
    assert ([summary.steps for summary in summaries][-1], complaints) == (11, [])


@pytest.mark.usefixtures("folder")
def test_all_nights_are_listed():
    listed = json.loads(called("nights", "list", "--json"))
    before = json.loads(told("list.json"))
    assert listed[:2] == [before[0], before[16] | {"night": 2}]
    assert [night["imported"] for night in listed] == [False, True, False]


@pytest.mark.usefixtures("folder")
def test_a_night_is_told_again():
    assert called("replay", 1, "--seat", "ghost") == told("replay-01-ghost.txt")


def test_a_night_goes_on_with_its_seat_and_what_it_has_told(folder):
    evening = table(folder.parent)
    kept = [json.loads(line[9:]) for line in (FILES / "0003.night").read_bytes().splitlines()]
    notes = [record["notes"]["evening"] for record in kept if "notes" in record][-1]
    assert evening.state.search(Psychic.YELLOW).intuition == 1
    with JournalReader.open(folder) as reader:
        restored = reader.night(3).notes["evening"]
    assert not [*lost(notes["chair"], restored["chair"])]
    assert restored["told"]["seed"] == notes["told"]["seed"]


def test_reading_and_opening_change_no_file(folder):
    before = {path.name: path.read_bytes() for path in FILES.iterdir()}
    with Journal.open(folder) as journal:
        assert (journal.unfinished().number, journal.news()) == (3, ())
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
