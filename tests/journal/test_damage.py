"""Damage costs only the night that it is in, from there on; it is named, and no state is restored that never was."""

import re
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from seance.journal import BadJournal, Damaged, Journal, JournalReader, NewsKind, OtherVersion
from seance.journal.night_file import encode_file, parse_file, seal
from seance.journal.stored_night import store_night
from tests.journal.damaging import DamagedJournals, Recovery, each_page, random_damage, write_nights
from tests.journal.recording import Clock, append_steps, begin_night, bot_night, write_journal

STEPS = bot_night()[:60]
FEW = STEPS[:12]


@pytest.fixture(scope="module")
def nights(tmp_path_factory) -> Path:
    """A journal of nine nights; the last but one was cut off, and the last one came from elsewhere."""
    folder = tmp_path_factory.mktemp("nights") / "nights"
    write_nights(folder, 9)
    return folder


# Many damages; `script/bench journal` tries every page of fifty nights, and a thousand random ones


def test_with_any_page_destroyed_every_night_beside_it_survives(nights):
    found, journals = Recovery(), DamagedJournals(nights)
    for damage in list(each_page(nights))[::5]:
        found.add(journals.check(damage))
    assert not found.wrong
    assert (found.recovered, found.unfinished_recovered) == (found.recoverable, found.unfinished_recoverable)


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_damaged_all_else_survives(nights, seed):
    found = DamagedJournals(nights).check(random_damage(nights, Random(seed)))
    assert not found.wrong
    assert (found.recovered, found.unfinished_recovered) == (found.recoverable, found.unfinished_recoverable)


# One damage after the other


def damage_line(path: Path, number: int, change=lambda line: b"?" + line[1:]) -> None:
    """Change line *number* of a file, from 0; None for its new content removes it."""
    lines = path.read_bytes().splitlines(keepends=True)
    changed = change(lines[number])
    lines[number] = b"" if changed is None else changed
    path.write_bytes(b"".join(lines))


