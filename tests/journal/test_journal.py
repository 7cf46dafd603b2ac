"""Nights are read back as they were written, whenever the journal is closed and however the clock jumps."""

from dataclasses import replace

import pytest

from seance.journal import BadJournal, Journal, JournalReader, NewsKind, NoSuchNight
from seance.rules import Begin, Phase, Seat, TurnSand, apply
from tests.journal.recording import Clock, append_steps, begin_night, bot_night, recorded_nights, write_journal
from tests.nights import served

NIGHTS = recorded_nights()
EACH_NIGHT = pytest.mark.parametrize("steps", NIGHTS.values(), ids=NIGHTS)


def read(path, number=1):
    with JournalReader.open(path) as reader:
        return reader.night(number)


@EACH_NIGHT
def test_a_recorded_night_that_was_written_down_is_restored_at_each_step(steps, tmp_path):
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        night = begin_night(journal, steps)
        for count, step in enumerate(steps, start=1):
            append_steps(journal, night, [step])
            kept = read(journal.path)
            assert [(entry.command, entry.events) for entry in kept.entries[count - 1 :]] == [(step[0], step[2])]
            assert kept.state == step[1]


@EACH_NIGHT
def test_a_recorded_night_goes_on_after_every_interruption(steps, tmp_path):
    night = None
    for command, state, events in steps:
        with Journal.open(tmp_path / "nights.sqlite") as journal:
            restored = journal.unfinished()
            night = restored.uid if restored else journal.begin_night(command.edition)
            assert apply(restored.state if restored else None, command) == (state, events)
            journal.append(night, command, events, seat=command.seats[0])
    assert read(tmp_path / "nights.sqlite").state == steps[-1][1]


def test_a_night_that_has_ended_is_not_gone_on_with(tmp_path):
    write_journal(tmp_path / "nights.sqlite", bot_night())
    assert Journal.open(tmp_path / "nights.sqlite").unfinished() is None


def test_only_the_last_night_is_gone_on_with(tmp_path):
    write_journal(tmp_path / "nights.sqlite", bot_night(1)[:20])
    write_journal(tmp_path / "nights.sqlite", bot_night(2))
    assert Journal.open(tmp_path / "nights.sqlite").unfinished() is None


def test_a_night_without_entries_is_none(tmp_path):
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        begin_night(journal, bot_night())
    journal = Journal.open(tmp_path / "nights.sqlite")
    assert journal.unfinished() is None
    with JournalReader.open(journal.path) as reader:
        assert reader.numbers() == []


def test_an_empty_journal_has_nothing_to_go_on_with(tmp_path):
    journal = Journal.open(tmp_path / "house" / "nights.sqlite")
    assert (journal.unfinished(), journal.news()) == (None, ())


def test_notes_come_back_with_the_night_as_they_were_last(tmp_path):
    steps = bot_night()[:10]
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        night = begin_night(journal, steps)
        append_steps(journal, night, steps)
        journal.note(night, "sand", {"left": 83.5, "paused": True})
        journal.note(night, "said", "The sand runs.")
        journal.note(night, "sand", {"left": 41.25, "paused": False})
    restored = Journal.open(tmp_path / "nights.sqlite").unfinished()
    assert restored.notes == {"sand": {"left": 41.25, "paused": False}, "said": "The sand runs."}


def test_notes_may_be_written_in_one_step_with_an_entry(tmp_path):
    (command, _, events), *_ = bot_night()
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        night = journal.begin_night(command.edition)
        journal.append(night, command, events, seat=Seat.ROOM, notes={"conversation": ["who"]})
    assert Journal.open(tmp_path / "nights.sqlite").unfinished().notes == {"conversation": ["who"]}


def test_what_is_needed_to_go_on_comes_back(tmp_path):
    (command, _, events), *_ = bot_night()
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        night = journal.begin_night(
            command.edition, language="fr", names={"red": "Tante Rose"}, settings={"story": True, "pace": 0.8}
        )
        journal.append(night, command, events, seat=Seat.ROOM, played=3.5)
    restored = Journal.open(tmp_path / "nights.sqlite").unfinished()
    assert (restored.language, restored.names, restored.settings) == (
        "fr", {"red": "Tante Rose"}, {"story": True, "pace": 0.8},
    )  # fmt: skip
    assert restored.played == 3.5


def test_a_night_is_restored_in_the_edition_as_it_was_played(tmp_path):
    mine = replace(bot_night()[0][0].edition, sand_seconds=90)
    begin = replace(bot_night()[0][0], edition=mine)
    write_journal(tmp_path / "nights.sqlite", bot_night(begin=begin)[:1])
    state = served(Journal.open(tmp_path / "nights.sqlite").unfinished().state)
    assert apply(state, TurnSand())[1][0].seconds == 90


def test_a_clock_that_jumps_back_changes_no_order(tmp_path):
    steps, clock = bot_night()[:6], Clock()
    with Journal.open(tmp_path / "nights.sqlite", now=clock) as journal:
        night = begin_night(journal, steps)
        for played, step in enumerate(steps):
            clock.jump(days=-1000)
            journal.append(night, step[0], step[2], seat=Seat.ROOM, played=played)
    kept = read(tmp_path / "nights.sqlite")
    assert kept.state == steps[-1][1]
    assert [entry.played for entry in kept.entries] == [0, 1, 2, 3, 4, 5]
    assert sorted((entry.at for entry in kept.entries), reverse=True) == [entry.at for entry in kept.entries]


