"""What is sound in files that were set aside goes back into the journal; a backup has every night."""

import shutil
from pathlib import Path

import pytest

from seance.journal import BadJournal, Journal, JournalReader, back_up, find_nights
from tests.journal.recording import append_steps, begin_night, bot_night, write_journal
from tests.journal.sqlite_writer import write_database

NIGHTS = [bot_night(1), bot_night(2), bot_night(3)[:60]]


@pytest.fixture
def journal(tmp_path) -> Path:
    for steps in NIGHTS:
        write_journal(tmp_path / "nights", steps)
    return tmp_path / "nights"


def states(path: Path):
    with JournalReader.open(path) as reader:
        return {number: reader.night(number).state for number in reader.numbers()}


def recover(path: Path, *files: Path):
    with Journal.open(path) as journal:
        return [journal.recover(find_nights(file).nights) for file in files]


ALL = {number: steps[-1][1] for number, steps in enumerate(NIGHTS, start=1)}


def test_a_file_that_was_set_aside_brings_its_night_back(journal, tmp_path):
    shutil.move(journal / "0002.night", tmp_path / "0002.damaged-then.night")
    assert list(states(journal)) == [1, 3]
    ((number,),) = [each.values() for each in recover(journal, tmp_path / "0002.damaged-then.night")]
    assert (number, states(journal)) == (2, ALL)


def test_of_a_damaged_file_all_before_the_damage_is_brought(journal, tmp_path):
    aside = shutil.move(journal / "0002.night", tmp_path / "aside.night")
    aside.write_bytes(aside.read_bytes().replace(b'"step":42,', b'"step":43,'))
    found = find_nights(aside)
    assert [loss.endswith(" is damaged after step 41") for loss in found.losses] == [True]
    recover(journal, aside)
    assert states(journal)[2] == NIGHTS[1][40][1]


def test_what_is_here_and_longer_stays(journal, tmp_path):
    shutil.copytree(journal, tmp_path / "copy")
    file = tmp_path / "copy" / "0003.night"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:20]))
    assert recover(journal, tmp_path / "copy") == [{}]
    assert states(journal) == ALL


def test_what_is_here_and_shorter_is_replaced_and_kept_if_it_went_another_way(journal, tmp_path):
    shutil.copytree(journal, tmp_path / "copy")
    file = journal / "0003.night"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:20]))
    recover(journal, tmp_path / "copy" / "0003.night")
    assert (states(journal), len(list(journal.iterdir()))) == (ALL, 3)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:20]))
    with Journal.open(journal) as other:
        night = other.unfinished()
        command, events = night.entries[-1].command, night.entries[-1].events
        other.append(night.uid, command, events, seat=command.seats[0])  # another step 20
    recover(journal, tmp_path / "copy" / "0003.night")
    assert states(journal) == ALL
    assert len(list(journal.glob("0003.replaced-*.night"))) == 1


def test_a_night_whose_number_is_taken_gets_another(journal, tmp_path):
    write_journal(tmp_path / "another", bot_night(7))
    assert [list(each.values()) for each in recover(journal, tmp_path / "another" / "0001.night")] == [[4]]
    assert states(journal) == ALL | {4: bot_night(7)[-1][1]}


def test_an_sqlite_journal_is_recovered(journal, tmp_path):
    aside = write_database(tmp_path / "nights.damaged-then.sqlite", [bot_night(8)])
    recover(journal, aside)
    assert states(journal) == ALL | {4: bot_night(8)[-1][1]}
    assert aside.exists()


@pytest.mark.parametrize("content", [b"", b"{}", b"\0" * 9000, b"SQLite format 3\0 and nothing else"])
def test_where_nothing_is_sound_that_is_said(content, tmp_path):
    (tmp_path / "0007.night").write_bytes(content)
    found = find_nights(tmp_path / "0007.night")
    assert (found.nights, len(found.losses)) == ((), 1)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadJournal, match=r"nowhere\.night: cannot be read"):
        find_nights(tmp_path / "nowhere.night")


# Backups


def backup(journal: Path, folder: Path):
    with JournalReader.open(journal) as reader:
        return back_up(reader, folder)


def test_a_backup_has_every_night_and_can_be_restored(journal, tmp_path):
    assert backup(journal, tmp_path / "stick").written == ("0001.night", "0002.night", "0003.night")
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "stick").iterdir()} == {0o600}
    shutil.rmtree(journal)
    recover(journal, tmp_path / "stick")
    assert states(journal) == ALL
    assert Journal.open(journal).unfinished().state == ALL[3]


def test_a_second_backup_writes_only_what_is_new(journal, tmp_path):
    backup(journal, tmp_path / "stick")
    with Journal.open(journal) as more:
        append_steps(more, more.unfinished().uid, bot_night(3)[60:])
        append_steps(more, begin_night(more, bot_night(4)), bot_night(4))
    found = backup(journal, tmp_path / "stick")
    assert (found.written, found.unchanged) == (("0003.night", "0004.night"), ("0001.night", "0002.night"))
    assert states(tmp_path / "stick") == states(journal)


def test_a_backup_overwrites_no_other_night_and_none_that_has_more(journal, tmp_path):
    write_journal(tmp_path / "stick", bot_night(9))
    other = (tmp_path / "stick" / "0001.night").read_bytes()
    shutil.copy(journal / "0003.night", tmp_path / "stick")
    file = journal / "0003.night"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:20]))
    found = backup(journal, tmp_path / "stick")
    assert (found.written, found.refused) == (("0002.night",), ("0001.night", "0003.night"))
    assert (tmp_path / "stick" / "0001.night").read_bytes() == other
    assert states(tmp_path / "stick")[3] == ALL[3]


def test_a_backup_has_damaged_files_as_they_are(journal, tmp_path):
    file = journal / "0001.night"
    file.write_bytes(file.read_bytes()[:5000] + bytes(100) + file.read_bytes()[5100:])
    shutil.copy(file, journal / "0009.damaged-then.night")
    backup(journal, tmp_path / "stick")
    assert (tmp_path / "stick" / "0001.night").read_bytes() == file.read_bytes()
    assert (tmp_path / "stick" / "0009.damaged-then.night").read_bytes() == file.read_bytes()


def test_a_journal_that_is_still_an_sqlite_file_is_backed_up(tmp_path):
    write_database(tmp_path / "nights.sqlite", NIGHTS)
    backup(tmp_path / "nights.sqlite", tmp_path / "stick")
    assert states(tmp_path / "stick") == ALL
    assert not (tmp_path / "nights").exists()
