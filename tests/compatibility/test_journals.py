"""Nights that were written down by an earlier version are listed, told, exported and imported as they were."""

import json
from pathlib import Path
from typing import Any

import pytest

from seance.journal import Journal
from tests.compatibility.files import EXPORTS, UNFINISHED, called, journal, lost, rows, told, without_seat

EACH_NIGHT = pytest.mark.parametrize("number", range(1, len(EXPORTS) + 1))
EACH_EXPORT = pytest.mark.parametrize("export", EXPORTS, ids=lambda path: path.stem)


def document(export: Path) -> Any:
    """Return an exported night, without what is no longer given away."""
    night = json.loads(export.read_bytes())
    return night | {"notes": without_seat(night["notes"])}


@pytest.mark.usefixtures("nights")
def test_all_nights_are_listed():
    assert called("nights", "list") == told("list.txt")


@pytest.mark.usefixtures("nights")
def test_all_nights_are_listed_for_programs():
    assert called("nights", "list", "--json") == told("list.json")


@EACH_NIGHT
@pytest.mark.parametrize("seat", ["room", "ghost"])
@pytest.mark.usefixtures("nights")
def test_a_night_is_told_again(number, seat):
    assert called("replay", number, "--seat", seat) == told(f"replay-{number:02}-{seat}.txt")


@pytest.mark.parametrize("name", UNFINISHED)
def test_an_unfinished_night_is_told_as_far_as_it_went(name, home):
    journal(name, home / "data" / "seance" / "nights.sqlite")
    assert called("replay", "last") == told(f"replay-{name}.txt")


@EACH_NIGHT
@pytest.mark.usefixtures("nights")
def test_a_night_has_its_chronicle(number, home):
    called("chronicle", number, "--out", home)
    assert (home / f"night-{number}.md").read_bytes() == told(f"chronicle-{number:02}.md")


@EACH_EXPORT
@pytest.mark.usefixtures("nights")
def test_a_night_is_exported_with_all_that_it_had(export):
    number = EXPORTS.index(export) + 1
    assert not [*lost(document(export), json.loads(called("nights", "export", number)))]


@EACH_NIGHT
def test_all_that_the_journal_has_of_a_night_is_read(number, nights):
    ((head,),) = rows(nights, f"SELECT head FROM nights WHERE number = {number}")
    notes = rows(nights, f"SELECT key, value FROM notes WHERE night = {number}")
    entries = rows(nights, f"SELECT seat, at, played, command, events FROM entries WHERE night = {number}")
    stored = json.loads(head) | {"notes": without_seat({key: json.loads(value) for key, value in notes})} | {
        "entries": [
            {"seat": seat, "at": at, "played": played, "command": json.loads(command), "events": json.loads(events)}
            for seat, at, played, command, events in entries
        ]
    }  # fmt: skip
    assert not [*lost(stored, json.loads(called("nights", "export", number)))]


@EACH_EXPORT
def test_an_exported_night_is_imported_with_all_that_it_had(export):
    assert called("nights", "import", export) == f"{export} is night 1\n".encode()
    assert not [*lost(document(export), json.loads(called("nights", "export", 1)))]


def test_a_journal_is_written_on_with_all_its_nights(nights):
    number = len(EXPORTS)
    assert rows(nights, f"SELECT imported FROM nights WHERE number = {number}") == [(1,)]
    exported = called("nights", "export", number - 1)
    document = nights.parent / "another.json"
    document.write_bytes(exported.replace(json.loads(exported)["uid"].encode(), b"0123456789abcdef"))
    assert called("nights", "import", document) == f"{document} is night {number + 1}\n".encode()
    listed = json.loads(called("nights", "list", "--json"))
    assert listed[:number] == json.loads(told("list.json"))
    assert len(listed) == number + 1


@EACH_NIGHT
def test_all_that_the_journal_has_of_a_night_is_taken_over(number, nights):
    """Also the ghost's seat and its key."""
    ((uid, head),) = rows(nights, f"SELECT uid, head FROM nights WHERE number = {number}")
    notes = rows(nights, f"SELECT key, value FROM notes WHERE night = {number}")
    entries = rows(nights, f"SELECT step, seat, at, played, command, events FROM entries WHERE night = {number}")
    with Journal.open(nights) as journal:
        assert journal.news() == ()
    (file,) = (nights.parent / "nights").glob(f"{number:04}.*night")
    first, *records = [json.loads(line[9:]) for line in file.read_bytes().splitlines()]
    assert (first["uid"], first["number"]) == (uid, number)
    assert not [*lost(json.loads(head), first)]
    if notes:
        assert records.pop() == {"notes": {key: json.loads(value) for key, value in notes}}
    assert records == [
        {
            "step": step, "at": at, "played": played, "seat": seat,
            "command": json.loads(command), "events": json.loads(events),
        }
        for step, seat, at, played, command, events in entries
    ]  # fmt: skip


@pytest.mark.parametrize("words", ["list", "replay", "chronicle"])
def test_after_it_was_taken_over_all_is_told_as_before(words, nights, home):
    Journal.open(nights).close()
    assert nights.with_name("nights.taken-over.sqlite").exists()
    if words == "list":
        assert called("nights", "list") == told("list.txt")
    for number in range(1, len(EXPORTS) + 1):
        if words == "replay":
            assert called("replay", number, "--seat", "ghost") == told(f"replay-{number:02}-ghost.txt")
        if words == "chronicle":
            called("chronicle", number, "--out", home)
            assert (home / f"night-{number}.md").read_bytes() == told(f"chronicle-{number:02}.md")