def test_an_entry_belongs_to_the_night_that_is_being_written(tmp_path):
    (command, _, events), *_ = bot_night()
    journal = Journal.open(tmp_path / "nights.sqlite")
    journal.begin_night(command.edition)
    with pytest.raises(ValueError, match="is not being written"):
        journal.append("another", command, events, seat=Seat.ROOM)


def test_nobody_else_writes_in_a_journal_that_is_in_use(tmp_path):
    with (
        Journal.open(tmp_path / "nights.sqlite"),
        pytest.raises(BadJournal, match="another séance is writing in this journal"),
    ):
        Journal.open(tmp_path / "nights.sqlite")


def test_nobody_else_writes_in_it_by_another_name(tmp_path):
    write_journal(tmp_path / "nights.sqlite", bot_night()[:1])
    (tmp_path / "another").symlink_to(tmp_path / "nights")
    (tmp_path / "another.sqlite").symlink_to(tmp_path / "nights.sqlite")
    (tmp_path / "cellar").symlink_to(tmp_path)
    with Journal.open(tmp_path / "nights.sqlite"):
        for name in ("nights", "another", "another.sqlite", "cellar/nights.sqlite", "cellar/another"):
            with pytest.raises(BadJournal, match="another séance is writing in this journal"):
                Journal.open(tmp_path / name)


def test_a_path_with_or_without_the_old_suffix_is_one_journal(tmp_path):
    write_journal(tmp_path / "nights.sqlite", bot_night()[:1])
    write_journal(tmp_path / "nights", bot_night()[:2])
    assert [path.name for path in tmp_path.iterdir()] == ["nights"]
    assert len(read(tmp_path / "nights.sqlite", 2).entries) == 2


def test_a_file_that_was_renamed_has_the_number_of_its_name(tmp_path):
    write_journal(tmp_path / "nights", bot_night()[:5])
    (tmp_path / "nights" / "0001.night").rename(tmp_path / "nights" / "0041.night")
    with Journal.open(tmp_path / "nights") as journal:
        night = journal.unfinished()
        append_steps(journal, night.uid, bot_night()[5:])
    assert (night.number, read(tmp_path / "nights", 41).number) == (41, 41)
    assert read(tmp_path / "nights", 41).state == bot_night()[-1][1]


def test_the_journal_can_be_read_while_it_is_written(tmp_path):
    steps = bot_night()
    with Journal.open(tmp_path / "nights.sqlite") as journal, JournalReader.open(journal.path) as reader:
        append_steps(journal, begin_night(journal, steps), steps)
        assert reader.night(1).state == steps[-1][1]


def test_the_list_says_how_each_night_ended(tmp_path):
    write_journal(tmp_path / "nights.sqlite", bot_night(1))
    write_journal(tmp_path / "nights.sqlite", bot_night(2)[:30])
    with JournalReader.open(tmp_path / "nights.sqlite") as reader:
        summaries = [reader.summary(number) for number in reader.numbers()]
    assert [summary.night.number for summary in summaries] == [1, 2]
    assert [summary.outcome for summary in summaries] == [bot_night(1)[-1][1].outcome, None]
    assert [summary.steps for summary in summaries] == [len(bot_night(1)), 30]


def test_a_night_that_is_not_there_is_named(tmp_path):
    write_journal(tmp_path / "nights.sqlite", bot_night())
    with pytest.raises(NoSuchNight, match="there is no night 7"):
        read(tmp_path / "nights.sqlite", 7)


def test_a_journal_that_is_not_there_is_not_made_by_reading(tmp_path):
    with pytest.raises(BadJournal, match="there is no journal yet"):
        read(tmp_path / "nights.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_only_its_owner_may_read_the_file(tmp_path):
    write_journal(tmp_path / "nights.sqlite", bot_night()[:1])
    (file,) = (tmp_path / "nights").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_the_room_hears_no_secret_of_an_entry(tmp_path):
    steps = bot_night()
    write_journal(tmp_path / "nights.sqlite", steps)
    first, *_ = read(tmp_path / "nights.sqlite").heard(Seat.ROOM)
    assert [type(event).__name__ for event in first[1]] == ["NightBegun"]
    assert isinstance(first[0].command, Begin)
    assert steps[-1][1].phase is Phase.OVER


def test_a_night_of_another_version_is_told_of_and_left_alone(tmp_path, monkeypatch):
    """Sound as it is, it has an event that this version does not know."""
    unknown = {"event": "rain_fell"}
    monkeypatch.setattr("seance.journal.stored_night.event_fields", lambda _: unknown)
    write_journal(tmp_path / "nights.sqlite", bot_night()[:5])
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        assert journal.unfinished() is None
        assert [news.kind for news in journal.news()] == [NewsKind.UNREADABLE]
        assert [path.name for path in journal.folder.path.iterdir()] == ["0001.night"]
