"""Exported nights can be imported, and documents that are no nights are refused."""

import json

import pytest

from seance.journal import BadDocument, Journal, JournalReader, export_document, import_document
from tests.journal.recording import bot_night, recorded_nights, write_journal

NIGHTS = recorded_nights()


def read(path, number=1):
    with JournalReader.open(path) as file:
        return file.night(number)


@pytest.mark.parametrize("steps", NIGHTS.values(), ids=NIGHTS)
def test_a_night_that_was_exported_is_imported_as_it_was(steps, tmp_path):
    write_journal(tmp_path / "here.sqlite", steps)
    night = read(tmp_path / "here.sqlite")
    with Journal.open(tmp_path / "there.sqlite") as there:
        assert there.import_night(import_document(export_document(night))) == 1
    brought = read(tmp_path / "there.sqlite")
    assert brought.imported
    assert (brought.entries, brought.edition, brought.begun) == (night.entries, night.edition, night.begun)
    assert export_document(brought) == export_document(night)


def test_a_night_is_imported_once(tmp_path):
    write_journal(tmp_path / "here.sqlite", bot_night())
    with Journal.open(tmp_path / "here.sqlite") as here, pytest.raises(BadDocument, match="here already, as night 1"):
        here.import_night(import_document(export_document(read(tmp_path / "here.sqlite"))))


def test_an_imported_night_is_not_gone_on_with(tmp_path):
    write_journal(tmp_path / "here.sqlite", bot_night()[:20])
    with Journal.open(tmp_path / "there.sqlite") as there:
        there.import_night(import_document(export_document(read(tmp_path / "here.sqlite"))))
        assert there.unfinished() is None


def _without_a_step(night):
    del night["entries"][20]


def _another_card(night):
    begun = night["entries"][0]["events"][0]
    begun["table"]["character"][0] += 1


def _unknown_command(night):
    night["entries"][4]["command"] = {"command": "dance"}


def _unknown_event(night):
    night["entries"][4]["events"][0]["event"] = "rain_fell"


def _no_cards(night):
    night["edition"]["decks"] = {}


MISTAKES = {
    "another format": (lambda night: night.update(format="chess 1"), "format"),
    "no uid": (lambda night: night.pop("uid"), "uid"),
    "a word for a time": (lambda night: night["entries"][3].update(played="long"), r"entries\[3\]\.played"),
    "a field too many": (lambda night: night.update(winner="me"), "winner"),
    "no entries": (lambda night: night.update(entries=[]), "no entries"),
    "a missing step": (_without_a_step, "step"),
    "another card on the table": (_another_card, "step 1: by the rules something else follows"),
    "an edition without cards": (_no_cards, "edition 'libellud': level 'easy' has 4 cards"),
    "an unknown command": (_unknown_command, "step 5: no command is called 'dance'"),
    "an unknown event": (_unknown_event, "step 5: no event is called 'rain_fell'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_document_with_a_mistake_is_refused_by_name(mistake, tmp_path):
    write_journal(tmp_path / "here.sqlite", bot_night())
    night = json.loads(export_document(read(tmp_path / "here.sqlite")))
    spoil, complaint = MISTAKES[mistake]
    spoil(night)
    with pytest.raises(BadDocument, match=complaint):
        import_document(json.dumps(night).encode())


@pytest.mark.parametrize("text", [b"", b"night", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_document_is_refused(text):
    with pytest.raises(BadDocument, match="not a night"):
        import_document(text)