CHANGES = {
    "time": lambda line: line.replace(b'"at":"', b'"at":" ', 1),
    "time played": lambda line: line.replace(b'"played":0.0', b'"played":1.0', 1),
    "seat": lambda line: line.replace(b'"seat":"room"', b'"seat":"roof"', 1).replace(b'"ghost"', b'"gnome"', 1),
    "command": lambda line: line.replace(b'"command":{', b'"command":{ ', 1),
    "events": lambda line: line.replace(b'"events":[', b'"events":[ ', 1),
    "checksum": lambda line: b"00000000" + line[8:],
    "newline": lambda line: line[:-1] + b" ",
    "whole line": lambda _: None,
    "zeros": lambda line: bytes(len(line)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_damaged_line_costs_what_is_behind_it_and_is_named(change, tmp_path):
    write_journal(tmp_path / "nights", STEPS)
    file = tmp_path / "nights" / "0001.night"
    damage_line(file, 10, change)
    before = file.read_bytes()
    with Journal.open(tmp_path / "nights", now=Clock()) as journal:
        (news,) = journal.news()
        assert news.kind is NewsKind.SET_ASIDE
        assert news.text.startswith("Night 1 of ")
        assert "is damaged after step 9; its file is set aside as 0001.damaged-1922-10-31T22-00-00.night" in news.text
        assert journal.unfinished().state == STEPS[8][1]
    assert (tmp_path / "nights" / "0001.damaged-1922-10-31T22-00-00.night").read_bytes() == before
    with Journal.open(tmp_path / "nights") as journal:
        append_steps(journal, journal.unfinished().uid, STEPS[9:])
        assert (journal.news(), journal.unfinished().state) == ((), STEPS[-1][1])


def test_a_second_damage_in_the_same_second_overwrites_nothing(tmp_path):
    write_journal(tmp_path / "nights", STEPS)
    for line in (40, 20):
        damage_line(tmp_path / "nights" / "0001.night", line)
        Journal.open(tmp_path / "nights", now=Clock()).close()
    assert len(list((tmp_path / "nights").glob("0001.damaged-*.night"))) == 2


def test_a_night_with_a_damaged_head_is_set_aside_and_named(tmp_path):
    for seed in (1, 2):
        write_journal(tmp_path / "nights", bot_night(seed)[:20])
    damage_line(tmp_path / "nights" / "0002.night", 0)
    with Journal.open(tmp_path / "nights", now=Clock()) as journal:
        (news,) = journal.news()
        assert news.text.startswith("Night 2 is damaged from its first line on: nothing of it can be read")
        # An older night that was not played to its end is no night to go on with.
        assert journal.unfinished() is None
        append_steps(journal, begin_night(journal, STEPS), STEPS)
    names = ["0001.night", "0002.damaged-1922-10-31T22-00-00.night", "0003.night"]
    assert sorted(path.name for path in (tmp_path / "nights").iterdir()) == names


def test_a_damaged_night_before_the_last_is_left_as_it_is(tmp_path):
    for seed in (1, 2):
        write_journal(tmp_path / "nights", bot_night(seed)[:20])
    file = tmp_path / "nights" / "0001.night"
    damage_line(file, 10)
    before = file.read_bytes()
    with Journal.open(tmp_path / "nights") as journal:
        assert (journal.unfinished().state, journal.news()) == (bot_night(2)[19][1], ())
    assert file.read_bytes() == before
    with JournalReader.open(tmp_path / "nights") as reader:
        summaries, (complaint,) = reader.examine()
        assert [summary.steps for summary in summaries] == [9, 20]
        assert "night 1 of " in complaint
        assert complaint.endswith(" is damaged after step 9")
        assert reader.night(1).damage == complaint


def test_a_line_that_was_cut_off_is_dropped_without_a_word(tmp_path):
    """The power was cut while it was written, so it was never told."""
    write_journal(tmp_path / "nights", STEPS)
    file = tmp_path / "nights" / "0001.night"
    whole = file.read_bytes()
    last_line = whole.rindex(b"\n", 0, -1) + 1
    for end in range(last_line + 1, len(whole)):
        file.write_bytes(whole[:end])
        with Journal.open(tmp_path / "nights") as journal:
            steps = len(journal.unfinished().entries)
            assert (journal.news(), steps) == ((), 60 if end == len(whole) - 1 else 59)
    assert [path.name for path in (tmp_path / "nights").iterdir()] == ["0001.night"]


def test_an_earlier_night_that_was_cut_off_in_a_line_is_named(tmp_path):
    for seed in (1, 2):
        write_journal(tmp_path / "nights", bot_night(seed)[:20])
    file = tmp_path / "nights" / "0001.night"
    file.write_bytes(file.read_bytes()[:-20])
    with JournalReader.open(tmp_path / "nights") as reader:
        assert reader.examine()[1][0].endswith(" is damaged after step 19")


def test_an_entry_and_its_notes_are_there_together_or_not_at_all(tmp_path):
    with Journal.open(tmp_path / "nights") as journal:
        night = begin_night(journal, STEPS)
        for step, (command, _, events) in enumerate(STEPS[:3], start=1):
            journal.append(night, command, events, seat=command.seats[0], notes={"step": step})
    file = tmp_path / "nights" / "0001.night"
    whole = file.read_bytes()
    # The first entry and its notes come in a file that is there as a whole.
    first = re.search(rb"(.*\n){3}", whole).end()
    for end in range(first, len(whole) + 1):
        night = parse_file(1, whole[:end]).night
        assert night.decode().notes == {"step": len(night.entries)}


def test_a_damaged_note_does_not_cost_the_night(tmp_path):
    with Journal.open(tmp_path / "nights") as journal:
        night = begin_night(journal, STEPS)
        append_steps(journal, night, STEPS)
        journal.note(night, "sand", 30)
    damage_line(tmp_path / "nights" / "0001.night", -1)
    restored = Journal.open(tmp_path / "nights").unfinished()
    assert (restored.state, restored.notes) == (STEPS[-1][1], {})


def test_damaged_notes_in_the_middle_cost_no_entry(tmp_path):
    with Journal.open(tmp_path / "nights") as journal:
        night = begin_night(journal, STEPS)
        for step, (command, _, events) in enumerate(STEPS, start=1):
            journal.append(night, command, events, seat=command.seats[0], notes={"step": step})
            journal.note(night, "sand", step)
    damage_line(tmp_path / "nights" / "0001.night", 4)
    damage_line(tmp_path / "nights" / "0001.night", 31)
    with JournalReader.open(tmp_path / "nights") as reader:
        night = reader.night(1)
    assert (night.state, night.notes) == (STEPS[-1][1], {"step": 60, "sand": 60})
    assert night.damage.endswith("is damaged beside its 60 steps, all sound")


def test_notes_that_no_longer_fit_are_left_out(tmp_path):
    with Journal.open(tmp_path / "nights") as journal:
        night = begin_night(journal, STEPS)
        for step, (command, _, events) in enumerate(STEPS[:4], start=1):
            journal.append(night, command, events, seat=command.seats[0], notes={"step": step})
    damage_line(tmp_path / "nights" / "0001.night", 7)
    with JournalReader.open(tmp_path / "nights") as reader:
        assert (len(reader.night(1).entries), reader.night(1).notes) == (4, {})


def test_a_night_is_whole_when_its_file_is_damaged_while_it_is_played(tmp_path):
    steps = bot_night()
    with Journal.open(tmp_path / "nights") as journal:
        night = begin_night(journal, steps)
        append_steps(journal, night, steps[:40])
        file = tmp_path / "nights" / "0001.night"
        file.write_bytes(bytes(file.stat().st_size))
        append_steps(journal, night, steps[40:])
        assert [news.kind for news in journal.news()] == [NewsKind.SET_ASIDE]
    with JournalReader.open(tmp_path / "nights") as reader:
        assert reader.night(1).state == steps[-1][1]


# Records that are sound, and say something that this version does not know


def rewrite(path: Path, number: int, change) -> None:
    """Change the record in line *number* of a file, from 0, with the right checksums."""
    records = [line[9:] for line in path.read_bytes().splitlines()]
    records[number] = change(records[number])
    lines, chain = [], 0
    for record in records:
        line, checksum = seal(record, chain)
        lines.append(line)
        chain = chain if record.startswith(b'{"notes"') else checksum
    path.write_bytes(b"".join(lines))


STRANGE = {
    "no edition": (0, lambda record: record.replace(b'"edition":{', b'"box":{')),
    "an edition without a name": (0, lambda record: record.replace(b'"edition":{"name"', b'"edition":{"title"')),
    "another format": (0, lambda record: record.replace(b"seance night 2", b"seance night 3")),
    "a word for a number": (0, lambda record: record.replace(b'"number":2', b'"number":"two"')),
    "no head": (0, lambda _: b"[]"),
    "another first command": (1, lambda record: record.replace(b'"command":"begin"', b'"command":"dance"')),
    "a first command that begins nothing": (
        1, lambda record: re.sub(rb'"command":\{.*\},"events"', b'"command":{"command":"turn_sand"},"events"', record),
    ),
    "a word for the time played": (-1, lambda record: record.replace(b'"played":0.0', b'"played":"long"')),
    "another outcome": (-1, lambda record: record.replace(b'"reason":"', b'"reason":"rain_')),
}  # fmt: skip


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_value_hides_only_its_night(name, tmp_path):
    for seed in (1, 2, 3):
        write_journal(tmp_path / "nights", bot_night(seed))
    rewrite(tmp_path / "nights" / "0002.night", *STRANGE[name])
    with JournalReader.open(tmp_path / "nights") as reader:
        summaries, (complaint,) = reader.examine()
        assert [summary.night.number for summary in summaries] == [1, 3]
        assert "night 2 " in complaint
        with pytest.raises((OtherVersion, Damaged)):
            reader.night(2)
    with Journal.open(tmp_path / "nights") as journal:
        assert journal.last().number == 3
        assert journal.recently_seen_cards("libellud")


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_last_night_is_left_alone(name, tmp_path):
    for seed in (1, 2):
        write_journal(tmp_path / "nights", bot_night(seed))
    file = tmp_path / "nights" / "0002.night"
    rewrite(file, *STRANGE[name])
    before = file.read_bytes()
    with Journal.open(tmp_path / "nights") as journal:
        assert journal.unfinished() is None
        append_steps(journal, begin_night(journal, STEPS), STEPS)
    assert file.read_bytes() == before
    assert (tmp_path / "nights" / "0003.night").exists()


# Anything at all


@cache
def _sound() -> bytes:
    """Return the file of a night as a power cut leaves it, with notes between its entries."""
    with TemporaryDirectory() as folder:
        with Journal.open(Path(folder)) as journal:
            night = begin_night(journal, FEW)
            for step, (command, _, events) in enumerate(FEW, start=1):
                journal.append(night, command, events, seat=command.seats[0], notes={"step": step})
        return (Path(folder) / "0001.night").read_bytes()


@settings(max_examples=80, deadline=None)
@given(st.data())
@example(None)
def test_whatever_is_damaged_nothing_is_restored_that_never_was(data):
    """Every state that comes back was once true, and what was there before is still there, byte for byte."""
    content = bytearray(_sound())
    if data is not None:
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(content) - 1))
            more = data.draw(st.binary(min_size=1, max_size=64))
            content[at : at + len(more)] = more
        if data.draw(st.booleans()):
            del content[data.draw(st.integers(0, len(content) - 1)) :]
    with TemporaryDirectory() as name:
        folder = Path(name) / "nights"
        folder.mkdir()
        (folder / "0001.night").write_bytes(content)
        with Journal.open(folder) as journal:
            night, news = journal.unfinished(), journal.news()
            assert night is None or night.state in [state for _, state, _ in FEW]
            assert night is None or night.notes in ({}, {"step": len(night.entries)})
            if any(each.kind is NewsKind.SET_ASIDE for each in news):
                (aside,) = folder.glob("0001.damaged-*.night")
                assert aside.read_bytes() == bytes(content)
            if data is None:
                assert (night.state, news) == (FEW[-1][1], ())
            uid = night.uid if night else begin_night(journal, STEPS)
            append_steps(journal, uid, FEW[len(night.entries) if night else 0 :])
        with Journal.open(folder) as again:
            assert (again.unfinished().state, again.news()) == (FEW[-1][1], ())


def test_a_file_that_is_no_night_is_set_aside(tmp_path):
    (tmp_path / "nights").mkdir()
    (tmp_path / "nights" / "0001.night").write_text("This was a grocery list. " * 400)
    with Journal.open(tmp_path / "nights") as journal:
        assert [news.kind for news in journal.news()] == [NewsKind.SET_ASIDE]


def test_what_was_encoded_is_parsed_as_it_was(tmp_path):
    write_journal(tmp_path / "nights", STEPS)
    with JournalReader.open(tmp_path / "nights") as reader:
        night = reader.night(1)
    stored = store_night(night)
    parsed = parse_file(1, encode_file(stored)[0])
    assert (parsed.night, parsed.torn, parsed.superseded_bytes) == (stored, False, 0)
    assert parsed.night.decode() == night


@pytest.mark.parametrize("text", [b"", b"\n", b"00000000 \n", b"\0" * 5000, b"00000000 {}\n"])
def test_what_is_no_night_is_damaged(text):
    with pytest.raises(BadJournal, match="night 7 "):
        parse_file(7, text)
